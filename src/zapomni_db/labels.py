"""Change what is known about memories whose texts stay."""

from __future__ import annotations

from typing import LiteralString

from zapomni_db.changes import Changes
from zapomni_db.connection import Command, Connection
from zapomni_db.cypher import Value
from zapomni_db.graph import Graph
from zapomni_db.memories import Memories, label_parameters
from zapomni_db.records import MemoryRecord
from zapomni_db.replies import rows

__all__ = ["Labels"]

# Sent twice, it finds nothing left to do.
_FIND: LiteralString = """
WITH $row AS row
MATCH (m:Memory {id: row.id})
WHERE m.ready AND m.meta <> row.meta AND m.meta = $known AND coalesce(m.hash, '') = $identity
"""
_KEEP: LiteralString = """
MATCH (m)-[:HAS]->(c:Chunk)
WITH m, row, collect(CASE WHEN m.text IS NULL THEN c.text END) AS texts
CREATE (:Version {
    memory: m.id, text: coalesce(m.text, texts[0]), meta: m.meta, ts: m.ts,
    since: coalesce(m.changed, m.created), until: $now
})
SET m.changed = $now
"""
_SET: LiteralString = """
SET m.ts = row.ts, m.source = row.source, m.tags = row.tags, m.meta = row.meta,
    m.thread = row.thread, m.place = row.place, m.hash = row.hash, m.expires = row.expires,
    m.pinned = row.pinned
RETURN m.id
"""
_RELABEL = _FIND + _SET
# The history has no gaps: what is changed without it has not changed for it.
_RELABEL_AND_KEEP = _FIND + _KEEP + _SET
_UNREAD: LiteralString = "MATCH (m:Memory {id: $id}) SET m.graph = NULL"


class Labels:
    """Writes new metadata; the words and vectors that a memory is found by are left alone."""

    def __init__(self, connection: Connection, graph: Graph, changes: Changes) -> None:
        self._connection = connection
        self._graph = graph
        self._memories = Memories(graph)
        self._changes = changes

    async def change(
        self,
        old: MemoryRecord,
        new: MemoryRecord,
        now_ms: int,
        *,
        is_unread: bool = False,
        keeps_old: bool = True,
    ) -> bool:
        """Change what is known of a memory; False if it is not as `old`.

        One that `is_unread` is to be read for the graph again; one that `keeps_old` has what was
        known of it in its history.
        """
        commands: list[Command] = []
        if is_unread:
            _, entities = await self._memories.parts(new.id)
            commands += self._memories.clearing(new.id, entities)
            commands.append(self.unread(new.id))
        known: dict[str, Value] = {"known": old.metadata_json, "identity": old.identity}
        given: dict[str, Value] = {"row": label_parameters(new), "now": now_ms}
        relabel = _RELABEL_AND_KEEP if keeps_old else _RELABEL
        commands.append(self._graph.command(relabel, known | given))
        commands.append(self._changes.changed(new.id))
        *_, changed, _ = await self._connection.transaction(commands)
        return bool(rows(changed))

    def unread(self, memory_id: str) -> Command:
        """Build the mark that a memory, if it is there, is to be read for the graph again."""
        return self._graph.command(_UNREAD, {"id": memory_id})
