"""Serve the fixtures through our own HTTP application: `python -m tests.conformance`."""

from __future__ import annotations

import warnings

import uvloop
from mcp.shared.exceptions import MCPDeprecationWarning

from tests.conformance.fixtures import add_fixtures
from zapomni_core import Settings
from zapomni_mcp.process import run_process
from zapomni_mcp.server import complete_server
from zapomni_mcp.serving import serve_application


async def _serve(settings: Settings) -> None:
    async with complete_server(settings) as server:
        add_fixtures(server)
        await serve_application(server, settings)


if __name__ == "__main__":
    # The scenarios of 2025-11-25 need log messages, which the newer revision deprecates.
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    run_process(_serve, uvloop.new_event_loop)
