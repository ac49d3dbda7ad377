"""`zapomni save-session`: keep what was said in a session of Claude Code."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zapomni_cli.hosts import hook_input, quietly
from zapomni_cli.options import common
from zapomni_cli.output import show
from zapomni_cli.progress import progress_bar
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine

__all__ = ["save_session"]

_LIMIT_S = 5.0
# Less than anything that somebody waits for.
_NICENESS = 15
_PATH = click.Path(path_type=Path, exists=True, dir_okay=False)


@dataclass(frozen=True, slots=True)
class SessionSaved:
    """What became of the messages of a session."""

    added: int
    present: int
    left_out: int


@click.command("save-session")
@click.argument("path", type=_PATH, required=False)
@click.option("--hook", is_flag=True, help="Run by Claude Code: save in the background.")
@common
def save_session(path: Path | None, workspace: str | None, *, hook: bool, as_json: bool) -> None:
    """Store what was said in a session of Claude Code; what is there already stays as it is.

    PATH is the transcript, a .jsonl file; with --hook it is named on standard input.
    """
    if hook:
        quietly(lambda: _save_behind(workspace), _LIMIT_S)
    if path is None:
        raise click.UsageError("Name the transcript of the session.")

    async def work(engine: MemoryEngine) -> SessionSaved:
        return await _save(engine, path, is_silent=as_json)

    saved = run(work, workspace)
    told = f"{saved.added} messages stored, {saved.present} were here already."
    show(saved, told, as_json=as_json)


def _save_behind(workspace: str | None) -> None:
    """Have a process of its own do it: embedding takes longer than the host should wait."""
    path = hook_input().get("transcript_path")
    if not isinstance(path, str) or not Path(path).is_file():
        return
    chosen = [] if workspace is None else ["--workspace", workspace]
    subprocess.Popen(
        [sys.executable, "-m", "zapomni_cli", "save-session", *chosen, path],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: os.nice(_NICENESS),  # noqa: PLW1509  (there is one thread and a timer)
    )


async def _save(engine: MemoryEngine, path: Path, *, is_silent: bool) -> SessionSaved:
    from zapomni_core.importing import ImportKind  # noqa: PLC0415  (see `running`)

    with progress_bar("Saving", is_silent=is_silent) as report:
        done = await engine.import_export(path, ImportKind.CLAUDE_CODE, progress=report)
    return SessionSaved(done.added, done.present, sum(done.left_out.values()) + done.failed)
