"""`zapomni import`: bring an export back, or take over what another program has."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zapomni_cli.keeping import work_on
from zapomni_cli.options import common
from zapomni_cli.output import plain, show, show_json
from zapomni_cli.progress import progress_bar
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.importing import Found
    from zapomni_core.intake import ImportReport
    from zapomni_core.keeping.importing import Imported
    from zapomni_core.keeping_engine import KeepingEngine

__all__ = ["EXTRAS", "PROGRAMS", "import_"]

# Written out, so that help and completion need not load the engine.
PROGRAMS = ("basic-memory", "chatgpt", "claude", "claude-code", "codex", "mcp-memory", "mem0")
EXTRAS = ("branches", "reasoning", "subagents", "system", "tools")
_PATH = click.Path(path_type=Path, exists=True, allow_dash=True)
_HEADER = b'"zapomni-export"'
_HEADER_BYTES = 200
_FAILURES_SHOWN = 20


@click.command("import")
@click.argument("path", type=_PATH, required=False)
@click.option("--from", "program", type=click.Choice(PROGRAMS), help="Whose data it is.")
@click.option(
    "--include",
    "extras",
    type=click.Choice(EXTRAS),
    multiple=True,
    help="Import this part of conversations as well; repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Read everything and count, but add nothing.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something fails.")
@common
def import_(
    path: Path | None,
    program: str | None,
    extras: Sequence[str],
    workspace: str | None,
    *,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Add what an export holds and the memory does not.

    PATH is an export of Zapomni, or of another program (a file, a folder or a zip archive), which
    is recognized by what is in it. Without PATH, --from takes over what the program keeps on this
    machine; without both, an export of Zapomni is read from standard input. If the command is cut
    off, run it again: it goes on where it was.
    """
    is_silent = quiet or as_json
    if path is None and program is None and sys.stdin.isatty():
        raise click.UsageError(_what_there_is())
    if program is None and (path is None or str(path) == "-" or _is_ours(path)):
        imported = _import_ours(path or Path("-"), workspace, dry_run=dry_run, is_silent=is_silent)
        if not quiet:
            show(imported, _told_of_ours(imported), as_json=as_json)
        return
    sources = [(path, program)] if path else [(f.path, str(f.kind)) for f in _found(program)]
    reports = [
        _import_others(place, kind, extras, workspace, dry_run=dry_run, is_silent=is_silent)
        for place, kind in sources
    ]
    if as_json:
        show_json(reports[0] if path else reports)
    elif not quiet:
        click.echo("\n".join(map(_told, reports)))
    for report in reports:
        _complain(report)


def _import_ours(path: Path, workspace: str | None, *, dry_run: bool, is_silent: bool) -> Imported:
    async def work(engine: KeepingEngine) -> Imported:
        with progress_bar("Importing", is_silent=is_silent) as report:
            return await engine.import_memories(source, is_dry_run=dry_run, progress=report)

    with _on_disk(path) as source:
        return work_on(work, workspace)


def _import_others(
    path: Path,
    program: str | None,
    extras: Sequence[str],
    workspace: str | None,
    *,
    dry_run: bool,
    is_silent: bool,
) -> ImportReport:
    from zapomni_core.importing import Extra, ImportKind  # noqa: PLC0415  (see `running`)

    async def work(engine: MemoryEngine) -> ImportReport:
        with progress_bar(f"Importing {path.name}", is_silent=is_silent) as report:
            return await engine.import_export(
                path,
                None if program is None else ImportKind(program),
                include=[Extra(each) for each in extras],
                is_dry_run=dry_run,
                progress=report,
            )

    return run(work, workspace)


def _is_ours(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return _HEADER in file.readline(_HEADER_BYTES)


def _found(program: str | None) -> list[Found]:
    from zapomni_core.importing import found_on_this_machine  # noqa: PLC0415  (see `running`)

    found = [each for each in found_on_this_machine() if program in (None, str(each.kind))]
    if program is not None and not found:
        raise click.ClickException(
            f"Nothing of {program} was found on this machine; name the file or folder."
        )
    return found


def _what_there_is() -> str:
    found = [f"{each.kind} ({each.files} files, {each.path})" for each in _found(None)]
    hint = f" Found on this machine: {', '.join(found)}; --from imports it." if found else ""
    return f"Name an export to import, or a program with --from.{hint}"


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


def _told_of_ours(imported: Imported) -> str:
    verb = "would be added" if imported.is_dry_run else "added"
    return f"{imported.added} memories {verb}, {imported.present} were here already."


def _told(report: ImportReport) -> str:
    verb = "would be added" if report.is_dry_run else "added"
    lines = [f"{report.kind}: {report.added} memories {verb}, {report.present} were here already."]
    if report.left_out:
        reasons = ", ".join(f"{reason}: {n}" for reason, n in sorted(report.left_out.items()))
        lines.append(f"Left out: {reasons}")
    if hidden := sum(report.secrets_hidden.values()):
        lines.append(f"Secrets hidden: {hidden}")
    return "\n".join(lines)


def _complain(report: ImportReport) -> None:
    for each in report.failures[:_FAILURES_SHOWN]:
        click.echo(plain(f"Not imported: {each.where}: {each.reason}"), err=True)
    if report.job.state != "done":
        raise click.ClickException(report.job.error or f"The work was {report.job.state}.")
    if report.failed:
        raise click.ClickException(f"{report.failed} items could not be imported.")
