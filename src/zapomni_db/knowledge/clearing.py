"""Take back what memories said: their facts, their aliases, and what only they mention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString

from zapomni_db.connection import Command
from zapomni_db.graph import Graph

__all__ = ["VOTES", "clear_chunks", "clear_memories", "recount_votes"]

# Beyond this many mentions another one hardly changes how an entity is best called.
VOTES = 32

# The ends must have no label here: with one, FalkorDB 4.22 scans the label and not the index.
_FACTS_OF_MEMORIES: LiteralString = "MATCH ()-[f:FACT]->() WHERE f.memory IN $ids DELETE f"
_ALIASES_OF_MEMORIES: LiteralString = "MATCH ()-[s:SAME]->() WHERE s.memory IN $ids DELETE s"
_FACTS_OF_CHUNKS: LiteralString = (
    "MATCH ()-[f:FACT]->() WHERE f.memory = $id AND f.chunk IN $chunks DELETE f"
)
# `n` counts the mentions of an entity, exactly: whoever removes one in a query counts it there.
_TAKE_BACK: LiteralString = """
MATCH (c)-[r:MENTIONS]->(e:Entity)
WITH e, collect(r) AS mentions
SET e.n = e.n - size(mentions)
WITH e, mentions UNWIND mentions AS mention
DELETE mention
WITH DISTINCT e WHERE e.n <= 0
DELETE e
"""
_MENTIONS_OF_MEMORIES = (
    "MATCH (m:Memory) WHERE m.id IN $ids MATCH (m)-[:HAS]->(c:Chunk) WITH c " + _TAKE_BACK
)
_MENTIONS_OF_CHUNKS = "MATCH (c:Chunk) WHERE c.id IN $chunks WITH c " + _TAKE_BACK
_RECOUNT: LiteralString = """
MATCH (e:Entity) WHERE e.id IN $ids AND e.n <= $votes
MATCH (e)<-[r:MENTIONS]-()
WITH e, collect([r.type, r.name]) AS votes
UNWIND votes AS vote
WITH e, votes, vote[0] AS type, count(*) AS n ORDER BY n DESC, type
WITH e, votes, collect(type)[0] AS type
UNWIND votes AS vote
WITH e, type, vote[1] AS name, count(*) AS n ORDER BY n DESC, size(name) DESC, name
WITH e, type, collect(name)[0] AS name
WHERE e.type <> type OR e.name <> name
SET e.type = type, e.name = name
"""


def clear_memories(graph: Graph, memory_ids: Sequence[str]) -> list[Command]:
    """Build the removal of all that memories say, with the entities that nothing else mentions."""
    ids = {"ids": list(memory_ids)}
    queries = (_FACTS_OF_MEMORIES, _ALIASES_OF_MEMORIES, _MENTIONS_OF_MEMORIES)
    return [graph.command(query, ids) for query in queries]


def clear_chunks(graph: Graph, memory_id: str, chunk_ids: Sequence[str]) -> list[Command]:
    """Build the removal of the facts and mentions of some chunks of a memory."""
    chunks = list(chunk_ids)
    return [
        graph.command(_FACTS_OF_CHUNKS, {"id": memory_id, "chunks": chunks}),
        graph.command(_MENTIONS_OF_CHUNKS, {"chunks": chunks}),
    ]


def recount_votes(graph: Graph, entity_ids: Sequence[str]) -> Command:
    """Build the choice of the most frequent type and spelling among an entity's mentions."""
    return graph.command(_RECOUNT, {"ids": list(entity_ids), "votes": VOTES})
