"""What every part of a code index works on."""

from __future__ import annotations

from collections.abc import Collection

from zapomni_db.code.bulk import BulkGraph
from zapomni_db.code.nodes import Nodes
from zapomni_db.code.records import FileStamp
from zapomni_db.code.rows import SymbolRow
from zapomni_db.connection import Connection
from zapomni_db.keyspace import CodeKeys

__all__ = ["StoredIndex"]


class StoredIndex:
    """The keys of one repository, and the way to them."""

    def __init__(self, connection: Connection, keys: CodeKeys) -> None:
        self._connection = connection
        self._keys = keys
        self._graph = BulkGraph(connection, keys.graph)
        self._nodes = Nodes(connection, self._graph, keys.writer)
        # Every file, as long as nobody else writes.
        self._stamps: dict[str, FileStamp] | None = None

    async def _catch_up(self) -> None:
        """Forget what may be wrong since somebody else has written."""
        if not await self._nodes.check():
            self._stamps = None

    async def _rows(self, keys: Collection[str]) -> dict[str, SymbolRow]:
        """Fetch what is known of symbols, without those that are gone."""
        if not keys:
            return {}
        found = await self._connection.execute("HMGET", self._keys.symbols, *keys)
        return {
            key: SymbolRow.unpacked(packed)
            for key, packed in zip(keys, found, strict=True)
            if packed is not None
        }
