"""Do work that opens no more than it needs: no model, no server that is to be replaced."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import click

from zapomni_cli.output import show

if TYPE_CHECKING:
    from zapomni_core.keeping_engine import KeepingEngine

__all__ = ["show", "work_on"]


def work_on[R](work: Callable[[KeepingEngine], Awaitable[R]], workspace: str | None = None) -> R:
    """Work with an engine that is not opened; an error ends the command with its message."""
    # Half a second that help, completion and a mistake in the options do not need.
    import asyncio  # noqa: PLC0415

    from zapomni_core import ZapomniError, configure_logs, load_settings  # noqa: PLC0415
    from zapomni_core.keeping_engine import KeepingEngine  # noqa: PLC0415

    try:
        settings = load_settings(workspace=workspace)
        configure_logs("CRITICAL")
        return asyncio.run(_working(KeepingEngine(settings), work))
    except (ZapomniError, OSError) as exc:
        raise click.ClickException(str(exc)) from exc
    except KeyboardInterrupt:
        raise click.Abort from None


async def _working[R](engine: KeepingEngine, work: Callable[[KeepingEngine], Awaitable[R]]) -> R:
    return await work(engine)
