"""The database's protocol: commands as bytes, its refusals, and replies as objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import hiredis

__all__ = ["INCOMPLETE", "READERS", "Command", "ResponseError", "packed", "parser"]

type Command = tuple[str | bytes | int | float, ...]

INCOMPLETE: Final = object()


class ResponseError(Exception):
    """The database's own words for why it did not do what it was told."""


def packed(command: Command) -> bytes:
    """Write a command as it is sent."""
    name, *arguments = command
    assert isinstance(name, str)
    # The stub of hiredis 3.5 knows commands of one word only.
    return hiredis.pack_command((*name.split(), *arguments))  # type: ignore[arg-type, no-any-return]


def parser() -> hiredis.Reader:
    """Make a parser of replies; it gives `INCOMPLETE` for what has not come whole."""
    return hiredis.Reader(replyError=ResponseError, notEnoughData=INCOMPLETE)


def _fields(reply: Sequence[Any]) -> dict[Any, Any]:
    return dict(zip(reply[::2], reply[1::2], strict=True))


def _page_of_fields(reply: Sequence[Any]) -> tuple[int, dict[Any, Any]]:
    cursor, found = reply
    return int(cursor), _fields(found)


def _entries(reply: Sequence[Any]) -> list[tuple[bytes, dict[Any, Any]]]:
    return [(entry, _fields(fields)) for entry, fields in reply]


def _about(reply: bytes) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for line in reply.decode().splitlines():
        name, colon, value = line.partition(":")
        if name == "module":
            about = dict(pair.split("=", 1) for pair in value.split(","))
            told.setdefault("modules", []).append(about)
        elif colon:
            told[name] = int(value) if value.isdecimal() else value
    return told


# As the driver for servers reads them; every other reply is taken as it comes.
READERS: Final[Mapping[Any, Callable[[Any], Any]]] = {
    "HGETALL": _fields,
    "HSCAN": _page_of_fields,
    "INFO": _about,
    "SMEMBERS": set,
    "XRANGE": _entries,
    "XREVRANGE": _entries,
}
