"""`zapomni hooks`: have git bring the index up to date."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import click

from zapomni_cli.githooks import HOOKS, Indexed, NotAShellScript, install_hook, uninstall_hook
from zapomni_cli.options import json_option
from zapomni_cli.output import show

__all__ = ["hooks"]

_FOLDER = click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path)


@click.group()
def hooks() -> None:
    """Have git bring the index up to date after commits, merges and checkouts."""


@hooks.command()
@click.argument("folder", type=_FOLDER, default=".")
@json_option
def install(folder: Path, *, as_json: bool) -> None:
    """Have git index FOLDER; hooks that are there already go on working.

    ZAPOMNI_DATA_DIR is written into the hooks if it is set.
    """
    indexed, where = _repository(folder)
    where.mkdir(parents=True, exist_ok=True)
    added = [name for name in HOOKS if _install(where / name, indexed)]
    told = f"Added to {', '.join(added)} in {where}. `zapomni hooks uninstall` takes it back."
    show({"folder": str(where), "hooks": added}, told, as_json=as_json)


@hooks.command()
@click.argument("folder", type=_FOLDER, default=".")
@json_option
def uninstall(folder: Path, *, as_json: bool) -> None:
    """Take out of the git hooks of FOLDER what `install` has added, and nothing else."""
    _, where = _repository(folder)
    changed = [name for name in HOOKS if uninstall_hook(where / name)]
    told = f"Taken out of {', '.join(changed)}." if changed else "Nothing was installed."
    show({"folder": str(where), "hooks": changed}, told, as_json=as_json)


def _install(hook: Path, indexed: Indexed) -> bool:
    try:
        install_hook(hook, indexed)
    except NotAShellScript:
        click.echo(f"{hook.name} is not a shell script and was left alone.", err=True)
        return False
    return True


def _repository(folder: Path) -> tuple[Indexed, Path]:
    """Find out what hooks have to index, and the folder of the hooks."""
    inside = ["rev-parse", "--show-toplevel", "--git-common-dir", "--git-path", "hooks"]
    asked = ["git", "-C", str(folder), *inside]
    try:
        answer = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=20)
    except FileNotFoundError:
        raise click.ClickException("git was not found; install it first") from None
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        raise click.ClickException(f"{folder} is not inside a git work tree") from None
    top, common, where = answer.stdout.rstrip("\n").split("\n")
    below = folder.relative_to(Path(top).resolve())
    return Indexed((folder / common).resolve(), below, _data_dir()), folder / where


def _data_dir() -> Path | None:
    """Name the folder of the memory, if it is not the usual one, from wherever git is called."""
    named = os.environ.get("ZAPOMNI_DATA_DIR")
    return Path(named).expanduser().absolute() if named else None
