"""Memories that were deleted on purpose, though what they were read out of is still there."""

from __future__ import annotations

from collections.abc import Sequence

from zapomni_db.connection import Connection

__all__ = ["Forgotten"]


class Forgotten:
    """A set of memory ids."""

    def __init__(self, connection: Connection, key: str) -> None:
        self._connection = connection
        self._key = key

    async def note(self, memory_id: str) -> None:
        """Remember that somebody does not want a memory."""
        await self._connection.execute("SADD", self._key, memory_id)

    async def among(self, memory_ids: Sequence[str]) -> set[str]:
        """Tell which of these memories somebody does not want."""
        if not memory_ids:
            return set()
        found = await self._connection.execute("SMISMEMBER", self._key, *memory_ids)
        return {each for each, is_there in zip(memory_ids, found, strict=True) if is_there}
