"""`zapomni export`: take every memory out, in a form that lasts."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from zapomni_cli.keeping import work_on
from zapomni_cli.options import workspace_option
from zapomni_cli.progress import progress_bar

if TYPE_CHECKING:
    from zapomni_core.keeping_engine import KeepingEngine

__all__ = ["export"]

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("path", type=_PATH, default="-")
@click.option("--markdown", is_flag=True, help="Write a folder with a Markdown file for each.")
@click.option("--with-vectors", is_flag=True, help="Write vectors too: larger, quicker to import.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something fails.")
@workspace_option
def export(
    path: Path, workspace: str | None, *, markdown: bool, with_vectors: bool, quiet: bool
) -> None:
    """Write every memory to PATH as JSON lines, to standard output if there is none.

    `zapomni import` brings them back exactly as they were.
    """
    if markdown:
        if str(path) == "-":
            raise click.UsageError("--markdown needs the path of a folder.")
        count = work_on(lambda engine: _markdown(engine, path, quiet=quiet), workspace)
    elif str(path) == "-":
        out = sys.stdout.buffer
        count = work_on(lambda engine: _lines(engine, out, with_vectors, quiet=True), workspace)
    elif path.exists() and not path.is_file():
        with path.open("wb") as pipe:  # or a device; nothing may take its place
            count = work_on(lambda e: _lines(e, pipe, with_vectors, quiet=quiet), workspace)
    else:
        target = path.resolve()  # what a link leads to is written, and the link stays
        if not target.parent.is_dir():
            raise click.ClickException(f"There is no folder {target.parent}.")
        count = work_on(lambda engine: _file(engine, target, with_vectors, quiet=quiet), workspace)
    if not quiet:
        click.echo(f"{count} memories written to {path}.", err=True)


async def _markdown(engine: KeepingEngine, folder: Path, *, quiet: bool) -> int:
    with progress_bar("Writing", is_silent=quiet) as report:
        return await engine.export_markdown(folder, report)


async def _file(engine: KeepingEngine, path: Path, with_vectors: bool, *, quiet: bool) -> int:
    partial = path.with_name(f"{path.name}.part")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            count = await _lines(engine, file, with_vectors, quiet=quiet)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return count


async def _lines(engine: KeepingEngine, file: BinaryIO, with_vectors: bool, *, quiet: bool) -> int:
    with progress_bar("Writing", is_silent=quiet) as report:
        exported = await engine.export_memories(file, with_vectors=with_vectors, progress=report)
    file.flush()
    return exported.memories
