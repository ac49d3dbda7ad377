"""Give every chunk a vector of another model beside the old one, then change over at once.

The new vectors wait in the property `next`, and in the new model's own vector set, where no
search looks. One query puts them in the place of the old ones and stamps the graph with the
model; being one query, it happens as a whole or not at all. The stamp in the graph is what
counts: if the server dies before `about` says the same, `settle_model` writes it there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import LiteralString, NamedTuple

from zapomni_db.connection import Command, Connection
from zapomni_db.cypher import Value, Vector
from zapomni_db.graph import Graph
from zapomni_db.keyspace import Keyspace
from zapomni_db.memories import Memories
from zapomni_db.records import EmbeddingStamp
from zapomni_db.repair import orphan_vectors
from zapomni_db.schema import Schema
from zapomni_db.vectors import Vectors

__all__ = ["ChunkToEmbed", "Reembedding", "settle_model"]

_PAGE = 1_000
_CHUNKS_PER_WRITE = 100
_CHARS_OF_OPENING = 400
# The most that the embedded server allows.
_LONGEST_SWITCH_MS = 120_000

_STAMPED: LiteralString = "MATCH (s:Stamp {id: 'model'}) RETURN s.model"
_WANTED: LiteralString = "MATCH (s:Stamp {id: 'next'}) RETURN s.model"
_WANT: LiteralString = "MERGE (s:Stamp {id: 'next'}) SET s.model = $model"
_FORGET: LiteralString = """
MATCH (c:Chunk) WHERE id(c) >= $from AND id(c) < $to AND c.next IS NOT NULL SET c.next = null
"""
_PENDING: LiteralString = """
MATCH (c:Chunk) WHERE id(c) >= $from AND id(c) < $to AND c.next IS NULL
MATCH (m:Memory)-[:HAS]->(c)
RETURN c.id, c.first, c.text, left(coalesce(m.text, c.text), $opening), m.ts, m.meta
"""
# A rival that wants another model has changed the stamp, and nothing is written.
_FILL: LiteralString = """
MATCH (:Stamp {id: 'next', model: $model}) UNWIND $rows AS row
MATCH (c:Chunk {id: row.id}) SET c.next = vecf32(row.vector)
"""
_SWITCH: LiteralString = """
MATCH (wanted:Stamp {id: 'next', model: $model})
OPTIONAL MATCH (c:Chunk) WHERE c.next IS NULL
WITH wanted, count(c) AS missing WHERE missing = 0
MERGE (stamp:Stamp {id: 'model'}) SET stamp.model = $model
DELETE wanted
WITH stamp
MATCH (c:Chunk) SET c.emb = c.next, c.next = null
"""
_CHUNKS: LiteralString = "MATCH (c:Chunk) RETURN count(c)"


class ChunkToEmbed(NamedTuple):
    """A chunk without a new vector, and what its setting is read from."""

    id: str
    start: int
    text: str
    opening: str
    timestamp_ms: int
    metadata_json: str


class Reembedding:
    """The way of one workspace to another model; may be left and taken up again at any point."""

    def __init__(self, connection: Connection, keyspace: Keyspace, target: EmbeddingStamp) -> None:
        self._connection = connection
        self._keyspace = keyspace
        self._target = target
        self._written = f"{target.model_id}/{target.dimension}"
        self._graph = Graph(connection, keyspace.graph)
        self._memories = Memories(self._graph)
        self._vectors: Vectors | None = None

    async def begin(self) -> bool:
        """Go on with what was begun, or begin; tell whether there is anything to do."""
        if await Vectors.are_known(self._connection):
            key = self._keyspace.vectors(self._target.model_id)
            self._vectors = Vectors(self._connection, key)
        await Schema(self._connection, self._keyspace).prepare()
        model = await settle_model(self._connection, self._keyspace)
        if model == self._written:
            await self._clean_up()
            return False
        if await self._wanted() != self._written:
            await self._graph.write(_WANT, model="")
            await self._forget()
            await self._connection.execute("UNLINK", self._keyspace.vectors(self._target.model_id))
            await self._graph.write(_WANT, model=self._written)
        return True

    async def pending(self) -> AsyncIterator[list[ChunkToEmbed]]:
        """Walk over the chunks that have no new vector, page by page."""
        for first in range(0, await self._memories.id_limit(), _PAGE):
            found = await self._graph.read(
                _PENDING, **{"from": first, "to": first + _PAGE, "opening": _CHARS_OF_OPENING}
            )
            if found:
                yield [ChunkToEmbed(*row) for row in found]

    async def count(self) -> int:
        """Count the chunks."""
        return int((await self._graph.read(_CHUNKS))[0][0])

    async def fill(self, chunk_ids: Sequence[str], vectors: Sequence[Vector]) -> None:
        """Lay new vectors of chunks beside the old ones."""
        pairs = list(zip(chunk_ids, vectors, strict=True))
        for first in range(0, len(pairs), _CHUNKS_PER_WRITE):
            some = pairs[first : first + _CHUNKS_PER_WRITE]
            rows: list[Value] = [{"id": each, "vector": vector} for each, vector in some]
            commands = [self._graph.command(_FILL, {"model": self._written, "rows": rows})]
            if self._vectors is not None:
                commands += [self._vectors.add(each, vector) for each, vector in some]
            await self._connection.transaction(commands)

    async def switch(self) -> bool:
        """Change over if every chunk has a new vector, and tell whether this was done."""
        if self._vectors is not None and await self._vectors.count() > await self.count():
            async for orphans in orphan_vectors(self._memories, self._vectors):
                await self._connection.pipeline([*map(self._vectors.remove, orphans)])
        command = self._graph.command(_SWITCH, {"model": self._written})
        await self._connection.execute(*command, "timeout", _LONGEST_SWITCH_MS)
        if await settle_model(self._connection, self._keyspace) != self._written:
            return False
        await self._clean_up()
        return True

    async def _wanted(self) -> str | None:
        found = await self._graph.read(_WANTED)
        return found[0][0] if found else None

    async def _forget(self) -> None:
        for first in range(0, await self._memories.id_limit(), _PAGE):
            await self._graph.write(_FORGET, **{"from": first, "to": first + _PAGE})

    async def _clean_up(self) -> None:
        """Drop the old model's vector sets; those of code are made anew when it is opened."""
        before = await self._connection.execute("HGET", self._keyspace.about, "before")
        if before is None:
            return
        old = before.rpartition(b"/")[0].decode()
        repositories = await self._connection.execute("HKEYS", self._keyspace.code_repositories)
        indexes = [self._keyspace.code(one.decode()) for one in repositories]
        keys = [self._keyspace.vectors(old), *(index.vectors(old) for index in indexes)]
        await self._connection.pipeline([("UNLINK", key) for key in keys])
        await self._connection.execute("HDEL", self._keyspace.about, "before")


async def settle_model(connection: Connection, keyspace: Keyspace) -> str | None:
    """Let `about` say what the stamp in the graph says; return the model with its dimension."""
    found = await Graph(connection, keyspace.graph).read(_STAMPED)
    about = await connection.execute("HGET", keyspace.about, "model")
    model: str | None = about.decode() if about else None
    if found and found[0][0] != model:
        stamped: str = found[0][0]
        changes: list[Command] = [("HSET", keyspace.about, "model", stamped)]
        if model:
            changes.append(("HSET", keyspace.about, "before", model))
        await connection.transaction(changes)
        return stamped
    return model
