"""`zapomni forget`: delete memories, never without a yes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from zapomni_cli.gone import forget_gone
from zapomni_cli.options import common, yes_option
from zapomni_cli.output import one_line, show_json
from zapomni_cli.output import show as show_result
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.life.results import MemoryDeleted, MemoryDetails

__all__ = ["forget"]

_SHOWN_CHARS = 100


@click.command()
@click.argument("memory_ids", nargs=-1, metavar="[MEMORY_ID]...")
@click.option(
    "--gone", metavar="FOLDER", help="Delete what was read from files in FOLDER that are gone."
)
@click.option("--all", "is_all", is_flag=True, help="Delete every memory, after a phrase.")
@click.option("--phrase", help="The phrase that --all asks for, to say it beforehand.")
@click.option(
    "--erase", is_flag=True, help="Write the files on disk anew, so that no trace stays."
)
@yes_option
@common
def forget(
    memory_ids: Sequence[str],
    gone: str | None,
    phrase: str | None,
    workspace: str | None,
    *,
    is_all: bool,
    erase: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Delete memories with their history.

    They are shown first and you are asked; nothing is deleted if one of the ids is wrong. The
    first eight digits of an id are enough if no other id begins with them.
    """
    if [bool(memory_ids), gone is not None, is_all].count(True) != 1:
        raise click.UsageError("Name the memories to forget, or say --gone FOLDER or --all.")
    if gone is not None:
        if erase or phrase is not None:
            raise click.UsageError("--erase and --phrase are not for --gone.")
        forget_gone(gone, workspace, yes=yes, as_json=as_json)
        return
    if is_all:
        _forget_all(phrase, workspace, erase=erase, as_json=as_json)
        return
    if phrase is not None:
        raise click.UsageError("--phrase is for --all.")
    meant = run(lambda engine: _read(engine, memory_ids), workspace)
    if not yes:
        for memory in meant:
            text = one_line(memory.text, _SHOWN_CHARS)
            click.echo(f"{memory.memory_id}  {text}", err=True)
        click.confirm(f"Delete {_counted(len(meant))} for good?", abort=True, err=True)
    wanted = [memory.memory_id for memory in meant]
    deleted = run(lambda engine: _delete(engine, wanted, erase=erase), workspace)
    if as_json:
        show_json(deleted)
    else:
        click.echo(_told(len(deleted), deleted[-1].notice))


def _forget_all(phrase: str | None, workspace: str | None, *, erase: bool, as_json: bool) -> None:
    from zapomni_core import CLEAR_PHRASE  # noqa: PLC0415  (see `running`)

    said = phrase
    if said is None:
        click.echo(f"This deletes every memory for good. To do it, type: {CLEAR_PHRASE}", err=True)
        said = click.prompt("Phrase", err=True, default="", show_default=False)
    if said != CLEAR_PHRASE:
        raise click.ClickException("That is not the phrase; nothing was deleted.")
    cleared = run(lambda engine: engine.clear_all(CLEAR_PHRASE, erase=erase), workspace)
    show_result(cleared, _told(cleared.memories, cleared.notice), as_json=as_json)


async def _read(engine: MemoryEngine, memory_ids: Sequence[str]) -> list[MemoryDetails]:
    wanted = [await engine.find_memory(each) for each in memory_ids]
    return [await engine.get_memory(each) for each in dict.fromkeys(wanted)]


async def _delete(
    engine: MemoryEngine, memory_ids: Sequence[str], *, erase: bool
) -> list[MemoryDeleted]:
    last = len(memory_ids) - 1
    return [
        # The files are written anew once, when all are gone.
        await engine.delete_memory(each, confirm=True, erase=erase and number == last)
        for number, each in enumerate(memory_ids)
    ]


def _told(count: int, notice: str | None) -> str:
    in_words_of_here = (notice or "").replace("erase: true", "--erase")
    return f"{_counted(count)} deleted. {in_words_of_here}".strip()


def _counted(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"
