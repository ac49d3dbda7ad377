"""Delete the memories of documents whose files are gone, after they were shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from zapomni_cli.output import plain, show
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.life.results import PruneReport

__all__ = ["forget_gone"]


def forget_gone(folder: str, workspace: str | None, *, yes: bool, as_json: bool) -> None:
    """Show what would go, ask, and delete it."""
    path = os.path.realpath(folder)
    meant = run(lambda engine: _prune(engine, path, is_dry_run=True), workspace)
    (found,) = meant.kinds
    if not found.count:
        told = plain(f"Nothing is stored of files that are gone from {path}.")
        show(meant, told, as_json=as_json)
        return
    if not yes:
        for example in found.examples:
            click.echo(plain(f"Gone: {example}"), err=True)
        click.confirm(f"Delete {found.count} memories of such files?", abort=True, err=True)
    done = run(lambda engine: _prune(engine, path, is_dry_run=False), workspace)
    show(done, f"{done.kinds[0].count} memories deleted.", as_json=as_json)


async def _prune(engine: MemoryEngine, path: str, *, is_dry_run: bool) -> PruneReport:
    return await engine.prune_memory(["gone_files"], dry_run=is_dry_run, path=path)
