"""What became of each client, told to people or to programs."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from zapomni_cli.clients.changes import Change, Kind, apply
from zapomni_cli.clients.errors import ConfigProblem
from zapomni_cli.clients.known import Client
from zapomni_cli.clients.machine import Machine

__all__ = ["Outcome", "carry_out", "make", "tell"]

_DONE: dict[Kind, str] = {
    "add": "added to {path}",
    "update": "updated in {path}",
    "none": "nothing to do in {path}",
    "restore": "{path} is as it was before",
    "remove": "taken out of {path}; everything else there is kept",
    "delete": "{path} is gone again; there was nothing else in it",
}
_PLANNED: dict[Kind, str] = {
    "add": "would be added to {path}",
    "update": "would be updated in {path}",
    "none": _DONE["none"],
    "restore": "{path} would be made as it was before",
    "remove": "would be taken out of {path}; everything else there would be kept",
    "delete": "{path} would be deleted; there is nothing else in it",
}
_LONGEST_LINE = 160


@dataclass(frozen=True, slots=True)
class Outcome:
    """The change of a client's settings, or the reason why there is none."""

    client: Client
    path: str
    change: Change | None
    problem: str | None = None


def carry_out(
    clients: Sequence[Client],
    machine: Machine,
    plan: Callable[[Client], Change],
    *,
    is_dry_run: bool,
) -> list[Outcome]:
    """Plan and make the change of each client; a problem of one does not stop the others."""
    return [_one(client, machine, plan, is_dry_run=is_dry_run) for client in clients]


def tell(outcomes: Sequence[Outcome], *, is_dry_run: bool, as_json: bool) -> None:
    """Print what became of each client."""
    if as_json:
        click.echo(json.dumps([_as_data(outcome) for outcome in outcomes], indent=2))
        return
    for outcome in outcomes:
        title = click.style(outcome.client.title, bold=True)
        if outcome.change is None:
            click.echo(f"{title}: {outcome.problem}", err=True)
            continue
        told = (_PLANNED if is_dry_run else _DONE)[outcome.change.kind]
        click.echo(f"{title}: {told.format(path=outcome.path)}")
        if is_dry_run:
            for line in _difference(outcome.change):
                click.echo(f"  {line}")


def _one(
    client: Client, machine: Machine, plan: Callable[[Client], Change], *, is_dry_run: bool
) -> Outcome:
    path = client.config(machine)
    if not client.is_installed(machine):
        problem = f"not found on this machine (its settings would be in {path})"
        return Outcome(client, str(path), None, problem)
    return make(client, path, lambda: plan(client), is_dry_run=is_dry_run)


def make(client: Client, path: Path, plan: Callable[[], Change], *, is_dry_run: bool) -> Outcome:
    """Plan and make the change of one file."""
    try:
        change = plan()
        if not is_dry_run:
            apply(change)
    except ConfigProblem as exc:
        return Outcome(client, str(path), None, f"{path} was left alone: {exc}")
    return Outcome(client, str(path), change)


def _difference(change: Change) -> Iterator[str]:
    # Nothing of the surroundings: there may be keys of other servers in them.
    before, after = (
        (content or b"").decode(errors="replace").splitlines()
        for content in (change.before, change.after)
    )
    for line in difflib.unified_diff(before, after, n=0, lineterm=""):
        if not line.startswith(("---", "+++", "@@")):
            yield line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"


def _as_data(outcome: Outcome) -> dict[str, str | None]:
    return {
        "client": outcome.client.key,
        "path": outcome.path,
        "change": outcome.change.kind if outcome.change else None,
        "problem": outcome.problem,
    }
