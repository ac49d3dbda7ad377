"""Change what is known about memories whose texts stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString

from zapomni_db.changes import Changes
from zapomni_db.connection import Command, Connection
from zapomni_db.cypher import Value
from zapomni_db.graph import Graph
from zapomni_db.memories import Memories, label_parameters
from zapomni_db.records import MemoryRecord

__all__ = ["Labels"]

# Sent twice, it finds nothing left to do.
_RELABEL: LiteralString = """
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.ready AND m.meta <> row.meta
MATCH (m)-[:HAS]->(c:Chunk)
WITH m, row, collect(CASE WHEN m.text IS NULL THEN c.text END) AS texts
CREATE (:Version {
    memory: m.id, text: coalesce(m.text, texts[0]), meta: m.meta, ts: m.ts,
    since: coalesce(m.changed, m.created), until: $now
})
SET m.ts = row.ts, m.source = row.source, m.tags = row.tags, m.meta = row.meta,
    m.thread = row.thread, m.place = row.place, m.hash = row.hash, m.expires = row.expires,
    m.pinned = row.pinned, m.changed = $now
"""
_UNREAD: LiteralString = "MATCH (m:Memory {id: $id}) SET m.graph = NULL"


class Labels:
    """Writes new metadata; the words and vectors that a memory is found by are left alone."""

    def __init__(self, connection: Connection, graph: Graph, changes: Changes) -> None:
        self._connection = connection
        self._graph = graph
        self._memories = Memories(graph)
        self._changes = changes

    async def change(
        self, memories: Sequence[MemoryRecord], now_ms: int, unread: Sequence[str] = ()
    ) -> None:
        """Change memories in one transaction and keep what was known of them as history.

        `unread` are ids of those that are to be read for the graph again. Those that are gone or
        were like that already stay so.
        """
        commands: list[Command] = []
        for memory_id in unread:
            _, entities = await self._memories.parts(memory_id)
            commands += self._memories.clearing(memory_id, entities)
            commands.append(self._graph.command(_UNREAD, {"id": memory_id}))
        rows: list[Value] = [label_parameters(memory) for memory in memories]
        commands.append(self._graph.command(_RELABEL, {"rows": rows, "now": now_ms}))
        commands += [self._changes.changed(memory.id) for memory in memories]
        await self._connection.transaction(commands)
