"""Do a command's work with an open engine, and put failures in one line."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine, ZapomniError

__all__ = ["run"]

_OBJECTS_PER_COLLECTION = 200_000

_WORDS = {
    "add_memory": "add",
    "create_workspace": "workspaces create",
    "list_jobs": "jobs list",
    "list_memories": "list",
    "list_workspaces": "workspaces list",
    "search_memory": "search",
}
_TOOL = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")


def run[R](work: Callable[[MemoryEngine], Awaitable[R]], workspace: str | None = None) -> R:
    """Work with an engine and close it; an error ends the command with its message."""
    # To look through what is imported for good again and again costs a search 60 ms of CPU.
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    # To look for plugins of pydantic, of which there are none, costs as much as 15 ms.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Half a second that help, completion and a mistake in the options do not need.
    import asyncio  # noqa: PLC0415

    from zapomni_core import (  # noqa: PLC0415
        MemoryEngine,
        ZapomniError,
        configure_logs,
        load_settings,
    )

    try:
        settings = load_settings(workspace=workspace)
        # A person sees the message of an error, not its log.
        configure_logs("CRITICAL")
        return asyncio.run(_with_engine(MemoryEngine(settings), work))
    except ZapomniError as exc:
        raise click.ClickException(_message(exc)) from exc
    except KeyboardInterrupt:
        raise click.Abort from None


async def _with_engine[R](engine: MemoryEngine, work: Callable[[MemoryEngine], Awaitable[R]]) -> R:
    # What is not needed is not opened: `workspaces list` works if the chosen one is gone.
    try:
        return await work(engine)
    finally:
        await engine.close()


def _message(error: ZapomniError) -> str:
    """Put the names of tools in the words of the command line."""
    return _TOOL.sub(lambda found: f"`zapomni {_WORDS[found[0]]}`", str(error))
