"""Memories and chunks in the graph."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from typing import Any, LiteralString

from zapomni_db.connection import Command
from zapomni_db.cypher import Value, Vector
from zapomni_db.graph import Graph
from zapomni_db.knowledge.clearing import clear_memories, recount_votes
from zapomni_db.records import ChunkRecord, HitRecord, IndexEntry, MemoryRecord
from zapomni_db.replies import Row, rows

__all__ = ["Memories", "label_parameters"]

# Only CREATE is cheap: a SET makes the database flush its matrices, 10 ms at 40,000 memories
# against 0.4 ms. What is there already was written by the same call, and is left alone.
# (`known IS NULL` instead of a count would be tested inside the OPTIONAL MATCH: FalkorDB 4.22.)
_CHUNK: LiteralString = """
CREATE (m)-[:HAS]->(:Chunk {
    id: chunk.id, i: chunk.i, first: chunk.first, last: chunk.last, text: chunk.text,
    terms: chunk.terms, emb: vecf32(chunk.emb)
})
"""
_CREATE = (
    """
OPTIONAL MATCH (known:Memory {id: $id}) WITH count(known) AS known WHERE known = 0
CREATE (m:Memory {
    id: $id, created: $created, ts: $ts, source: $source, tags: $tags, meta: $meta, text: $text,
    ready: $ready, thread: $thread, place: $place, speaker: $speaker,
    code: $code, hash: $hash, expires: $expires, pinned: $pinned, similar: $similar
})
WITH m UNWIND $chunks AS chunk
"""
    + _CHUNK
)
_EXTEND = (
    """
MATCH (m:Memory {id: $id}) UNWIND $chunks AS chunk
OPTIONAL MATCH (known:Chunk {id: chunk.id})
WITH m, chunk, known WHERE known IS NULL
"""
    + _CHUNK
)
_FINISH: LiteralString = "MATCH (m:Memory {id: $id}) SET m.ready = true"
_REMOVE: LiteralString = (
    "MATCH (m:Memory {id: $id}) OPTIONAL MATCH (m)-[:HAS]->(c:Chunk) "
    "WITH m, collect(c) AS chunks, collect(c.id) AS ids "
    "FOREACH (c IN chunks | DELETE c) DELETE m RETURN ids"
)
_REMOVE_HISTORY: LiteralString = "MATCH (v:Version {memory: $id}) DELETE v"
_PARTS: LiteralString = """
MATCH (m:Memory {id: $id})-[:HAS]->(c:Chunk)
OPTIONAL MATCH (c)-[:MENTIONS]->(e:Entity)
RETURN c.id, collect(e.id)
"""
_HITS = """
MATCH (c:Chunk) WHERE c.id IN $ids
MATCH (m)-[:HAS]->(c)
WITH c, m WHERE m.ready AND (coalesce(m.expires, $now + 1) > $now OR m.pinned)
RETURN c.id, m.id, c.i, c.first, c.last, c.text, m.source, m.tags, m.ts, m.meta
"""
# Memories of the first versions have no thread.
_ENTRY: LiteralString = (
    "RETURN c.id, m.id, c.terms, m.ts, m.source, m.tags, "
    "coalesce(m.thread, ''), coalesce(m.place, 0), coalesce(m.speaker, ''), "
    "coalesce(m.code, false), m.created, "
    "CASE WHEN coalesce(m.pinned, false) THEN 0 ELSE coalesce(m.expires, 0) END, c.i = 0"
)
_ENTRIES_OF = (
    "MATCH (m:Memory) WHERE m.id IN $ids AND m.ready MATCH (m)-[:HAS]->(c:Chunk) " + _ENTRY
)
# Paging by the internal id needs no index and no sort of everything before the page.
_ALL_ENTRIES = (
    "MATCH (c:Chunk) WHERE id(c) >= $from AND id(c) < $to MATCH (m:Memory)-[:HAS]->(c) "
    "WHERE m.ready " + _ENTRY
)
_SIMILARITIES = """
WITH vecf32($query) AS query
MATCH (c:Chunk) WHERE c.id IN $ids
RETURN c.id, vec.cosineDistance(c.emb, query)
"""
_NEAREST = """
WITH vecf32($query) AS query
MATCH (m:Memory)-[:HAS]->(c:Chunk) WHERE m.ready
WITH c, vec.cosineDistance(c.emb, query) AS distance ORDER BY distance LIMIT $count
RETURN c.id, distance
"""
_CHUNK_COUNT = "MATCH (c:Chunk) RETURN count(c)"
_CENSUS = (
    "MATCH (m:Memory) RETURN count(m)",
    _CHUNK_COUNT,
    "CALL db.indexes() YIELD status RETURN status",
)
# FalkorDB's official image cuts an answer off behind 10,000 rows, without a word.
_PAGE = 10_000


class Memories:
    """Reads and writes of the Memory and Chunk nodes."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def create(
        self, memory: MemoryRecord, chunks: Sequence[ChunkRecord], *, is_whole: bool
    ) -> Command:
        """Build the write of a new memory with all or the first of its chunks."""
        # Most memories are one chunk; their text is stored once, on that chunk.
        is_one_chunk = is_whole and len(chunks) == 1 and chunks[0].text == memory.text
        parameters: dict[str, Value] = label_parameters(memory) | {
            "created": memory.created_ms,
            "text": None if is_one_chunk else memory.text,
            "ready": is_whole,
            "speaker": memory.speaker,
            "code": memory.is_code,
            "similar": memory.similar_to,
            "chunks": [_chunk_parameters(chunk) for chunk in chunks],
        }
        return self._graph.command(_CREATE, parameters)

    def extend(self, memory_id: str, chunks: Sequence[ChunkRecord]) -> Command:
        """Build the write of further chunks of a memory."""
        given: list[Value] = [_chunk_parameters(chunk) for chunk in chunks]
        return self._graph.command(_EXTEND, {"id": memory_id, "chunks": given})

    def finish(self, memory_id: str) -> Command:
        """Build the write that makes a memory of several writes whole."""
        return self._graph.command(_FINISH, {"id": memory_id})

    def clearing(self, memory_id: str, entity_ids: Sequence[str] = ()) -> list[Command]:
        """Build the removal of what a memory says of entities."""
        commands = clear_memories(self._graph, [memory_id])
        if entity_ids:
            commands.append(recount_votes(self._graph, entity_ids))
        return commands

    def remove(self, memory_id: str, entity_ids: Sequence[str] = ()) -> list[Command]:
        """Build the removal of a memory with its chunks, its history and what only it says."""
        commands = self.clearing(memory_id, entity_ids)
        last = (_REMOVE_HISTORY, _REMOVE)
        return [*commands, *(self._graph.command(query, {"id": memory_id}) for query in last)]

    async def parts(self, memory_id: str) -> tuple[list[str], list[str]]:
        """List the chunks of a memory, finished or not, and the entities they mention."""
        found = await self._graph.read(_PARTS, id=memory_id)
        entities = {entity_id for _, entity_ids in found for entity_id in entity_ids}
        return [chunk_id for chunk_id, _ in found], sorted(entities)

    async def unfinished(self, older_than_ms: int) -> list[str]:
        """List memories whose writing was cut off before this time."""
        found = await self._graph.read(
            "MATCH (m:Memory) WHERE NOT m.ready AND m.created < $before RETURN m.id",
            before=older_than_ms,
        )
        return [row[0] for row in found]

    def census(self) -> list[Command]:
        """Build the questions that `parse_census` has the answers to."""
        return [self._graph.reading(query, {}) for query in _CENSUS]

    @staticmethod
    def parse_census(replies: Sequence[list[Any]]) -> tuple[int, int, bool]:
        """Read the replies: memories, chunks, and whether indexes are still being built."""
        memories, chunks, indexes = (rows(reply) for reply in replies)
        is_indexing = any(row[0] != "OPERATIONAL" for row in indexes)
        return memories[0][0], chunks[0][0], is_indexing

    async def chunk_count(self) -> int:
        """Count the chunks."""
        return int((await self._graph.read(_CHUNK_COUNT))[0][0])

    async def hits(self, chunk_ids: Sequence[str]) -> list[HitRecord]:
        """Fetch chunks with their finished memories, in no particular order."""
        now_ms = time.time_ns() // 1_000_000
        found = await self._graph.read(_HITS, ids=list(chunk_ids), now=now_ms)
        return [_hit(row) for row in found]

    async def entries_of(self, memory_ids: Sequence[str]) -> list[IndexEntry]:
        """Fetch the index entries of some memories."""
        return _entries(await self._graph.read(_ENTRIES_OF, ids=list(memory_ids)))

    async def all_entries(self) -> AsyncIterator[list[IndexEntry]]:
        """Fetch every index entry, page by page."""
        for first in range(0, await self.id_limit(), _PAGE):
            page = {"from": first, "to": first + _PAGE}
            yield _entries(await self._graph.read(_ALL_ENTRIES, **page))

    async def id_limit(self) -> int:
        """Return the internal id behind the last chunk's, the end of a walk over all of them."""
        found = await self._graph.read("MATCH (c:Chunk) RETURN max(id(c))")
        return 0 if found[0][0] is None else int(found[0][0]) + 1

    async def existing_chunks(self, chunk_ids: Sequence[str]) -> set[str]:
        """Tell which of these chunks exist."""
        found = await self._graph.read(
            "MATCH (c:Chunk) WHERE c.id IN $ids RETURN c.id", ids=list(chunk_ids)
        )
        return {row[0] for row in found}

    def comparison(self, query: Vector, chunk_ids: Sequence[str]) -> Command:
        """Build the exact comparison of some chunks with a query vector."""
        return self._graph.reading(_SIMILARITIES, {"query": query, "ids": list(chunk_ids)})

    @staticmethod
    def parse_comparison(reply: list[Any]) -> dict[str, float]:
        """Read the reply to `comparison`: cosine similarities by chunk id."""
        return {chunk_id: 1.0 - distance for chunk_id, distance in rows(reply)}

    async def nearest(self, query: Vector, count: int) -> dict[str, float]:
        """Find the nearest chunks by comparing the query with every one of them."""
        found = await self._graph.read(_NEAREST, query=query, count=count)
        return {chunk_id: 1.0 - distance for chunk_id, distance in found}

    async def embeddings(self, first: int, count: int) -> list[tuple[str, list[float]]]:
        """Fetch chunk vectors by internal id range, for repairs."""
        found = await self._graph.read(
            "MATCH (c:Chunk) WHERE id(c) >= $first AND id(c) < $end RETURN c.id, c.emb",
            first=first,
            end=first + count,
        )
        return [(row[0], row[1]) for row in found]


def label_parameters(memory: MemoryRecord) -> dict[str, Value]:
    """Return what is known about a memory beside its text."""
    return {
        "id": memory.id,
        "ts": memory.timestamp_ms,
        "source": memory.source,
        "tags": list(memory.tags),
        "meta": memory.metadata_json,
        "thread": memory.thread,
        "place": memory.place,
        # Absent where there is nothing to say: an index entry less.
        "hash": memory.identity or None,
        "expires": memory.expires_ms,
        "pinned": memory.is_pinned or None,
    }


def _chunk_parameters(chunk: ChunkRecord) -> dict[str, Value]:
    return {
        "id": chunk.id,
        "i": chunk.index,
        "first": chunk.start,
        "last": chunk.end,
        "text": chunk.text,
        "terms": chunk.terms,
        "emb": chunk.embedding,
    }


def _hit(row: Row) -> HitRecord:
    chunk_id, memory_id, index, start, end, text, source, tags, timestamp_ms, metadata = row
    place = (chunk_id, memory_id, index, start, end)
    return HitRecord(*place, text, source, tuple(tags), timestamp_ms, metadata)


def _entries(found: list[Row]) -> list[IndexEntry]:
    return [
        IndexEntry(chunk_id, memory_id, terms, timestamp_ms, source, tuple(tags), *setting)
        for chunk_id, memory_id, terms, timestamp_ms, source, tags, *setting in found
    ]
