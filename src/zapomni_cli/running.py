"""Do a command's work with an open engine, and put failures in one line."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import click

from zapomni_core import MemoryEngine, ZapomniError, configure_logs, load_settings

__all__ = ["run"]


def run[R](work: Callable[[MemoryEngine], Awaitable[R]]) -> R:
    """Open the engine, work, and close it; an error ends the command with its message."""
    try:
        settings = load_settings()
        # A person sees the message of an error, not its log.
        configure_logs("CRITICAL")
        return asyncio.run(_with_engine(MemoryEngine(settings), work))
    except ZapomniError as exc:
        raise click.ClickException(str(exc)) from exc
    except KeyboardInterrupt:
        raise click.Abort from None


async def _with_engine[R](engine: MemoryEngine, work: Callable[[MemoryEngine], Awaitable[R]]) -> R:
    async with engine:
        return await work(engine)
