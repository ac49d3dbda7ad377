"""`zapomni edit`: correct a memory; what it said before is kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from zapomni_cli.options import common
from zapomni_cli.output import one_line, show
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.life.results import MemoryDetails, MemoryUpdated

__all__ = ["edit"]


def _assignments(
    _ctx: click.Context, _parameter: click.Parameter, value: Sequence[str]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in value:
        name, mark, content = each.partition("=")
        if not mark or not name:
            raise click.BadParameter(f"'{each}' is not of the form NAME=VALUE")
        try:
            found[name] = json.loads(content, parse_constant=_no_json)
        except ValueError:
            found[name] = content
    return found


def _no_json(word: str) -> None:
    """Leave NaN and Infinity to be texts: JSON has no such numbers."""
    raise ValueError(word)


@click.command()
@click.argument("memory_id")
@click.option("--text", help="The new text; - reads it from standard input.")
@click.option("--tag", "tags", multiple=True, help="A new tag in place of all; repeatable.")
@click.option("--source", help="The new source.")
@click.option("--pin/--unpin", "pinned", default=None, help="Whether it is kept for good.")
@click.option("--expires", metavar="DATE", help="When it is to be forgotten; 'never' to keep it.")
@click.option(
    "--set",
    "metadata",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_assignments,
    help="Another field of the metadata; the value is JSON or text, null takes it away.",
)
@common
def edit(
    memory_id: str,
    text: str | None,
    tags: Sequence[str],
    source: str | None,
    pinned: bool | None,
    expires: str | None,
    metadata: dict[str, Any],
    workspace: str | None,
    *,
    as_json: bool,
) -> None:
    """Change a memory; what it said before stays in its history.

    Without an option, the text is opened in your editor ($VISUAL or $EDITOR). The first eight
    digits of MEMORY_ID are enough if no other id begins with them.
    """
    changes = metadata | _given(tags, source, pinned, expires)
    new_text = sys.stdin.read() if text == "-" else text
    if new_text is None and not changes:
        # The memory is not held open while a person thinks.
        meant = run(lambda engine: _read(engine, memory_id), workspace)
        memory_id, new_text = meant.memory_id, _edited(meant.text)
        if new_text is None:
            click.echo("Nothing was changed.", err=True)
            return

    async def work(engine: MemoryEngine) -> MemoryUpdated:
        whole_id = await engine.find_memory(memory_id)
        return await engine.update_memory(whole_id, new_text, changes or None)

    updated = run(work, workspace)
    told = f"Changed: {one_line(updated.text_preview, 100)}"
    show(updated, told if updated.is_changed else "It was like that already.", as_json=as_json)


def _given(
    tags: Sequence[str], source: str | None, pinned: bool | None, expires: str | None
) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if tags:
        given["tags"] = list(tags)
    if source is not None:
        given["source"] = source
    if pinned is not None:
        given["pinned"] = pinned
    if expires is not None:
        given["expires"] = None if expires == "never" else expires
    return given


async def _read(engine: MemoryEngine, memory_id: str) -> MemoryDetails:
    return await engine.get_memory(await engine.find_memory(memory_id))


def _edited(before: str) -> str | None:
    try:
        after = click.edit(before, extension=".md")
    except UnicodeDecodeError:
        raise click.ClickException(
            "The editor did not save UTF-8 text; nothing was changed."
        ) from None
    return None if after is None or after.strip() == before.strip() else after
