"""Look at the clients on this machine: is the memory in their settings, and does it start."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from zapomni_cli.clients import files
from zapomni_cli.clients.documents import Entry, entry_of
from zapomni_cli.clients.errors import ConfigProblem
from zapomni_cli.clients.known import CLIENTS, Client
from zapomni_cli.clients.launch import Address, Command, Launch
from zapomni_cli.clients.machine import Machine
from zapomni_cli.doctor.findings import Finding, ok, problem, warning

__all__ = ["check_clients", "launch_of"]

_FOLDER = "ZAPOMNI_DATA_DIR"


def check_clients(machine: Machine) -> Iterator[Finding]:
    """Try out what stands in the settings of each client that is found."""
    found = [client for client in CLIENTS if client.is_installed(machine)]
    if not found:
        yield ok("clients", "No client was found on this machine.")
    failures = _Failures()
    for client in found:
        yield _check_client(client, machine, failures)


def launch_of(entry: Entry) -> Launch | None:
    """Read how a client reaches the server; None if the entry does not say."""
    if url := _first(entry, "url", "httpUrl", "serverUrl", "uri"):
        headers = _first(entry, "headers", "http_headers") or {}
        token = str(headers.get("Authorization", "")).removeprefix("Bearer ")
        return Address(str(url), token or None)
    program = _first(entry, "command", "cmd")
    if not program:
        return None
    parts = list(program) if isinstance(program, list) else [program, *entry.get("args", ())]
    variables = _first(entry, "env", "environment", "envs") or {}
    return Command(str(parts[0]), tuple(map(str, parts[1:])), dict(variables))


def _check_client(client: Client, machine: Machine, failures: _Failures) -> Finding:
    name = f"client {client.key}"
    path = client.config(machine)
    try:
        content = files.read(path)
        entry = None if content is None else entry_of(client.format, content, client.section)
    except ConfigProblem as exc:
        return problem(name, f"{path}: {exc}.", f"correct {path}")
    again = f"zapomni install {client.key}"
    if entry is None:
        return warning(name, f"{client.title} is here, but not connected.", again)
    launch = launch_of(entry)
    if launch is None:
        return problem(name, f"{path} does not say how to reach the memory.", again)
    if failure := failures.of(launch):
        return problem(name, f"What {path} starts does not work: {failure}", again)
    ours = machine.variables.get(_FOLDER)
    theirs = launch.variables.get(_FOLDER) if isinstance(launch, Command) else ours
    if theirs != ours:
        message = f"{client.title} uses another data folder: {theirs or 'the default one'}."
        return warning(name, message, again)
    return ok(name, f"{client.title} reaches the memory by {launch}.")


class _Failures:
    """Starts each command once, however many clients have it."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    def of(self, launch: Launch) -> str | None:
        """Say why a server cannot be reached; None if it can."""
        if isinstance(launch, Command):
            # A folder of its own: looking must neither make nor open the memory.
            launch = replace(launch, variables={**launch.variables, _FOLDER: ""})
        key = repr(launch)
        if key not in self._known:
            self._known[key] = _failure(launch)
        return self._known[key]


def _failure(launch: Launch) -> str | None:
    # Seven tenths of a second of imports that a machine without clients does not need.
    from zapomni_cli.clients.checking import NoAnswer, check  # noqa: PLC0415

    with tempfile.TemporaryDirectory(
        prefix="zapomni-doctor-", ignore_cleanup_errors=True
    ) as folder:
        if isinstance(launch, Command):
            launch = replace(launch, variables={**launch.variables, _FOLDER: folder})
        try:
            check(launch)
        except NoAnswer as exc:
            return str(exc)
    return None


def _first(entry: Entry, *names: str) -> Any:
    return next((entry[name] for name in names if entry.get(name)), None)
