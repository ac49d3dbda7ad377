"""Knowledge to store, said in few words."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from tests.zapomni_db.samples import NOW_MS, Sample
from zapomni_db import (
    AliasRecord,
    EntityRecord,
    FactRecord,
    MemoryKnowledge,
    MentionRecord,
    Store,
)
from zapomni_db.graph import Graph

EXTRACTOR = "rules-1"


def hex_id(*parts: str) -> str:
    return blake2b("|".join(parts).encode(), digest_size=16).hexdigest()


def entity_id(name: str) -> str:
    return hex_id(name.casefold())


def entity(name: str, kind: str = "person") -> EntityRecord:
    return EntityRecord(entity_id(name), name.casefold(), name, kind)


def knowledge(
    said: Sample,
    names: Sequence[str] = (),
    facts: Sequence[tuple[str, str, str]] = (),
    aliases: Sequence[tuple[str, str]] = (),
    *,
    chunk: int = 0,
    kind: str = "person",
    said_ms: int = NOW_MS,
    extractor: str = EXTRACTOR,
) -> MemoryKnowledge:
    """Let one chunk of a memory mention names and state facts between them."""
    memory, chunks = said
    chunk_id = chunks[chunk].id
    return MemoryKnowledge(
        memory.id,
        extractor,
        tuple(entity(name, kind) for name in names),
        tuple(MentionRecord(chunk_id, entity_id(name), (0, 3), kind, 0.9) for name in names),
        tuple(
            FactRecord(
                hex_id(subject, predicate, object_),
                entity_id(subject),
                predicate,
                entity_id(object_),
                0.8,
                memory.id,
                chunk_id,
                0,
                11,
                said_ms,
            )
            for subject, predicate, object_ in facts
        ),
        tuple(
            AliasRecord(entity_id(short), entity_id(full), 0.7, memory.id, chunk_id)
            for short, full in aliases
        ),
    )


async def content(store: Store) -> list[object]:
    """Return all of the knowledge graph, without the internal ids."""
    graph = Graph(store._connection, store._keyspace.graph)
    nodes = "MATCH (e:Entity) RETURN e.id, properties(e)"
    edges = "MATCH (a)-[r:MENTIONS|FACT|SAME]->(b) RETURN a.id, type(r), b.id, properties(r)"
    marks = "MATCH (m:Memory) RETURN m.id, m.graph"
    return [sorted(await graph.read(query), key=repr) for query in (nodes, edges, marks)]


async def names(store: Store) -> dict[str, int]:
    """Return the name of every entity and the number of its mentions."""
    pages = [page async for page in store.knowledge.all_entities()]
    return {entity.name: entity.mentions for page in pages for entity in page}
