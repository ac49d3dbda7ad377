"""Write what memories say, so that writing it again changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import LiteralString

from zapomni_db.connection import Command
from zapomni_db.cypher import Value
from zapomni_db.graph import Graph
from zapomni_db.knowledge.clearing import clear_chunks, clear_memories, recount_votes
from zapomni_db.knowledge.records import (
    AliasRecord,
    EntityRecord,
    FactRecord,
    MemoryKnowledge,
    MentionRecord,
)
from zapomni_db.knowledge.terms import words_of

__all__ = ["batches", "check", "row_count", "slot_of", "transactions"]

# Readers wait while a writer commits; this many mentions and facts take some 10 ms.
_ROWS_PER_WRITE = 100
# A name that is longer is no name; the index does not find keys beyond 4,096 bytes.
_LONGEST_KEY = 1000

# A chunk that is gone mentions nothing, so a memory that is gone brings no entity back. Every
# row of an entity sees the same `n`, therefore it is counted up once, by all of them.
_MENTION: LiteralString = """
UNWIND $rows AS row
MATCH (c:Chunk {id: row.chunk})
MERGE (e:Entity {id: row.entity})
ON CREATE SET e.key = row.key, e.name = row.name, e.type = row.type, e.terms = row.terms, e.n = 0
CREATE (c)-[:MENTIONS {
    spans: row.spans, type: row.type, confidence: row.confidence, name: row.name
}]->(e)
WITH e, count(*) AS added
SET e.n = e.n + added
"""
_STATE: LiteralString = """
UNWIND $rows AS row
MATCH (:Memory {id: row.memory})
MATCH (s:Entity {id: row.subject})
MATCH (o:Entity {id: row.object})
CREATE (s)-[:FACT {
    id: row.id, predicate: row.predicate, slot: row.slot, confidence: row.confidence,
    memory: row.memory, chunk: row.chunk, first: row.first, last: row.last, said: row.said,
    since: row.since, until: row.until
}]->(o)
"""
_LINK: LiteralString = """
UNWIND $rows AS row
MATCH (:Memory {id: row.memory})
MATCH (s:Entity {id: row.short})
MATCH (f:Entity {id: row.full})
CREATE (s)-[:SAME {confidence: row.confidence, memory: row.memory, chunk: row.chunk}]->(f)
"""
_MARK: LiteralString = (
    "UNWIND $rows AS row MATCH (m:Memory {id: row.memory}) SET m.graph = row.extractor"
)

_UNMARK: LiteralString = "MATCH (m:Memory {id: $id}) SET m.graph = null"


def check(knowledge: MemoryKnowledge) -> None:
    """Refuse knowledge that would leave entities nobody mentions or facts nobody removes."""
    mentioned = {(mention.chunk_id, mention.entity_id) for mention in knowledge.mentions}
    if len(mentioned) < len(knowledge.mentions):
        raise ValueError("a chunk mentions an entity once, with all its places")
    entities = {entity_id for _, entity_id in mentioned}
    if not entities <= {entity.id for entity in knowledge.entities}:
        raise ValueError("a mention needs its entity")
    for fact in knowledge.facts:
        ends = {(fact.chunk_id, fact.subject_id), (fact.chunk_id, fact.object_id)}
        if fact.memory_id != knowledge.memory_id or not ends <= mentioned:
            raise ValueError("a fact's chunk must mention its subject and its object")
    for alias in knowledge.aliases:
        ends_of_alias = {alias.short_id, alias.full_id}
        if alias.memory_id != knowledge.memory_id or not ends_of_alias <= entities:
            raise ValueError("an alias's memory must mention both names")


def slot_of(subject_id: str, predicate: str) -> str:
    """Name the place that assertions of one predicate about one subject compete for."""
    return blake2b(f"{subject_id}|{predicate}".encode(), digest_size=16).hexdigest()


def row_count(knowledge: MemoryKnowledge) -> int:
    """Count the edges of a memory's knowledge."""
    return len(knowledge.mentions) + len(knowledge.facts) + len(knowledge.aliases)


def batches(knowledge: Sequence[MemoryKnowledge]) -> Iterator[list[MemoryKnowledge]]:
    """Put memories together that may be written at once."""
    batch: list[MemoryKnowledge] = []
    rows = 0
    for one in knowledge:
        size = 1 + row_count(one)
        if batch and rows + size > _ROWS_PER_WRITE:
            yield batch
            batch, rows = [], 0
        batch.append(one)
        rows += size
    if batch:
        yield batch


def transactions(
    graph: Graph, batch: Sequence[MemoryKnowledge], entity_ids: Sequence[str]
) -> Iterator[list[Command]]:
    """Build the transactions that replace what the memories of a batch said before.

    A batch is one transaction, unless it is a single memory that says too much: then the mark
    of what was built comes with the last one, and whatever fails before is built again. The
    entities are those that are mentioned now or were before.
    """
    commands = clear_memories(graph, [one.memory_id for one in batch])
    parts = list(_parts(batch[0])) if len(batch) == 1 else []
    if len(parts) > 1:
        commands.append(graph.command(_UNMARK, {"id": batch[0].memory_id}))
        for part in parts:
            chunks = {mention.chunk_id for mention in part.mentions}
            commands += clear_chunks(graph, part.memory_id, sorted(chunks))
            yield commands + _mentions_and_facts(graph, [part])
            commands = []
    else:
        commands += _mentions_and_facts(graph, batch)
    marks: list[Value] = [{"memory": one.memory_id, "extractor": one.extractor} for one in batch]
    aliases = [_alias_row(alias) for one in batch for alias in one.aliases]
    commands += _each(graph, _LINK, aliases)
    commands.append(recount_votes(graph, entity_ids))
    yield [*commands, graph.command(_MARK, {"rows": marks})]


def _parts(knowledge: MemoryKnowledge) -> Iterator[MemoryKnowledge]:
    by_chunk = sorted(knowledge.mentions, key=_chunk_of)
    facts = {c: tuple(f) for c, f in groupby(sorted(knowledge.facts, key=_chunk_of), _chunk_of)}
    mentions: tuple[MentionRecord, ...] = ()
    stated: tuple[FactRecord, ...] = ()
    for chunk, group in groupby(by_chunk, _chunk_of):
        found = tuple(group)
        said = facts.get(chunk, ())
        rows = len(mentions) + len(stated)
        if rows and rows + len(found) + len(said) > _ROWS_PER_WRITE:
            yield _part(knowledge, mentions, stated)
            mentions, stated = (), ()
        mentions += found
        stated += said
    yield _part(knowledge, mentions, stated)


def _chunk_of(row: MentionRecord | FactRecord) -> str:
    return row.chunk_id


def _part(
    whole: MemoryKnowledge, mentions: tuple[MentionRecord, ...], facts: tuple[FactRecord, ...]
) -> MemoryKnowledge:
    return MemoryKnowledge(whole.memory_id, whole.extractor, whole.entities, mentions, facts)


def _mentions_and_facts(graph: Graph, batch: Sequence[MemoryKnowledge]) -> list[Command]:
    mentions: list[Value] = []
    for one in batch:
        entities = {entity.id: entity for entity in one.entities}
        mentions += [_mention_row(row, entities[row.entity_id]) for row in one.mentions]
    facts = [_fact_row(fact) for one in batch for fact in one.facts]
    return _each(graph, _MENTION, mentions) + _each(graph, _STATE, facts)


def _each(graph: Graph, query: LiteralString, rows: Sequence[Value]) -> list[Command]:
    return [graph.command(query, {"rows": rows})] if rows else []


def _mention_row(mention: MentionRecord, entity: EntityRecord) -> dict[str, Value]:
    return {
        "chunk": mention.chunk_id,
        "entity": mention.entity_id,
        "key": entity.key[:_LONGEST_KEY],
        "name": entity.name,
        "terms": " ".join(words_of(entity.key)),
        "type": mention.type,
        "spans": list(mention.spans),
        "confidence": round(mention.confidence, 6),
    }


def _fact_row(fact: FactRecord) -> dict[str, Value]:
    return {
        "id": fact.id,
        "subject": fact.subject_id,
        "predicate": fact.predicate,
        "object": fact.object_id,
        "slot": slot_of(fact.subject_id, fact.predicate),
        "confidence": round(fact.confidence, 6),
        "memory": fact.memory_id,
        "chunk": fact.chunk_id,
        "first": fact.start,
        "last": fact.end,
        "said": fact.said_ms,
        "since": fact.since_ms,
        "until": fact.until_ms,
    }


def _alias_row(alias: AliasRecord) -> dict[str, Value]:
    return {
        "short": alias.short_id,
        "full": alias.full_id,
        "confidence": round(alias.confidence, 6),
        "memory": alias.memory_id,
        "chunk": alias.chunk_id,
    }
