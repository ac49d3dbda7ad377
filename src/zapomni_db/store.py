"""The store: everything the engine asks of the database, in one place."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import structlog

from zapomni_db.changes import Changes
from zapomni_db.code import CodeStore
from zapomni_db.connection import Address, Command, Connection
from zapomni_db.cypher import Vector
from zapomni_db.errors import StoreError, StoreMismatch
from zapomni_db.forgotten import Forgotten
from zapomni_db.graph import Graph
from zapomni_db.intake import Intake
from zapomni_db.jobs import JobRecords
from zapomni_db.kept import KeptFacts
from zapomni_db.keyspace import DEFAULT_WORKSPACE, Keyspace
from zapomni_db.knowledge import Knowledge
from zapomni_db.labels import Labels
from zapomni_db.life import Life
from zapomni_db.log import rewrite_log
from zapomni_db.memories import Memories
from zapomni_db.records import (
    Change,
    ChunkRecord,
    EmbeddingStamp,
    HitRecord,
    IndexEntry,
    MemoryRecord,
    PoolUse,
    StoreCounts,
)
from zapomni_db.reembedding import settle_model
from zapomni_db.repair import (
    RepairReport,
    orphan_vectors,
    repair_vectors,
    unfinished_before_ms,
)
from zapomni_db.replies import rows
from zapomni_db.schema import Schema
from zapomni_db.vectors import Vectors

__all__ = ["Store"]

# Readers wait while a writer commits: 18-24 ms with this many chunks, 300 ms with 500.
_CHUNKS_PER_WRITE = 50

_log = structlog.get_logger()


class Store:
    """One workspace of memories, durable before a write returns.

    A connection that is given is shared: whoever has made it opens and closes it.
    """

    def __init__(
        self,
        place: Address | Connection,
        keyspace: Keyspace,
        *,
        pool_size: int = 20,
        timeout_s: float = 30.0,
    ) -> None:
        self._has_own_connection = not isinstance(place, Connection)
        if not isinstance(place, Connection):
            place = Connection(place, pool_size, timeout_s)
        self._connection = place
        self._keyspace = keyspace
        graph = Graph(self._connection, keyspace.graph)
        self._memories = Memories(graph)
        self.life = Life(graph)
        self.intake = Intake(graph)
        self._knowledge = Knowledge(self._connection, graph)
        self._code = CodeStore(self._connection, keyspace)
        self.jobs = JobRecords(self._connection, keyspace.jobs)
        self.kept_facts = KeptFacts(self._connection, keyspace.kept_facts)
        self.forgotten = Forgotten(self._connection, keyspace.forgotten)
        self._changes = Changes(self._connection, keyspace.changes)
        self.labels = Labels(self._connection, graph, self._changes)
        self._schema = Schema(self._connection, keyspace)
        self._vectors: Vectors | None = None
        self.has_vector_sets = True
        self.store_id = ""
        self._model = ""

    @property
    def mode(self) -> str:
        """How the database runs: embedded, server or cluster."""
        return self._connection.mode

    @property
    def pool(self) -> PoolUse:
        """How much of the connection pool is in use."""
        return self._connection.pool

    @property
    def knowledge(self) -> Knowledge:
        """What the memories say: entities, facts, and where each is said."""
        return self._knowledge

    @property
    def code(self) -> CodeStore:
        """The code indexes of repositories."""
        return self._code

    @property
    def graph_name(self) -> str:
        """The configured name of the graph."""
        return self._keyspace.graph_name

    async def open(self) -> None:
        """Connect, and create or migrate the schema."""
        try:
            if self._has_own_connection:
                await self._connection.open()
            about = await self._schema.prepare()
            model = await settle_model(self._connection, self._keyspace)
            self.has_vector_sets = await Vectors.are_known(self._connection)
        except BaseException:
            await self.close()
            raise
        self.store_id = about["store"]
        self._code.has_vector_sets = self.has_vector_sets
        if model:
            self._use_vectors_of(model.rpartition("/")[0])

    async def close(self) -> None:
        """Leave the database."""
        if self._has_own_connection:
            await self._connection.close()

    async def claim(self, stamp: EmbeddingStamp) -> None:
        """Bind the store to an embedding model, or refuse if it holds another one's vectors."""
        await self._schema.claim(stamp)
        self._model = f"{stamp.model_id}/{stamp.dimension}"
        self._use_vectors_of(stamp.model_id)

    async def add(self, memory: MemoryRecord, chunks: Sequence[ChunkRecord]) -> str:
        """Write a memory; it becomes visible, whole, with the last of its chunks.

        Return the position of that change.
        """
        async with self._removing_on_failure([memory]):
            first, *others = itertools.batched(chunks, _CHUNKS_PER_WRITE)
            replies = await self._transact(memory, first, is_first=True, is_last=not others)
            for number, batch in enumerate(others, start=1):
                is_last = number == len(others)
                replies = await self._transact(memory, batch, is_first=False, is_last=is_last)
        return _position(replies)

    async def add_many(
        self, memories: Sequence[tuple[MemoryRecord, Sequence[ChunkRecord]]]
    ) -> None:
        """Write several small memories in one transaction; for bulk loads."""
        commands: list[Command] = []
        for memory, chunks in memories:
            commands += self._commands(memory, chunks, is_first=True, is_last=True)
        async with self._removing_on_failure([memory for memory, _ in memories]):
            await self._write(commands)

    async def remove(self, memory_id: str) -> None:
        """Take a memory out of the graph, the vector set and everybody's index."""
        chunk_ids, entity_ids = await self._memories.parts(memory_id)
        removal = self._memories.remove(memory_id, entity_ids)
        commands = [*removal, self._changes.removed(memory_id)]
        vectors = self._vectors if self.has_vector_sets else None
        if vectors is not None:
            commands += map(vectors.remove, chunk_ids)
        replies = await self._connection.transaction(commands)
        removed = {chunk for (ids,) in rows(replies[len(removal) - 1]) for chunk in ids}
        # It may have been changed after its chunks were asked for.
        if vectors is not None and (new := removed.difference(chunk_ids)):
            await self._connection.pipeline([*map(vectors.remove, new)])

    async def replace(
        self,
        memory: MemoryRecord,
        chunks: Sequence[ChunkRecord],
        now_ms: int,
        old: MemoryRecord | None = None,
    ) -> str | None:
        """Put another version in the place of a memory and keep the old one in its history.

        Whoever reads sees the old version or the new one. Return the position of that change,
        None if the memory is gone, or is not as `old` any more.
        """
        staged = replace(memory, id=uuid.uuid4().hex, created_ms=now_ms)
        async with self._removing_on_failure([staged]):
            for number, batch in enumerate(itertools.batched(chunks, _CHUNKS_PER_WRITE)):
                await self._transact(staged, batch, is_first=number == 0, is_last=False)
            old_chunks, entities = await self._memories.parts(memory.id)
            commands = self._memories.clearing(memory.id, entities)
            has_own_text = len(chunks) > 1 or chunks[0].text != memory.text
            exchange = replace(memory, created_ms=now_ms)
            commands += [
                # What is read out of it is cleared even if it stays: it is not as `old`.
                self.labels.unread(memory.id),
                self.life.replacement(exchange, staged.id, old, has_own_text=has_own_text),
                self._changes.changed(memory.id),
            ]
            replies = await self._connection.transaction(commands)
        # An exchange that was sent twice finds nothing left to do the second time.
        is_replaced = bool(rows(replies[-2])) or await self._has_chunk(memory.id, chunks[0].id)
        if not is_replaced:
            await self.remove(staged.id)
            return None
        if self.has_vector_sets:
            # Nobody finds them any more; a crash before this is put right at the next start.
            await self._connection.pipeline([*map(self._vector_set.remove, old_chunks)])
        return _position(replies)

    async def clear(self) -> None:
        """Take every memory away, with all that they say; code indexes stay."""
        keys = [self._keyspace.kept_facts, self._keyspace.forgotten]
        if self._vectors is not None:
            keys.append(self._vectors.key)
        commands: list[Command] = [
            self._schema.forgetting(),
            ("UNLINK", self._keyspace.graph, *keys),
            self._changes.cleared(),
        ]
        await self._connection.transaction(commands)
        await self._schema.prepare()

    async def rewrite_log(self) -> bool:
        """Write the log anew without what was removed; False where the log is somebody else's."""
        return self.mode == "embedded" and await rewrite_log(self._connection)

    async def orphan_vectors(self) -> int:
        """Count the vectors whose chunks are gone."""
        if self._vectors is None or not self.has_vector_sets:
            return 0
        pages = orphan_vectors(self._memories, self._vectors)
        return sum([len(page) async for page in pages])

    async def drop_orphan_vectors(self) -> None:
        """Remove the vectors whose chunks are gone."""
        if self._vectors is not None and self.has_vector_sets:
            async for page in orphan_vectors(self._memories, self._vectors):
                await self._connection.pipeline([*map(self._vectors.remove, page)])

    async def nearest(self, query: Vector, count: int) -> dict[str, float]:
        """Find the chunks nearest to a query, with their cosine similarities."""
        if not self.has_vector_sets:
            return await self._memories.nearest(query, count)
        command = self._vector_set.nearest(query, count)
        model, reply = await self._connection.pipeline([self._asking_for_model, command])
        self._check_model(model)
        return Vectors.similarities(reply)

    async def similarities(self, query: Vector, chunk_ids: Sequence[str]) -> dict[str, float]:
        """Compute the exact cosine similarity of some chunks to a query."""
        if not chunk_ids:
            return {}
        command = self._memories.comparison(query, chunk_ids)
        return Memories.parse_comparison(await self._connection.execute(*command))

    async def hits(self, chunk_ids: Sequence[str]) -> list[HitRecord]:
        """Fetch chunks with their memories, in no particular order."""
        return await self._memories.hits(chunk_ids)

    async def changes_since(self, position: str) -> list[Change]:
        """List what has changed since a position."""
        return Changes.parse(await self._connection.execute(*self._changes.since(position)))

    async def position(self) -> str:
        """Return the position of the newest change."""
        return await self._changes.end()

    async def can_follow(self, position: str) -> bool:
        """Tell whether every change after a position is still known."""
        return await self._changes.reaches(position)

    def all_entries(self) -> AsyncIterator[list[IndexEntry]]:
        """Fetch every index entry, page by page."""
        return self._memories.all_entries()

    async def entries_of(self, memory_ids: Sequence[str]) -> list[IndexEntry]:
        """Fetch the index entries of some memories."""
        return await self._memories.entries_of(memory_ids)

    async def counts(self) -> StoreCounts:
        """Count what the store holds."""
        commands = self._memories.census()
        if self._vectors is not None and self.has_vector_sets:
            commands.append(self._vectors.counting())
        replies, usage = await asyncio.gather(
            self._connection.pipeline(commands), self._connection.usage(self._keyspace.graph)
        )
        memories, chunks, is_indexing = Memories.parse_census(replies[:3])
        return StoreCounts(
            memories=memories,
            chunks=chunks,
            vectors=sum(replies[3:]),
            memory_bytes=usage.get("used_memory", 0),
            disk_bytes=usage.get("aof_current_size", 0),
            is_indexing=is_indexing,
        )

    async def check(self) -> RepairReport:
        """Compare graph and vectors, and repair what an interrupted write left behind."""
        abandoned = await self._memories.unfinished(unfinished_before_ms())
        for memory_id in abandoned:
            await self.remove(memory_id)
        restored = removed = 0
        vectors = self._vectors if self.has_vector_sets else None
        if vectors is not None and await self._memories.chunk_count() != await vectors.count():
            restored, removed = await repair_vectors(self._connection, self._memories, vectors)
        report = RepairReport(restored, removed, len(abandoned))
        if not report.did_nothing:
            _log.warning(
                "store_repaired", restored=restored, removed=removed, abandoned=len(abandoned)
            )
        return report

    @asynccontextmanager
    async def _removing_on_failure(self, memories: Sequence[MemoryRecord]) -> AsyncIterator[None]:
        try:
            yield
        except BaseException:
            with suppress(StoreError):
                for memory in memories:
                    await self.remove(memory.id)
            raise

    async def _transact(
        self, memory: MemoryRecord, batch: Sequence[ChunkRecord], *, is_first: bool, is_last: bool
    ) -> list[Any]:
        commands = self._commands(memory, batch, is_first=is_first, is_last=is_last)
        return await self._write(commands)

    async def _write(self, commands: Sequence[Command]) -> list[Any]:
        """Write vectors in one transaction, unless another process has changed the model."""
        model, *replies = await self._connection.transaction([self._asking_for_model, *commands])
        self._check_model(model)
        return replies

    @property
    def _asking_for_model(self) -> Command:
        return ("HGET", self._keyspace.about, "model")

    def _check_model(self, found: bytes | None) -> None:
        if self._model and found is None and self._keyspace.workspace != DEFAULT_WORKSPACE:
            raise StoreMismatch("The workspace was deleted meanwhile.")
        if self._model and found is not None and found.decode() != self._model:
            raise StoreMismatch(
                f"The store was moved to the model {found.decode().rpartition('/')[0]} meanwhile. "
                "Set EMBEDDING_MODEL to it and start Zapomni again."
            )

    def _commands(
        self, memory: MemoryRecord, batch: Sequence[ChunkRecord], *, is_first: bool, is_last: bool
    ) -> list[Command]:
        if is_first:
            commands = [self._memories.create(memory, batch, is_whole=is_last)]
        else:
            commands = [self._memories.extend(memory.id, batch)]
            commands += [self._memories.finish(memory.id)] if is_last else []
        if self.has_vector_sets:
            commands += [self._vector_set.add(chunk.id, chunk.embedding) for chunk in batch]
        if is_last:
            commands.append(self._changes.added(memory.id))
        return commands

    async def _has_chunk(self, memory_id: str, chunk_id: str) -> bool:
        return chunk_id in (await self._memories.parts(memory_id))[0]

    @property
    def _vector_set(self) -> Vectors:
        if self._vectors is None:
            raise StoreError("The store has not been bound to an embedding model.")
        return self._vectors

    def _use_vectors_of(self, model_id: str) -> None:
        self._vectors = Vectors(self._connection, self._keyspace.vectors(model_id))
        self._code.model_id = model_id


def _position(replies: Sequence[Any]) -> str:
    """Read where the change log has noted what was written."""
    position: bytes = replies[-1]
    return position.decode()
