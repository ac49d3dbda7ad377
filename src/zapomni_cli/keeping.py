"""Do work that opens no more than it needs: no model, no server that is to be replaced."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Awaitable, Callable
from typing import Any

import click

from zapomni_core import ZapomniError, configure_logs, load_settings
from zapomni_core.keeping_engine import KeepingEngine

__all__ = ["show", "work_on"]


def work_on[R](work: Callable[[KeepingEngine], Awaitable[R]]) -> R:
    """Work with an engine that is not opened; an error ends the command with its message."""
    try:
        settings = load_settings()
        configure_logs("CRITICAL")
        return asyncio.run(_working(KeepingEngine(settings), work))
    except (ZapomniError, OSError) as exc:
        raise click.ClickException(str(exc)) from exc
    except KeyboardInterrupt:
        raise click.Abort from None


def show(result: Any, told: str, *, as_json: bool) -> None:
    """Print a result for people, or as JSON."""
    click.echo(json.dumps(dataclasses.asdict(result), indent=2) if as_json else told)


async def _working[R](engine: KeepingEngine, work: Callable[[KeepingEngine], Awaitable[R]]) -> R:
    return await work(engine)
