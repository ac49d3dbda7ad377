"""`zapomni index` and `zapomni watch`: read source code, and keep up with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zapomni_cli.options import common, workspace_option
from zapomni_cli.output import show_json
from zapomni_cli.progress import progress_bar
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.code.results import CodeIndexed

__all__ = ["index", "watch"]

_DEBOUNCE_MS = 300
_LEARNING = "Learning meanings (Ctrl+C leaves the rest for later)"
_FOLDER = click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path)


@click.command()
@click.argument("folder", type=_FOLDER, default=".")
@click.option("--language", "languages", multiple=True, help="Only this language; repeatable.")
@click.option("--exclude", multiple=True, help="Leave out what matches, as in a .gitignore.")
@click.option(
    "--everything",
    is_flag=True,
    help="All languages and nothing left out, whatever was asked for before.",
)
@click.option("--full", is_flag=True, help="Read every file again, not only changed ones.")
@click.option("--forget", is_flag=True, help="Drop the index; agents may read FOLDER no more.")
@click.option("--quick", is_flag=True, help="Leave the search by meaning to a running server.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something fails.")
@common
def index(
    folder: Path,
    languages: Sequence[str],
    exclude: Sequence[str],
    workspace: str | None,
    *,
    everything: bool,
    full: bool,
    forget: bool,
    quick: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Read the source code of FOLDER, or what has changed in it since.

    Agents may index it as well from now on. --language and --exclude are remembered.
    """
    if forget:
        _forget(folder, workspace, is_silent=quiet, as_json=as_json)
        return
    as_before = () if everything else None
    is_silent = quiet or as_json

    async def work(engine: MemoryEngine) -> CodeIndexed:
        await engine.allow_code([folder])
        with progress_bar("Reading", is_silent=is_silent) as report:
            indexed = await engine.index_codebase(
                str(folder),
                languages=languages or as_before,
                exclude=exclude or as_before,
                is_full=full,
                progress=report,
                patience_s=None,
            )
        # Code is found by its words from here on; meanings take minutes where there is much.
        if not is_silent:
            click.echo(_told(indexed))
        if not quick:
            with progress_bar(_LEARNING, is_silent=is_silent) as report:
                await engine.embed_code(report)
        return indexed

    indexed = run(work, workspace)
    if as_json:
        show_json(indexed)
    if indexed.job.state != "done":
        raise click.ClickException(indexed.job.error or indexed.job.state)


def _forget(folder: Path, workspace: str | None, *, is_silent: bool, as_json: bool) -> None:
    is_gone = run(lambda engine: engine.forget_code(folder), workspace)
    if as_json:
        show_json({"folder": str(folder), "forgotten": is_gone})
    elif not is_gone:
        raise click.ClickException(f"{folder} is not indexed; `zapomni index --help` has more.")
    elif not is_silent:
        click.echo(f"The index of {folder} is gone. Memories that mention it stay.")


@click.command()
@click.argument("folders", type=_FOLDER, nargs=-1)
@workspace_option
def watch(folders: Sequence[Path], workspace: str | None) -> None:
    """Keep the index of FOLDERS up to date until you press Ctrl+C."""
    # No other command needs them.
    import asyncio  # noqa: PLC0415

    from watchfiles import awatch  # noqa: PLC0415

    wanted = folders or (Path.cwd(),)

    async def work(engine: MemoryEngine) -> None:
        watching = awatch(*wanted, debounce=_DEBOUNCE_MS)
        # Begun before the folders are read: what changes meanwhile is noticed as well.
        upcoming = asyncio.ensure_future(anext(watching))
        for folder in wanted:
            await engine.allow_code([folder])
            click.echo(_told(await engine.index_codebase(str(folder), patience_s=None)))
        click.echo("Watching. Press Ctrl+C to stop.")
        while True:
            await _take_in(engine, wanted, {Path(path) for _, path in await upcoming})
            upcoming = asyncio.ensure_future(anext(watching))

    # Ctrl+C is how it is meant to end.
    with suppress(click.Abort):
        run(work, workspace)


async def _take_in(engine: MemoryEngine, folders: Sequence[Path], changed: set[Path]) -> None:
    for folder in folders:
        inside = [path for path in sorted(changed) if path.is_relative_to(folder)]
        if inside:
            indexed = await engine.reindex_files(folder, inside)
            if indexed.indexed or indexed.removed:
                click.echo(_told(indexed))


def _told(indexed: CodeIndexed) -> str:
    job, left_out = indexed.job, sum(indexed.skipped.values())
    files = f"{indexed.indexed} files read, {indexed.unchanged} unchanged, {indexed.removed} gone"
    found = f"{indexed.symbols} symbols, {indexed.calls} calls"
    lines = [f"{indexed.repository}: {files} in {job.seconds:.1f} s; {found}"]
    if left_out:
        reasons = ", ".join(f"{reason} {n}" for reason, n in indexed.skipped.items())
        lines.append(f"Left out: {left_out} ({reasons})")
    if indexed.secrets_hidden:
        lines.append(f"Secrets blacked out: {indexed.secrets_hidden}")
    return "\n".join(lines)
