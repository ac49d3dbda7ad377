"""`zapomni workspaces`: separate memories that never meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from zapomni_cli.options import json_option
from zapomni_cli.output import dim, moment, plain, show, strong
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core.models import WorkspaceInfo

__all__ = ["workspaces"]


@click.group()
def workspaces() -> None:
    """List, make and delete workspaces; each is a memory of its own."""


@workspaces.command("list")
@json_option
def list_workspaces(*, as_json: bool) -> None:
    """List the workspaces and say how much each holds."""
    found = run(lambda engine: engine.list_workspaces())
    show(found, "\n".join(_told(found)), as_json=as_json)


@workspaces.command()
@click.argument("name")
@click.option("--description", default="", help="What it is for.")
@json_option
def create(name: str, description: str, *, as_json: bool) -> None:
    """Make a new, empty workspace; `--workspace NAME` works in it then."""
    made = run(lambda engine: engine.create_workspace(name, description))
    told = f"The workspace {made.name} is there. `--workspace {made.name}` works in it."
    show(made, told, as_json=as_json)


@workspaces.command()
@click.argument("name")
@click.option("--confirm", metavar="NAME", help="The name once more, to say it beforehand.")
@json_option
def delete(name: str, confirm: str | None, *, as_json: bool) -> None:
    """Delete a workspace with every memory in it, after its name was repeated."""
    found = run(lambda engine: engine.find_workspace(name))
    said = confirm
    if said is None:
        held = f"{found.memories} memories" if found.memories != 1 else "1 memory"
        click.echo(f"This deletes {found.name} with {held} for good.", err=True)
        said = click.prompt("Its name once more", err=True, default="", show_default=False)
    if said != found.name:
        raise click.ClickException("That is not its name; nothing was deleted.")
    gone = run(lambda engine: engine.delete_workspace(found.name, found.name))
    show(gone, f"The workspace {gone.name} is gone.", as_json=as_json)


def _told(found: Sequence[WorkspaceInfo]) -> Iterator[str]:
    for each in found:
        marks = ["in use" if each.is_current else "", moment(each.created)]
        about = "  ".join(filter(None, [f"{each.memories:,} memories", *marks]))
        yield f"{strong(each.name)}  {dim(about)}"
        if each.description:
            yield f"  {plain(each.description)}"
