"""The change log: how processes that share a store learn what the others wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zapomni_db.connection import Command, Connection
from zapomni_db.records import Change

__all__ = ["START", "Changes"]

START = "0-0"
_KEPT = 10_000


class Changes:
    """A bounded stream with one entry per memory that appeared, changed or disappeared."""

    def __init__(self, connection: Connection, key: str) -> None:
        self._connection = connection
        self._key = key

    def added(self, memory_id: str) -> Command:
        """Build the entry that makes a memory visible."""
        return ("XADD", self._key, "MAXLEN", "~", _KEPT, "*", "added", memory_id)

    def removed(self, memory_id: str) -> Command:
        """Build the entry that takes a memory out of sight."""
        return ("XADD", self._key, "MAXLEN", "~", _KEPT, "*", "removed", memory_id)

    def changed(self, memory_id: str) -> Command:
        """Build the entry that puts another version of a memory in the place of the old one."""
        return ("XADD", self._key, "MAXLEN", "~", _KEPT, "*", "changed", memory_id)

    def cleared(self) -> Command:
        """Build the entry that takes everything out of sight."""
        return ("XADD", self._key, "MAXLEN", "~", _KEPT, "*", "removed", "")

    def since(self, position: str) -> Command:
        """Build the read of what came after a position."""
        return ("XRANGE", self._key, f"({position}", "+")

    @staticmethod
    def parse(reply: Sequence[Any]) -> list[Change]:
        """Read the reply to `since`."""
        return [_change(entry, fields) for entry, fields in reply]

    async def end(self) -> str:
        """Return the position of the newest entry."""
        newest = await self._connection.execute("XREVRANGE", self._key, "+", "-", "COUNT", 1)
        return newest[0][0].decode() if newest else START

    async def reaches(self, position: str) -> bool:
        """Tell whether the log still holds everything that came after a position."""
        if not await self._connection.execute("EXISTS", self._key):
            return position == START
        about = await self._connection.execute("XINFO", "STREAM", self._key)
        fields = dict(zip(about[::2], about[1::2], strict=True))
        # Trimming does not move max-deleted-entry-id (Redis 8.10.2): only the first entry tells.
        is_whole = fields[b"entries-added"] == fields[b"length"]
        oldest = START if is_whole else fields[b"recorded-first-entry-id"].decode()
        newest = fields[b"last-generated-id"].decode()
        return _order(oldest) <= _order(position) <= _order(newest)


def _change(entry: bytes, fields: dict[bytes, bytes]) -> Change:
    ((kind, memory_id),) = fields.items()
    return Change(
        entry.decode(),
        memory_id.decode(),
        is_removal=kind == b"removed",
        is_update=kind == b"changed",
    )


def _order(position: str) -> tuple[int, int]:
    milliseconds, _, sequence = position.partition("-")
    return int(milliseconds), int(sequence)
