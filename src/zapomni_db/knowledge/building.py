"""What a builder of the knowledge graph needs: what to read, and where to write it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import LiteralString

from zapomni_db.connection import Connection
from zapomni_db.graph import Graph
from zapomni_db.knowledge.clearing import clear_memories, recount_votes
from zapomni_db.knowledge.records import ChunkText, MemoryKnowledge, MemoryText, WriteCounts
from zapomni_db.knowledge.stored import Statements, Stored, statements_of
from zapomni_db.knowledge.writing import batches, check, transactions

__all__ = ["Building"]

# What "a+b" has read, "a" need not read again; that would lose what b has found.
_READ: LiteralString = "(coalesce(m.graph, '') + '+') STARTS WITH ($extractor + '+')"
_LIVES: LiteralString = "(coalesce(m.expires, $now + 1) > $now OR m.pinned)"
_UNBUILT = (
    "MATCH (m:Memory) WHERE m.ready AND "
    + _LIVES
    + " AND NOT "
    + _READ
    + " RETURN m.id LIMIT $limit"
)
_EXPIRED: LiteralString = """
MATCH (m:Memory) WHERE m.expires <= $now AND m.graph IS NOT NULL AND NOT coalesce(m.pinned, false)
RETURN m.id LIMIT $limit
"""
_UNMARK: LiteralString = "MATCH (m:Memory) WHERE m.id IN $ids SET m.graph = null"
_COVERAGE = (
    "MATCH (m:Memory) WHERE m.ready AND " + _LIVES + " "
    "RETURN sum(CASE WHEN " + _READ + " THEN 1 ELSE 0 END), count(m)"
)
# One row for each memory: the official image cuts an answer off behind 10,000 rows.
_TEXTS = (
    "MATCH (m:Memory) WHERE m.id IN $ids AND m.ready AND "
    + _LIVES
    + """
MATCH (m)-[:HAS]->(c:Chunk)
WITH m, c ORDER BY c.i
RETURN m.id, m.ts, coalesce(m.speaker, ''), collect([c.id, c.first, c.text])
"""
)
_MOST_ROWS = 10_000
_EXPIRED_AT_ONCE = 50


class Building:
    """Writes of the knowledge graph, and how much of it is built."""

    def __init__(self, connection: Connection, graph: Graph) -> None:
        self._connection = connection
        self._graph = graph
        self._stored = Stored(connection, graph)

    async def write(self, knowledge: Sequence[MemoryKnowledge]) -> WriteCounts:
        """Replace what memories said before by what they say now; skip those that are gone.

        What was said already is left alone and counts nothing. Each memory changes as a whole
        for readers, unless it has hundreds of mentions.
        """
        newest = {one.memory_id: one for one in knowledge}
        for one in newest.values():
            check(one)
        counts = WriteCounts()
        for batch in batches(list(newest.values())):
            counts += await self._write(batch)
        return counts

    async def unbuilt(self, extractor: str, limit: int) -> list[str]:
        """List memories that this extractor has not read yet."""
        most = min(limit, _MOST_ROWS)
        found = await self._graph.read(_UNBUILT, extractor=extractor, limit=most, now=_now_ms())
        return [row[0] for row in found]

    async def forget_expired(self) -> bool:
        """Take back what memories said whose time is over, and tell whether there was any.

        They themselves stay until pruned.
        """
        has_forgotten = False
        while found := await self._graph.read(_EXPIRED, now=_now_ms(), limit=_EXPIRED_AT_ONCE):
            ids = [row[0] for row in found]
            said = await self._stored.statements(ids)
            entities = set[str]().union(*(each.entity_ids for each in said.values()))
            await self._connection.transaction(
                [
                    *clear_memories(self._graph, ids),
                    self._graph.command(_UNMARK, {"ids": ids}),
                    recount_votes(self._graph, sorted(entities)),
                ]
            )
            has_forgotten = True
        return has_forgotten

    async def coverage(self, extractor: str) -> tuple[int, int]:
        """Count the memories that this extractor has read, and all of them."""
        ((built, total),) = await self._graph.read(_COVERAGE, extractor=extractor, now=_now_ms())
        return int(built), total

    async def texts_of(self, memory_ids: Sequence[str]) -> list[MemoryText]:
        """Fetch the texts of memories, in no particular order, without those that are gone."""
        found = await self._graph.read(_TEXTS, ids=list(memory_ids), now=_now_ms())
        return [
            MemoryText(memory_id, said_ms, speaker, tuple(ChunkText(*c) for c in chunks))
            for memory_id, said_ms, speaker, chunks in found
        ]

    async def _write(self, batch: Sequence[MemoryKnowledge]) -> WriteCounts:
        memory_ids = [one.memory_id for one in batch]
        marks, known = await self._stored.marks(memory_ids, sorted(_mentioned(batch)))
        marked = [memory_id for memory_id, extractor in marks.items() if extractor is not None]
        before = await self._stored.statements(marked) if marked else {}
        changed = [
            one
            for one in batch
            if one.memory_id in marks
            and (
                marks[one.memory_id] != one.extractor
                or before[one.memory_id] != statements_of(one)
            )
        ]
        if not changed:
            return WriteCounts()
        await self._replace(changed, before)
        return _counts(changed, known)

    async def _replace(
        self, changed: Sequence[MemoryKnowledge], before: Mapping[str, Statements]
    ) -> None:
        touched = _mentioned(changed).union(*(said.entity_ids for said in before.values()))
        for commands in transactions(self._graph, changed, sorted(touched)):
            await self._connection.transaction(commands)


def _mentioned(batch: Sequence[MemoryKnowledge]) -> set[str]:
    return {mention.entity_id for one in batch for mention in one.mentions}


def _counts(changed: Sequence[MemoryKnowledge], known: set[str]) -> WriteCounts:
    mentioned = _mentioned(changed)
    return WriteCounts(
        entities_created=len(mentioned - known),
        entities_merged=len(mentioned & known),
        mentions=sum(len(one.mentions) for one in changed),
        facts=sum(len(one.facts) for one in changed),
        aliases=sum(len(one.aliases) for one in changed),
    )


def _now_ms() -> int:
    return round(time.time() * 1000)
