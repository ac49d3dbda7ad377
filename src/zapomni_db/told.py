"""What memories say, in a form that can leave the store and come back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from zapomni_db.graph import Graph
from zapomni_db.knowledge.records import (
    AliasRecord,
    EntityRecord,
    FactRecord,
    MemoryKnowledge,
    MentionRecord,
)
from zapomni_db.knowledge.stored import Statements, Stored
from zapomni_db.replies import Row

__all__ = ["Told", "knowledge_of", "told_of"]

_KEYS: LiteralString = "MATCH (e:Entity) WHERE e.id IN $ids RETURN collect([e.id, e.key])"
_KEYS_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class Told:
    """Rows of one memory, sorted: of `entities` (id, key), of the others as stored."""

    extractor: str
    entities: list[Row]
    mentions: list[Row]
    facts: list[Row]
    aliases: list[Row]


async def told_of(graph: Graph, stored: Stored, memory_ids: Sequence[str]) -> dict[str, Told]:
    """Fetch what memories that were read for the graph say."""
    marks, _ = await stored.marks(memory_ids, [])
    statements = await stored.statements(memory_ids)
    wanted = sorted({entity for said in statements.values() for entity in said.entity_ids})
    keys: dict[str, str] = {}
    for first in range(0, len(wanted), _KEYS_AT_ONCE):
        ((pairs,),) = await graph.read(_KEYS, ids=wanted[first : first + _KEYS_AT_ONCE])
        keys |= dict(pairs)
    return {
        memory_id: _told(extractor, statements[memory_id], keys)
        for memory_id, extractor in marks.items()
        if extractor
    }


def knowledge_of(memory_id: str, told: Told) -> MemoryKnowledge:
    """Read the rows as the records that can be written; raises what malformed rows raise."""
    keys = dict(told.entities)
    names = {row[1]: (row[2], row[3]) for row in told.mentions}
    return MemoryKnowledge(
        memory_id,
        told.extractor,
        tuple(EntityRecord(each, keys[each], *names[each]) for each in sorted(names)),
        tuple(
            MentionRecord(chunk, entity, tuple(spans), kind, confidence)
            for chunk, entity, _, kind, confidence, spans in told.mentions
        ),
        tuple(FactRecord(*[*row[:5], memory_id, *row[5:]]) for row in told.facts),
        tuple(
            AliasRecord(short, full, confidence, memory_id, chunk)
            for short, full, confidence, chunk in told.aliases
        ),
    )


def _told(extractor: str, said: Statements, keys: dict[str, str]) -> Told:
    entities: list[Row] = [[each, keys[each]] for each in sorted(said.entity_ids) if each in keys]
    return Told(extractor, entities, said.mentions, said.facts, said.aliases)
