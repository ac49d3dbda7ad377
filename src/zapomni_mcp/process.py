"""Run a server as a process: settings in, one clear line if they are wrong, a clean way out."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import NoReturn

from zapomni_core import ConfigurationError, Settings, configure_logs, load_settings

__all__ = ["run_process"]


def run_process(
    serve: Callable[[Settings], Awaitable[None]],
    new_loop: Callable[[], asyncio.AbstractEventLoop] | None = None,
    **overrides: object,
) -> NoReturn:
    """Serve with the effective settings, and leave."""
    try:
        settings = load_settings(**overrides)
        configure_logs(settings.log_level)
        asyncio.run(_run(serve, settings), loop_factory=new_loop)
    except ConfigurationError as exc:
        sys.exit(f"zapomni: {exc}")
    sys.stderr.flush()
    # Everything is closed and durable; do not wait for a thread that is still reading a terminal
    # or embedding for a client that has gone.
    os._exit(0)


async def _run(serve: Callable[[Settings], Awaitable[None]], settings: Settings) -> None:
    await serve(settings)
