"""Where nodes are in the graph.

An edge between nodes whose numbers are known takes a third of the time of one whose ends are
looked up by key. A number is only good until somebody else writes, who may delete nodes.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping
from typing import LiteralString

from zapomni_db.code.bulk import BulkGraph
from zapomni_db.code.keys import node_key
from zapomni_db.connection import Command, Connection
from zapomni_db.replies import rows

__all__ = ["NodeKeys", "Nodes"]

_SYMBOLS: LiteralString = (
    "MATCH (s:Symbol) WHERE s.key IN $keys RETURN collect(s.key), collect(id(s))"
)
_EXTERNALS: LiteralString = (
    "UNWIND $rows AS r MERGE (x:External {key: r[0]}) ON CREATE SET x.id = r[1] "
    "RETURN collect(x.key), collect(id(x))"
)
# Some 40 MB of memory.
_MOST = 300_000


class NodeKeys(dict[str, str]):
    """Keys of nodes that are worked out once: most targets are called many times."""

    def __missing__(self, node_id: str) -> str:
        if len(self) > _MOST:
            self.clear()
        key = self[node_id] = node_key(node_id)
        return key


class Nodes:
    """The numbers of the nodes that were written or looked up."""

    def __init__(self, connection: Connection, graph: BulkGraph, writer_key: str) -> None:
        self._connection = connection
        self._graph = graph
        self._writer_key = writer_key
        self._token = uuid.uuid4().hex
        self.keys = NodeKeys()
        self._symbols: dict[str, int] = {}
        self._externals: dict[str, int] = {}

    @property
    def claim(self) -> Command:
        """Build what tells others that the numbers they know may be wrong now."""
        return ("SET", self._writer_key, self._token)

    async def check(self) -> bool:
        """Forget everything if somebody else has written; tell whether nobody has."""
        if await self._connection.execute("GET", self._writer_key) == self._token.encode():
            return True
        self._symbols.clear()
        self._externals.clear()
        return False

    def learn(self, replies: Iterable[list[object]]) -> None:
        """Take in the keys and numbers of symbols that were created."""
        if len(self._symbols) > _MOST:
            self._symbols.clear()
        for reply in replies:
            for keys, numbers in rows(reply):
                self._symbols.update(zip(keys, numbers, strict=True))

    def forget(self, keys: Iterable[str]) -> None:
        """Forget nodes that are deleted."""
        for key in keys:
            self._symbols.pop(key, None)
            self._externals.pop(key, None)

    async def symbols(self, keys: Collection[str]) -> Mapping[str, int]:
        """Give the numbers of symbols, without those that are not there."""
        missing = [key for key in keys if key not in self._symbols]
        if missing:
            self.learn([await self._connection.execute(*self._reading(missing))])
        return self._symbols

    async def externals(self, names: Mapping[str, str]) -> Mapping[str, int]:
        """Give the numbers of names outside, by key; those that are not there are made."""
        missing = [[key, name] for key, name in names.items() if key not in self._externals]
        if len(self._externals) > _MOST:
            self._externals.clear()
        if missing:
            reply = await self._connection.execute(*self._graph.bulk(_EXTERNALS, missing))
            for found, numbers in rows(reply):
                self._externals.update(zip(found, numbers, strict=True))
        return self._externals

    def _reading(self, keys: list[str]) -> Command:
        return self._graph.reading(_SYMBOLS, {"keys": keys})
