"""Start the server as a process."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import NoReturn

from zapomni_core import ConfigurationError, MemoryEngine, Settings, configure_logs, load_settings
from zapomni_mcp.server import MCPServer

__all__ = ["serve_stdio"]


def serve_stdio() -> NoReturn:
    """Serve standard input until it ends, and leave."""
    try:
        settings = load_settings()
    except ConfigurationError as exc:
        sys.exit(f"zapomni: {exc}")
    configure_logs(settings.log_level)
    asyncio.run(_serve(settings))
    sys.stderr.flush()
    # Everything is closed and durable; do not wait for a thread that is still reading a terminal
    # or embedding for a client that has gone.
    os._exit(0)


async def _serve(settings: Settings) -> None:
    engine = MemoryEngine(settings)
    server = MCPServer(engine)
    server.register_all_tools()
    try:
        await server.run()
    finally:
        await engine.close()
