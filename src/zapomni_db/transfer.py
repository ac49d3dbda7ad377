"""Read whole memories out of a store, and write them into one as they were."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, LiteralString

import numpy as np

from zapomni_db.changes import Changes
from zapomni_db.connection import Command, Connection
from zapomni_db.cypher import Value, Vector
from zapomni_db.graph import Graph
from zapomni_db.kept import KeptFacts
from zapomni_db.keyspace import Keyspace
from zapomni_db.knowledge import Knowledge
from zapomni_db.knowledge.records import MemoryKnowledge
from zapomni_db.knowledge.stored import Stored
from zapomni_db.memories import Memories
from zapomni_db.records import ChunkRecord, EmbeddingStamp, MemoryRecord
from zapomni_db.replies import Row
from zapomni_db.schema import Schema
from zapomni_db.told import Told, told_of
from zapomni_db.vectors import Vectors

__all__ = ["ChunkPlace", "NewMemory", "Transfer", "WholeMemory", "open_transfer"]

_PAGE = 10_000
# Readers wait while a writer commits: 18-24 ms with this many chunks.
_CHUNKS_PER_WRITE = 50
# What has a field of its own in a record, or follows from what is written.
_KNOWN = frozenset(
    {
        *("id", "created", "ts", "source", "tags", "meta", "text", "ready", "thread", "place"),
        *("speaker", "code", "hash", "expires", "pinned", "similar", "graph"),
    }
)
_IDS: LiteralString = """
MATCH (m:Memory) WHERE id(m) >= $from AND id(m) < $to AND m.ready
RETURN m.id, coalesce(size(m.text), 0)
"""
# One row for each memory: the official image cuts an answer off behind 10,000 rows.
_WHOLE: LiteralString = """
MATCH (m:Memory) WHERE m.id IN $ids AND m.ready
MATCH (m)-[:HAS]->(c:Chunk)
WITH m, c ORDER BY c.i
RETURN properties(m), collect([c.id, c.first, c.last]),
       collect(CASE WHEN m.text IS NULL THEN c.text END)
"""
_VECTORS: LiteralString = """
MATCH (m:Memory) WHERE m.id IN $ids MATCH (m)-[:HAS]->(c:Chunk)
RETURN collect([c.id, c.emb])
"""
_VERSIONS: LiteralString = """
MATCH (v:Version) WHERE v.memory IN $ids RETURN v.memory, collect(properties(v))
"""
_PRESENT: LiteralString = (
    "MATCH (m:Memory) WHERE m.id IN $ids RETURN m.id, m.ready, m.graph IS NOT NULL"
)
_MORE: LiteralString = "UNWIND $rows AS row MATCH (m:Memory {id: row.id}) SET m += row.more"
# A transaction may be sent twice.
_PAST: LiteralString = """
OPTIONAL MATCH (known:Version {memory: $id}) WITH count(known) AS known WHERE known = 0
UNWIND $versions AS version CREATE (v:Version) SET v = version
"""


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk lies in its memory's text, and its vector if it was asked for."""

    id: str
    start: int
    end: int
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class WholeMemory:
    """A memory with all that is stored about it.

    `more` are properties without a field, `versions` those of what it said before.
    """

    memory: MemoryRecord
    chunks: tuple[ChunkPlace, ...]
    more: Mapping[str, Value] = field(default_factory=dict)
    versions: tuple[Mapping[str, Value], ...] = ()
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to write, with what `WholeMemory` says of it."""

    memory: MemoryRecord
    chunks: Sequence[ChunkRecord]
    more: Mapping[str, Value] = field(default_factory=dict)
    versions: Sequence[Mapping[str, Value]] = ()


async def open_transfer(connection: Connection, keyspace: Keyspace) -> Transfer:
    """Prepare a workspace to be moved in or out."""
    transfer = Transfer(connection, keyspace)
    await transfer.prepare()
    return transfer


class Transfer:
    """Whole memories of one workspace, in and out."""

    def __init__(self, connection: Connection, keyspace: Keyspace) -> None:
        self.keyspace = keyspace
        self._connection = connection
        self._graph = Graph(connection, keyspace.graph)
        self._memories = Memories(self._graph)
        self._stored = Stored(connection, self._graph)
        self._knowledge = Knowledge(connection, self._graph)
        self._changes = Changes(connection, keyspace.changes)
        self._schema = Schema(connection, keyspace)
        self._kept = KeptFacts(connection, keyspace.kept_facts)
        self._vectors: Vectors | None = None
        self.stamp: EmbeddingStamp | None = None

    async def prepare(self) -> None:
        """Create or migrate the schema, and learn whose vectors the store holds."""
        about = await self._schema.prepare()
        if model := about.get("model"):
            model_id, _, dimension = model.rpartition("/")
            await self._use(EmbeddingStamp(model_id, int(dimension)))

    async def claim(self, stamp: EmbeddingStamp) -> None:
        """Bind the store to a model, or refuse if it holds another one's vectors."""
        await self._schema.claim(stamp)
        await self._use(stamp)

    async def memory_ids(self) -> list[tuple[str, int]]:
        """List every finished memory by id, with the length of its text if that is long."""
        found: list[tuple[str, int]] = []
        last = await self._graph.read("MATCH (m:Memory) RETURN max(id(m))")
        for first in range(0, -1 if last[0][0] is None else int(last[0][0]) + 1, _PAGE):
            page = await self._graph.read(_IDS, **{"from": first, "to": first + _PAGE})
            found += [(memory_id, chars) for memory_id, chars in page]
        return sorted(found)

    async def fetch(
        self, memory_ids: Sequence[str], *, with_vectors: bool = False
    ) -> list[WholeMemory]:
        """Fetch whole memories, by id; those that are gone are left out."""
        ids = list(memory_ids)
        found = await self._graph.read(_WHOLE, ids=ids)
        vectors = await self._vectors_of(ids) if with_vectors else {}
        told = await self._told([row[0]["id"] for row in found if row[0].get("graph")])
        versions: dict[str, Any] = dict(map(tuple, await self._graph.read(_VERSIONS, ids=ids)))
        memories = [_whole(row, vectors, told, versions) for row in found]
        return sorted(memories, key=lambda one: one.memory.id)

    async def kept_facts(self) -> list[str]:
        """List the facts that are said to hold on."""
        return sorted(await self._kept.all())

    async def keep(self, fact_ids: Sequence[str]) -> None:
        """Say of facts that they hold on."""
        for fact_id in fact_ids:
            await self._kept.keep(fact_id)

    async def present(self, memory_ids: Sequence[str]) -> dict[str, bool]:
        """Tell which memories are there, and of each whether it was read for the graph."""
        found = await self._graph.read(_PRESENT, ids=list(memory_ids))
        return {memory_id: is_read for memory_id, is_ready, is_read in found if is_ready}

    async def discard_unfinished(self, memory_ids: Sequence[str]) -> None:
        """Remove what an interrupted write has left of memories."""
        found = await self._graph.read(_PRESENT, ids=list(memory_ids))
        for memory_id, is_ready, _ in found:
            if not is_ready:
                await self._remove(memory_id)

    async def add(self, memories: Sequence[NewMemory]) -> None:
        """Write new memories, several in one transaction; each appears as a whole."""
        for commands in self._transactions(memories):
            await self._connection.transaction(commands)

    async def tell(self, knowledge: Sequence[MemoryKnowledge]) -> None:
        """Write what memories say."""
        await self._knowledge.write(knowledge)

    def _transactions(self, memories: Sequence[NewMemory]) -> Iterator[list[Command]]:
        commands: list[Command] = []
        size = 0
        for given in memories:
            new = given
            first, *others = itertools.batched(new.chunks, _CHUNKS_PER_WRITE)
            memory = new.memory
            if others:
                # Unfinished ones that look old are taken for abandoned.
                new = replace(new, more={**new.more, "created": memory.created_ms})
                memory = replace(memory, created_ms=time.time_ns() // 1_000_000)
            if commands and size + len(first) > _CHUNKS_PER_WRITE:
                yield commands
                commands, size = [], 0
            commands.append(self._memories.create(memory, first, is_whole=not others))
            commands += self._insertions(first)
            for batch in others:
                yield commands
                commands = [self._memories.extend(memory.id, batch), *self._insertions(batch)]
            commands += self._additions(new)
            if others:
                commands.append(self._memories.finish(memory.id))
            commands.append(self._changes.added(memory.id))
            size = _CHUNKS_PER_WRITE if others else size + len(first)
        if commands:
            yield commands

    def _additions(self, new: NewMemory) -> list[Command]:
        commands: list[Command] = []
        if new.more:
            rows: list[Value] = [{"id": new.memory.id, "more": new.more}]
            commands.append(self._graph.command(_MORE, {"rows": rows}))
        if new.versions:
            past: dict[str, Value] = {"id": new.memory.id, "versions": list(new.versions)}
            commands.append(self._graph.command(_PAST, past))
        return commands

    def _insertions(self, chunks: Sequence[ChunkRecord]) -> list[Command]:
        if self._vectors is None:
            return []
        return [self._vectors.add(chunk.id, chunk.embedding) for chunk in chunks]

    async def _remove(self, memory_id: str) -> None:
        chunk_ids, entity_ids = await self._memories.parts(memory_id)
        commands = self._memories.remove(memory_id, entity_ids)
        if self._vectors is not None:
            commands += map(self._vectors.remove, chunk_ids)
        await self._connection.transaction(commands)

    async def _vectors_of(self, memory_ids: list[str]) -> dict[str, Vector]:
        ((pairs,),) = await self._graph.read(_VECTORS, ids=memory_ids)
        return {chunk_id: np.asarray(vector, np.float32) for chunk_id, vector in pairs}

    async def _told(self, memory_ids: list[str]) -> dict[str, Told]:
        if not memory_ids:
            return {}
        return await told_of(self._graph, self._stored, memory_ids)

    async def _use(self, stamp: EmbeddingStamp) -> None:
        self.stamp = stamp
        if await Vectors.are_known(self._connection):
            self._vectors = Vectors(self._connection, self.keyspace.vectors(stamp.model_id))


def _whole(
    row: Row,
    vectors: dict[str, Vector],
    told: dict[str, Told],
    versions: dict[str, list[dict[str, Value]]],
) -> WholeMemory:
    properties, chunks, texts = row
    memory_id = properties["id"]
    past = [{name: one[name] for name in sorted(one)} for one in versions.get(memory_id, [])]
    return WholeMemory(
        memory=_record(properties, texts),
        chunks=tuple(ChunkPlace(i, a, b, vectors.get(i)) for i, a, b in chunks),
        more={name: properties[name] for name in sorted(properties.keys() - _KNOWN)},
        versions=tuple(sorted(past, key=repr)),
        told=told.get(memory_id),
    )


def _record(properties: dict[str, Any], texts: list[str]) -> MemoryRecord:
    text = properties.get("text")
    return MemoryRecord(
        id=properties["id"],
        text=texts[0] if text is None else text,
        created_ms=properties["created"],
        timestamp_ms=properties["ts"],
        source=properties["source"],
        tags=tuple(properties["tags"]),
        metadata_json=properties["meta"],
        thread=properties.get("thread") or "",
        place=properties.get("place") or 0,
        speaker=properties.get("speaker") or "",
        is_code=bool(properties.get("code")),
        identity=properties.get("hash") or "",
        expires_ms=properties.get("expires"),
        is_pinned=bool(properties.get("pinned")),
        similar_to=properties.get("similar"),
    )
