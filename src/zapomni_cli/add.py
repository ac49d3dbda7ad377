"""`zapomni add`: remember a text, files, folders, or what comes from standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zapomni_cli.options import common
from zapomni_cli.output import plain, show
from zapomni_cli.progress import progress_bar
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine, MemoryResult
    from zapomni_core.intake import DocumentsAdded

__all__ = ["add"]

_FILES_SHOWN = 20


@click.command()
@click.argument("what", nargs=-1, required=True)
@click.option("--tag", "tags", multiple=True, help="A tag for all that is added; repeatable.")
@click.option("--source", help="Where a text comes from; a file is its own source.")
@click.option("--name", help="What a document on standard input is called, e.g. minutes.md.")
@click.option("--exclude", multiple=True, help="Leave out what matches, as in a .gitignore.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something fails.")
@common
def add(
    what: Sequence[str],
    tags: Sequence[str],
    source: str | None,
    name: str | None,
    exclude: Sequence[str],
    workspace: str | None,
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    """Remember WHAT: a text, files, folders, or - for standard input.

    Every section of a document becomes a memory that knows its file, heading and page. Run it
    again after a change: files that are stored already are left alone but for new tags, and
    changed ones replace what they said before. Files that are gone are named; their memories stay
    until you say `zapomni forget --gone FOLDER`. If the command is cut off, run it again: it goes
    on where it was.
    """
    metadata: dict[str, Any] = {"tags": list(tags)} if tags else {}
    text = _given_text(what)
    if text is not None and name is None:
        said = metadata | ({"source": source} if source else {})
        stored = run(lambda engine: engine.add_memory(text, said), workspace)
        if not quiet:
            show(stored, _told_of_text(stored), as_json=as_json)
        return
    if source:
        raise click.UsageError("--source is for a text; a document is its own source.")
    if name is not None and text is None:
        raise click.UsageError("--name is for a document on standard input (-).")

    async def work(engine: MemoryEngine) -> DocumentsAdded:
        with progress_bar("Reading", is_silent=quiet or as_json) as report:
            if text is not None and name is not None:
                return await engine.add_document_text(
                    text, name, metadata=metadata, progress=report, patience_s=None
                )
            return await engine.add_documents(
                what,
                metadata=metadata,
                exclude=exclude,
                is_trusted=True,
                progress=report,
                patience_s=None,
            )

    added = run(work, workspace)
    if not quiet:
        show(added, _told(added), as_json=as_json)
    _end(added)


def _given_text(what: Sequence[str]) -> str | None:
    """Return the text that was given; None if these are files."""
    if tuple(what) == ("-",):
        return _standard_input()
    if "-" in what:
        raise click.UsageError("- stands for standard input, and only alone.")
    missing = [each for each in what if not _exists(each)]
    if not missing:
        return None
    if len(missing) < len(what) or any(map(_looks_like_path, missing)):
        raise click.ClickException(
            f"There is no file {plain(missing[0])}. To remember it as a text, pipe it into "
            "`zapomni add -`."
        )
    return " ".join(what)


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise click.ClickException(
            "Standard input is not UTF-8 text; save it as a file and add that."
        ) from None


def _exists(given: str) -> bool:
    try:
        return bool(given) and Path(given).exists()
    except (OSError, ValueError):  # far too long for a name, so it is a text
        return False


def _looks_like_path(given: str) -> bool:
    """Tell a mistyped path from a text: who mistypes one wants no memory of it."""
    if any(character.isspace() for character in given):
        return False
    return "/" in given or Path(given).suffix[1:].isalnum()


def _told_of_text(stored: MemoryResult) -> str:
    if stored.is_duplicate:
        return f"This is a memory already: {stored.memory_id}"
    hidden = sum(stored.secrets_hidden.values())
    return f"Stored: {stored.memory_id}" + (f"\nSecrets hidden: {hidden}" if hidden else "")


def _told(added: DocumentsAdded) -> str:
    files = "file" if added.added == 1 else "files"
    lines = [
        f"{added.added} {files} added, {added.updated} updated, {added.unchanged} unchanged "
        f"in {added.job.seconds:.1f} s; {added.memories_added} memories added"
        + (f", {added.memories_removed} replaced" if added.memories_removed else "")
        + (f", {added.memories_changed} given tags" if added.memories_changed else "")
    ]
    if added.skipped:
        reasons = ", ".join(f"{reason} {n}" for reason, n in sorted(added.skipped.items()))
        lines.append(f"Left out: {sum(added.skipped.values())} ({reasons})")
    if hidden := sum(added.secrets_hidden.values()):
        lines.append(f"Secrets hidden: {hidden}")
    kept = [each for each in added.files if each.outcome == "unchanged" and each.reason]
    lines += [plain(f"{each.path}: {each.reason}") for each in kept[:_FILES_SHOWN]]
    return "\n".join([*lines, *_told_of_gone(added)])


def _told_of_gone(added: DocumentsAdded) -> list[str]:
    gone = [each.path for each in added.files if each.outcome == "gone"]
    lines = [plain(f"Gone: {path}") for path in gone[:_FILES_SHOWN]]
    if more := len(gone) - len(lines):
        lines.append(f"and {more} more that are gone")
    if gone:
        lines.append("Their memories stay; `zapomni forget --gone FOLDER` deletes them.")
    return lines


def _end(added: DocumentsAdded) -> None:
    failures = [each for each in added.files if each.outcome == "failed"]
    for each in failures[:_FILES_SHOWN]:
        click.echo(plain(f"Not read: {each.path}: {each.reason}"), err=True)
    if added.job.state != "done":
        raise click.ClickException(added.job.error or f"The work was {added.job.state}.")
    if failures:
        raise click.ClickException(f"{len(failures)} files could not be read.")
