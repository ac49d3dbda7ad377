"""What memories are known to say, in a form that can be compared with what they say now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import LiteralString

from zapomni_db.connection import Connection
from zapomni_db.graph import Graph
from zapomni_db.knowledge.records import MemoryKnowledge
from zapomni_db.replies import Row, rows

__all__ = ["Statements", "Stored", "statements_of"]

_MARKS: LiteralString = "MATCH (m:Memory) WHERE m.id IN $ids RETURN m.id, m.graph"
_KNOWN: LiteralString = "MATCH (e:Entity) WHERE e.id IN $ids RETURN e.id"
# One row for each memory, however much it says: answers may be cut off behind 10,000 rows.
_MENTIONS: LiteralString = """
MATCH (m:Memory) WHERE m.id IN $ids
MATCH (m)-[:HAS]->(c:Chunk)-[r:MENTIONS]->(e:Entity)
RETURN m.id, collect([c.id, e.id, r.name, r.type, r.confidence, r.spans])
"""
_FACTS: LiteralString = """
MATCH (s)-[f:FACT]->(o) WHERE f.memory IN $ids
RETURN f.memory, collect([f.id, s.id, f.predicate, o.id, f.confidence, f.chunk, f.first, f.last,
                          f.said, f.since, f.until])
"""
_ALIASES: LiteralString = """
MATCH (s)-[a:SAME]->(f) WHERE a.memory IN $ids
RETURN a.memory, collect([s.id, f.id, a.confidence, a.chunk])
"""


@dataclass(frozen=True, slots=True)
class Statements:
    """All rows of one memory, sorted."""

    mentions: list[Row] = field(default_factory=list)
    facts: list[Row] = field(default_factory=list)
    aliases: list[Row] = field(default_factory=list)

    @property
    def entity_ids(self) -> set[str]:
        """Every entity that the memory mentions."""
        return {row[1] for row in self.mentions}


class Stored:
    """Reads of what was written before."""

    def __init__(self, connection: Connection, graph: Graph) -> None:
        self._connection = connection
        self._graph = graph

    async def marks(
        self, memory_ids: Sequence[str], entity_ids: Sequence[str]
    ) -> tuple[dict[str, str | None], set[str]]:
        """Tell which memories exist, which extractor has read each, and which entities exist."""
        marks, known = await self._connection.pipeline(
            [
                self._graph.reading(_MARKS, {"ids": list(memory_ids)}),
                self._graph.reading(_KNOWN, {"ids": list(entity_ids)}),
            ]
        )
        extractors: dict[str, str | None] = {row[0]: row[1] for row in rows(marks)}
        return extractors, {row[0] for row in rows(known)}

    async def statements(self, memory_ids: Sequence[str]) -> dict[str, Statements]:
        """Fetch all that memories are known to say."""
        ids = list(memory_ids)
        mentions = await self._rows(_MENTIONS, ids)
        facts = await self._rows(_FACTS, ids)
        aliases = await self._rows(_ALIASES, ids)
        return {
            one: Statements(mentions.get(one, []), facts.get(one, []), aliases.get(one, []))
            for one in ids
        }

    async def _rows(self, query: LiteralString, ids: list[str]) -> dict[str, list[Row]]:
        found = await self._graph.read(query, ids=ids)
        return {memory_id: sorted(said, key=repr) for memory_id, said in found}


def statements_of(knowledge: MemoryKnowledge) -> Statements:
    """Put a memory's knowledge into the form that `Stored.statements` returns."""
    names = {entity.id: entity.name for entity in knowledge.entities}
    mentions: list[Row] = [
        [m.chunk_id, m.entity_id, names[m.entity_id], m.type, _float(m.confidence), [*m.spans]]
        for m in knowledge.mentions
    ]
    facts: list[Row] = [
        [
            *(f.id, f.subject_id, f.predicate, f.object_id, _float(f.confidence), f.chunk_id),
            *(f.start, f.end, f.said_ms, f.since_ms, f.until_ms),
        ]
        for f in knowledge.facts
    ]
    aliases: list[Row] = [
        [a.short_id, a.full_id, _float(a.confidence), a.chunk_id] for a in knowledge.aliases
    ]
    return Statements(*(sorted(said, key=repr) for said in (mentions, facts, aliases)))


def _float(confidence: float) -> float:
    return round(float(confidence), 6)
