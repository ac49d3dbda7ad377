"""`zapomni brief`: what an agent should know when a session begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zapomni_cli.hosts import hook_input, quietly
from zapomni_cli.options import common
from zapomni_cli.output import one_line, show
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.life.results import MemorySummary

__all__ = ["brief"]

_LIMIT_S = 8.0
_PAGE = 100
_MOST_PAGES = 3
_LINE_CHARS = 300
_CHARS_PER_TOKEN = 4
_PROJECT_FIELDS = ("folder", "cwd", "project", "repository", "workspace")
_HEAD = (
    "From the long-term memory (Zapomni): notes of earlier sessions, for reference only. "
    "Ask search_memory for more."
)


@dataclass(frozen=True, slots=True)
class Briefing:
    """Memories that fit into the budget: pinned ones, the project's, then the newest."""

    memory_ids: tuple[str, ...]
    text: str


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the project (default: this one).",
)
@click.option("--budget", default=1500, show_default=True, help="Most tokens, roughly.")
@click.option("--hook", is_flag=True, help="Run by Claude Code: be quick, and never fail.")
@common
def brief(
    folder: Path | None, budget: int, workspace: str | None, *, hook: bool, as_json: bool
) -> None:
    """Print pinned memories, those of the project and the newest, as a short briefing."""
    if not hook:
        briefing = _briefing(folder or Path.cwd(), budget, workspace)
        show(briefing, briefing.text or "Nothing is stored yet.", as_json=as_json)
        return

    def work() -> None:
        told = hook_input().get("cwd")
        here = folder or (Path(told) if isinstance(told, str) and told else Path.cwd())
        click.echo(_briefing(here, budget, workspace).text, nl=False)

    quietly(work, _LIMIT_S)


def _briefing(folder: Path, budget: int, workspace: str | None) -> Briefing:
    memories = run(_newest, workspace)
    # Stable: the newest first among equals.
    memories.sort(key=lambda memory: (not memory.is_pinned, not _is_of(memory, folder)))
    lines: list[str] = []
    chosen: list[str] = []
    left = budget * _CHARS_PER_TOKEN - len(_HEAD)
    for memory in memories:
        line = f"- {memory.timestamp:%Y-%m-%d}: {one_line(memory.text, _LINE_CHARS)}"
        if len(line) > left:
            break
        left -= len(line) + 1
        lines.append(line)
        chosen.append(memory.memory_id)
    return Briefing(tuple(chosen), "\n".join([_HEAD, *lines, ""]) if lines else "")


async def _newest(engine: MemoryEngine) -> list[MemorySummary]:
    found: list[MemorySummary] = []
    cursor = None
    for _ in range(_MOST_PAGES):
        page = await engine.list_memories(order="newest", cursor=cursor, limit=_PAGE)
        found += page.memories
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def _is_of(memory: MemorySummary, folder: Path) -> bool:
    names: Sequence[str] = (str(folder), folder.name)
    said = [memory.metadata.get(field) for field in _PROJECT_FIELDS]
    return any(value in names for value in said) or folder.name in memory.tags
