"""What the entry of a server looks like in the settings of each client."""

from __future__ import annotations

from typing import Any

from zapomni_cli.clients.documents import NAME, Entry
from zapomni_cli.clients.launch import Address, Command

__all__ = [
    "codex_address",
    "command",
    "goose_address",
    "goose_command",
    "merged",
    "opencode_address",
    "opencode_command",
    "typed_command",
    "url_as",
    "zed_command",
]

_VARIABLES = {"env", "environment", "envs"}
_HEADERS = {"headers", "http_headers"}
_STARTING = {"cmd", "command"}
_REACHING = {"httpUrl", "serverUrl", "uri", "url"}
# What says how the server is reached; anything else in an entry is the user's.
_OURS = _VARIABLES | _HEADERS | _STARTING | _REACHING | {"args", "type", "source"}
_GOOSE = {"enabled": True, "name": NAME, "description": "Long-term memory"}
_GOOSE_TIMEOUT_S = 300


def command(launch: Command) -> Entry:
    """Return what most clients understand."""
    entry: Entry = {"command": launch.program, "args": list(launch.arguments)}
    return entry | _present("env", launch.variables)


def typed_command(launch: Command) -> Entry:
    """Return the same for clients that want to be told the type."""
    return {"type": "stdio"} | command(launch)


def zed_command(launch: Command) -> Entry:
    """Return the entry of Zed, whose older versions want to know that no extension made it."""
    return {"source": "custom"} | command(launch)


def opencode_command(launch: Command) -> Entry:
    """Return the entry of opencode."""
    entry: Entry = {"type": "local", "command": [launch.program, *launch.arguments]}
    return entry | {"enabled": True} | _present("environment", launch.variables)


def goose_command(launch: Command) -> Entry:
    """Return the entry of Goose."""
    entry: Entry = {"type": "stdio", "cmd": launch.program, "args": list(launch.arguments)}
    return _GOOSE | entry | {"envs": dict(launch.variables), "timeout": _GOOSE_TIMEOUT_S}


def url_as(key: str, launch: Address, kind: str | None = None) -> Entry:
    """Return an address under the name that a client has for it."""
    entry: Entry = {"type": kind} if kind else {}
    return entry | {key: launch.url} | _present("headers", launch.headers)


def codex_address(launch: Address) -> Entry:
    """Return the entry of Codex."""
    return {"url": launch.url} | _present("http_headers", launch.headers)


def opencode_address(launch: Address) -> Entry:
    """Return the entry of opencode."""
    return url_as("url", launch, "remote") | {"enabled": True}


def goose_address(launch: Address) -> Entry:
    """Return the entry of Goose."""
    entry = {"type": "streamable_http", "uri": launch.url}
    return _GOOSE | entry | {"headers": launch.headers, "timeout": _GOOSE_TIMEOUT_S}


def merged(present: Entry, entry: Entry) -> Entry:
    """Return the new entry with what the user has added to the present one."""
    result = dict(entry)
    is_same_kind = any(present.keys() & entry.keys() & kind for kind in (_STARTING, _REACHING))
    for key, value in present.items():
        if key not in _OURS:
            result.setdefault(key, value)
        elif is_same_kind and key in _VARIABLES | _HEADERS and isinstance(value, dict):
            result[key] = value | result.get(key, {})
    return result


def _present(key: str, values: Any) -> Entry:
    return {key: dict(values)} if values else {}
