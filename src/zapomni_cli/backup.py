"""`zapomni backup`, `restore` and `move`: keep the whole memory safe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from zapomni_cli.keeping import show, work_on
from zapomni_cli.options import common, yes_option
from zapomni_cli.progress import progress_bar

if TYPE_CHECKING:
    from zapomni_core.keeping.moving import Moved
    from zapomni_core.keeping_engine import KeepingEngine
    from zapomni_core.settings import Settings

__all__ = ["backup", "move", "restore"]

_PATH = click.Path(path_type=Path)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False, resolve_path=True)
# What a folder holds that has been moved to before: a command that was cut off goes on there.
_DATABASE = "appendonlydir"
_SCHEMES = ("falkor://", "falkors://", "redis://", "rediss://")


@click.command()
@click.argument("path", type=_PATH, required=False)
@common
def backup(path: Path | None, workspace: str | None, *, as_json: bool) -> None:
    """Copy the whole memory into one file while it is in use.

    PATH is a new file or a folder; without it, the file goes into the data folder's `backups`.
    """
    done = work_on(lambda engine: engine.back_up(path), workspace)
    size = done.size_bytes / 1e6
    told = f"{done.memories} memories, {size:.1f} MB in {done.seconds:.1f} s: {done.path}"
    show(done, told, as_json=as_json)


@click.command()
@click.argument("path", type=_FILE)
@yes_option
@common
def restore(path: Path, workspace: str | None, *, yes: bool, as_json: bool) -> None:
    """Put a backup in the place of the memory; what is there now is kept aside.

    The backup is verified completely before anything changes. Stop every server first.
    """
    if not yes:
        click.confirm("Replace the memory by this backup? It is kept aside.", abort=True, err=True)
    done = work_on(lambda engine: engine.restore(path), workspace)
    told = (
        f"{done.memories} memories of {done.created} are in place after {done.seconds:.1f} s. "
        f"What was there before is in {done.aside}; delete it when you no longer need it."
    )
    show(done, told, as_json=as_json)


@click.command()
@click.option("--to", "target", required=True, help="falkor:// address of a server, or a folder.")
@common
def move(target: str, workspace: str | None, *, as_json: bool) -> None:
    """Copy the memory to another database, and prove that it has arrived as it was.

    Nothing is removed here; point FALKORDB_URL or ZAPOMNI_DATA_DIR to the new place afterwards.
    """

    async def work(engine: KeepingEngine) -> Moved:
        with progress_bar("Copying", is_silent=as_json) as report:
            return await engine.move_to(_settings_of(engine.settings, target), report)

    done = work_on(work, workspace)
    variable = "FALKORDB_URL" if target.startswith(_SCHEMES) else "ZAPOMNI_DATA_DIR"
    told = f"{done.memories} memories are there as they are here. Set {variable} to use them."
    show(done, told, as_json=as_json)


def _settings_of(settings: Settings, target: str) -> Settings:
    if not target:
        raise click.UsageError("--to is empty; name a folder or the address of a server.")
    if target.startswith(_SCHEMES):
        from pydantic import SecretStr  # noqa: PLC0415  (see `keeping`)

        return settings.model_copy(update={"falkordb_url": SecretStr(target)})
    if "://" in target:
        raise click.UsageError(f"--to takes a folder or an address with {', '.join(_SCHEMES)}.")
    folder = Path(target).expanduser().absolute()
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _DATABASE).is_dir():
        raise click.UsageError(f"{folder} holds other things; name an empty or a new folder.")
    here = {"falkordb_url": None, "falkordb_host": None, "data_dir": folder}
    return settings.model_copy(update=here)
