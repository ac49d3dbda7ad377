"""`zapomni install` and `uninstall`: connect the clients on this machine to the memory."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlsplit

import click

from zapomni_cli.clients.changes import Change, plan_install, plan_uninstall
from zapomni_cli.clients.known import CLIENTS, Client
from zapomni_cli.clients.launch import (
    Address,
    Launch,
    left_out,
    server_address,
    server_command,
)
from zapomni_cli.clients.machine import Machine, this_machine
from zapomni_cli.clients.outcomes import Outcome, carry_out, make, tell
from zapomni_cli.clients.session_hooks import (
    hooks_file,
    plan_hooks,
    plan_without_hooks,
    session_hooks,
)
from zapomni_cli.options import json_option

__all__ = ["install", "uninstall"]

_KEYS = [client.key for client in CLIENTS]
_HOOKED = "claude-code"


def _named(_ctx: click.Context, _parameter: click.Parameter, value: Any) -> list[Client]:
    known = {client.key: client for client in CLIENTS}
    for key in value:
        if key not in known:
            close = get_close_matches(key, _KEYS, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else f" Choose of {', '.join(_KEYS)}."
            raise click.BadParameter(f"there is no client '{key}'.{hint}")
    return [known[key] for key in dict.fromkeys(value)]


def _address(_ctx: click.Context, _parameter: click.Parameter, value: Any) -> Address | None:
    if value is None:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise click.BadParameter("it has to begin with http:// or https:// and name a host")
    url = value if parts.path.strip("/") else parts._replace(path="/mcp").geturl()
    return server_address(url, this_machine().variables)


_WHICH = click.argument("clients", nargs=-1, metavar="[CLIENT]...", callback=_named)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
_EPILOG = f"Clients: {', '.join(_KEYS)}."


@click.command(epilog=_EPILOG)
@_WHICH
@click.option(
    "--http",
    "address",
    metavar="URL",
    callback=_address,
    help="Have clients connect to a running server, at http://127.0.0.1:8000/mcp for example, "
    "where they can; the others start one of their own.",
)
@click.option(
    "--hooks",
    is_flag=True,
    help="Have Claude Code begin each session with a briefing from the memory, and save a "
    "session before it is shortened.",
)
@_DRY_RUN
@json_option
def install(
    clients: Sequence[Client],
    address: Address | None,
    *,
    hooks: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Connect CLIENTs to the memory; without a name, all that are found here.

    The server is tried out first. Other servers, comments and layout in a client's settings stay
    as they are; a copy of the file is kept beside it, and `zapomni uninstall` goes back to it.
    """
    machine = this_machine()
    wanted = _wanted(clients, machine)
    hooked = [client for client in wanted if client.key == _HOOKED]
    if hooks and not hooked:
        raise click.UsageError(f"--hooks is for {_HOOKED}.")
    command = server_command(machine.variables)
    launches: dict[str, Launch] = {
        client.key: address if address and client.http else command
        for client in wanted
        if client.is_installed(machine)
    }

    def plan(client: Client) -> Change:
        entry = client.entry(launches[client.key])
        return plan_install(client, client.config(machine), entry)

    if not dry_run:
        for launch in (address, command):
            if launch is not None and launch in launches.values():
                _try_out(launch, is_silent=as_json)
    outcomes = carry_out(wanted, machine, plan, is_dry_run=dry_run)
    if hooks and hooked[0].is_installed(machine):
        path = hooks_file(machine)

        def plan_for_hooks() -> Change:
            return plan_hooks(path, session_hooks(command))

        outcomes.append(make(hooked[0], path, plan_for_hooks, is_dry_run=dry_run))
    tell(outcomes, is_dry_run=dry_run, as_json=as_json)
    _remark(outcomes, launches, machine, is_silent=as_json or dry_run)
    _end(outcomes)


@click.command(epilog=_EPILOG)
@_WHICH
@_DRY_RUN
@json_option
def uninstall(clients: Sequence[Client], *, dry_run: bool, as_json: bool) -> None:
    """Disconnect CLIENTs from the memory; without a name, all that are found here.

    A file that nobody has changed since becomes what it was, byte for byte; of another one only
    our entry is taken out. The memory itself stays.
    """
    machine = this_machine()

    def plan(client: Client) -> Change:
        return plan_uninstall(client, client.config(machine))

    wanted = _wanted(clients, machine)
    outcomes = carry_out(wanted, machine, plan, is_dry_run=dry_run)
    outcomes += _without_hooks(wanted, machine, is_dry_run=dry_run)
    tell(outcomes, is_dry_run=dry_run, as_json=as_json)
    _end(outcomes)


def _wanted(named: Sequence[Client], machine: Machine) -> Sequence[Client]:
    found = named or [client for client in CLIENTS if client.is_installed(machine)]
    if not found:
        raise click.ClickException(f"No client was found on this machine. {_EPILOG}")
    return found


def _without_hooks(
    wanted: Sequence[Client], machine: Machine, *, is_dry_run: bool
) -> list[Outcome]:
    """Take the hooks out if there are any; of none nothing is said."""
    path = hooks_file(machine)
    hooked = [client for client in wanted if client.key == _HOOKED and path.exists()]
    outcomes = [
        make(client, path, lambda: plan_without_hooks(path), is_dry_run=is_dry_run)
        for client in hooked
    ]
    return [each for each in outcomes if each.change is None or each.change.kind != "none"]


def _try_out(launch: Launch, *, is_silent: bool) -> None:
    # Half a second of imports that a dry run, or help, does not need.
    from zapomni_cli.clients.checking import NoAnswer, check  # noqa: PLC0415

    try:
        answer = check(launch)
    except NoAnswer as exc:
        why = f"{launch} does not work, so nothing was changed: {exc}"
        if isinstance(launch, Address):
            why += "\nIs it running, and is its token here in ZAPOMNI_AUTH_TOKEN?"
        raise click.ClickException(why) from exc
    if not is_silent:
        click.echo(f"{launch} works: {answer.tools} tools after {answer.seconds:.1f} s.")


def _remark(
    outcomes: Sequence[Outcome],
    launches: dict[str, Launch],
    machine: Machine,
    *,
    is_silent: bool,
) -> None:
    changed = [outcome for outcome in outcomes if outcome.change and outcome.change.kind != "none"]
    if is_silent or not changed:
        return
    forgotten = left_out(machine.variables)
    if forgotten and any(not isinstance(launch, Address) for launch in launches.values()):
        names = ", ".join(forgotten)
        click.echo(f"Set here, but not written to any client: {names}.", err=True)
    click.echo("Restart the clients that are open.")


def _end(outcomes: Sequence[Outcome]) -> None:
    if any(outcome.change is None for outcome in outcomes):
        raise click.exceptions.Exit(1)
