"""Facts that somebody has said to hold on, whatever seems to replace them."""

from __future__ import annotations

from zapomni_db.connection import Connection

__all__ = ["KeptFacts"]


class KeptFacts:
    """A set of fact ids."""

    def __init__(self, connection: Connection, key: str) -> None:
        self._connection = connection
        self._key = key

    async def keep(self, fact_id: str) -> None:
        """Let nothing replace a fact."""
        await self._connection.execute("SADD", self._key, fact_id)

    async def release(self, fact_id: str) -> None:
        """Let a fact be replaced again."""
        await self._connection.execute("SREM", self._key, fact_id)

    async def all(self) -> frozenset[str]:
        """Return the ids of all kept facts."""
        found = await self._connection.execute("SMEMBERS", self._key)
        return frozenset(member.decode() for member in found)
