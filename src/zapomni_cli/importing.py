"""`zapomni import`: bring an export back."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from zapomni_cli.keeping import show, work_on
from zapomni_cli.progress import progress_bar
from zapomni_core.keeping.importing import Imported
from zapomni_core.keeping_engine import KeepingEngine

__all__ = ["import_"]

_PATH = click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True)


@click.command("import")
@click.argument("path", type=_PATH, default="-")
@click.option("--dry-run", is_flag=True, help="Verify the file and count, but add nothing.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something fails.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def import_(path: Path, *, dry_run: bool, quiet: bool, as_json: bool) -> None:
    """Add the memories of an export (`zapomni export`) that are not here yet.

    The whole file is verified before anything is added. If the command is cut off, run it again:
    it goes on where it was.
    """

    async def work(engine: KeepingEngine) -> Imported:
        with progress_bar("Importing", is_silent=quiet or as_json) as report:
            return await engine.import_memories(source, is_dry_run=dry_run, progress=report)

    with _on_disk(path) as source:
        imported = work_on(work)
    if not quiet:
        show(imported, _told(imported), as_json=as_json)


@contextmanager
def _on_disk(path: Path) -> Iterator[Path]:
    if str(path) != "-":
        yield path
        return
    # Read twice: once to verify, once to import.
    with tempfile.NamedTemporaryFile(prefix="zapomni-", suffix=".jsonl") as spooled:
        shutil.copyfileobj(sys.stdin.buffer, spooled)
        spooled.flush()
        yield Path(spooled.name)


def _told(imported: Imported) -> str:
    verb = "would be added" if imported.is_dry_run else "added"
    return f"{imported.added} memories {verb}, {imported.present} were here already."
