"""Where nodes are in the graph.

An edge between nodes whose numbers are known takes a third of the time of one whose ends are
looked up by key. A number is only good until somebody else writes, who may delete nodes.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping
from typing import Literal, LiteralString

from zapomni_db.code.bulk import BulkGraph
from zapomni_db.code.keys import node_key
from zapomni_db.connection import Command, Connection
from zapomni_db.replies import rows

__all__ = ["Label", "NodeKeys", "Nodes"]

type Label = Literal["File", "Symbol", "External"]

_READ: Mapping[Label, LiteralString] = {
    "File": "MATCH (n:File) WHERE n.key IN $keys RETURN 'File', collect(n.key), collect(id(n))",
    "Symbol": (
        "MATCH (n:Symbol) WHERE n.key IN $keys RETURN 'Symbol', collect(n.key), collect(id(n))"
    ),
}
_EXTERNALS: LiteralString = (
    "UNWIND $rows AS r MERGE (x:External {key: r[0]}) ON CREATE SET x.id = r[1] "
    "RETURN 'External', collect(x.key), collect(id(x))"
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
        self._numbers: dict[Label, dict[str, int]] = {"File": {}, "Symbol": {}, "External": {}}

    @property
    def claim(self) -> Command:
        """Build what tells others that the numbers they know may be wrong now."""
        return ("SET", self._writer_key, self._token)

    async def check(self) -> bool:
        """Forget everything if somebody else has written; tell whether nobody has."""
        if await self._connection.execute("GET", self._writer_key) == self._token.encode():
            return True
        for known in self._numbers.values():
            known.clear()
        return False

    def learn(self, replies: Iterable[list[object]]) -> None:
        """Take in replies whose rows hold a label, keys and the numbers of their nodes."""
        for reply in replies:
            for label, keys, numbers in rows(reply):
                self._note(label, dict(zip(keys, numbers, strict=True)))

    def _learned(self, label: Label, reply: list[object]) -> dict[str, int]:
        found: dict[str, int] = {}
        for _, keys, numbers in rows(reply):
            found |= zip(keys, numbers, strict=True)
        self._note(label, found)
        return found

    def _note(self, label: Label, found: Mapping[str, int]) -> None:
        known = self._numbers[label]
        if len(known) > _MOST:
            known.clear()
        known.update(found)

    def forget(self, keys: Iterable[str]) -> None:
        """Forget nodes that are deleted."""
        for key in keys:
            for known in self._numbers.values():
                known.pop(key, None)

    async def numbers(
        self, label: Literal["File", "Symbol"], keys: Collection[str]
    ) -> Mapping[str, int]:
        """Give the numbers of nodes, without those that are not there."""
        known = self._numbers[label]
        # Others may make room for what they learn while this waits.
        found = {key: known[key] for key in keys if key in known}
        if missing := [key for key in keys if key not in found]:
            reading = self._graph.reading(_READ[label], {"keys": missing})
            found |= self._learned(label, await self._connection.execute(*reading))
        return found

    async def externals(self, names: Mapping[str, str]) -> Mapping[str, int]:
        """Give the numbers of names outside, by key; those that are not there are made."""
        known = self._numbers["External"]
        found = {key: known[key] for key in names if key in known}
        if missing := [[key, name] for key, name in names.items() if key not in found]:
            making = self._graph.bulk(_EXTERNALS, missing)
            found |= self._learned("External", await self._connection.execute(*making))
        return found
