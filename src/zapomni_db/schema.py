"""Schema versions: create, migrate, and refuse what this program must not touch."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from typing import LiteralString

import structlog

from zapomni_db.connection import Command, Connection
from zapomni_db.errors import StoreError, StoreMismatch
from zapomni_db.graph import Graph
from zapomni_db.keyspace import Keyspace
from zapomni_db.records import EmbeddingStamp

__all__ = ["SCHEMA_VERSION", "About", "Schema"]

type About = dict[str, str]
type Migration = Callable[[Graph], Awaitable[None]]

_log = structlog.get_logger()


async def _create_indexes(graph: Graph) -> None:
    await _ensure_index(graph, "CREATE INDEX FOR (m:Memory) ON (m.id)")
    await _ensure_index(graph, "CREATE INDEX FOR (c:Chunk) ON (c.id)")


async def _create_knowledge_indexes(graph: Graph) -> None:
    await _ensure_index(graph, "CREATE INDEX FOR (e:Entity) ON (e.id)")
    await _ensure_index(graph, "CREATE INDEX FOR (e:Entity) ON (e.key)")
    # Never with stopwords: FalkorDB 4.22 crashes on `IN` with one of them.
    await _ensure_index(
        graph, "CALL db.idx.fulltext.createNodeIndex('Entity', {field: 'terms', nostem: true})"
    )
    await _ensure_index(graph, "CREATE INDEX FOR ()-[f:FACT]->() ON (f.memory)")
    await _ensure_index(graph, "CREATE INDEX FOR ()-[f:FACT]->() ON (f.slot)")
    await _ensure_index(graph, "CREATE INDEX FOR ()-[s:SAME]->() ON (s.memory)")


async def _create_life_indexes(graph: Graph) -> None:
    await _ensure_index(graph, "CREATE INDEX FOR (m:Memory) ON (m.hash)")
    await _ensure_index(graph, "CREATE INDEX FOR (m:Memory) ON (m.expires)")
    await _ensure_index(graph, "CREATE INDEX FOR (v:Version) ON (v.memory)")


async def _ensure_index(graph: Graph, statement: LiteralString) -> None:
    try:
        await graph.write(statement)
    except StoreError as exc:
        if "already indexed" not in str(exc.__cause__):
            raise


# Migration n brings a store from version n to n + 1; each may run twice without harm.
_MIGRATIONS: tuple[Migration, ...] = (
    _create_indexes,
    _create_knowledge_indexes,
    _create_life_indexes,
)
SCHEMA_VERSION = len(_MIGRATIONS)


class Schema:
    """Who wrote a store: schema version, store id, embedding model."""

    def __init__(self, connection: Connection, keyspace: Keyspace) -> None:
        self._connection = connection
        self._key = keyspace.about
        self._graph = Graph(connection, keyspace.graph)

    async def prepare(self) -> About:
        """Create or migrate the store and return what it says about itself."""
        about = await self._read()
        found = int(about.get("schema", "0"))
        if found > SCHEMA_VERSION:
            raise StoreMismatch(
                f"The store was written by a newer Zapomni (schema {found}, this one knows "
                f"{SCHEMA_VERSION}). Upgrade Zapomni, or set ZAPOMNI_DATA_DIR to another folder."
            )
        for version, migrate in enumerate(_MIGRATIONS[found:], start=found + 1):
            await migrate(self._graph)
            await self._connection.execute("HSET", self._key, "schema", str(version))
            _log.info("schema_migrated", version=version)
        await self._connection.execute("HSETNX", self._key, "store", uuid.uuid4().hex)
        return await self._read()

    def forgetting(self) -> Command:
        """Build the note that the indexes are gone; `prepare` makes them anew."""
        return ("HSET", self._key, "schema", "0")

    async def claim(self, stamp: EmbeddingStamp) -> None:
        """Stamp an empty store with its model; refuse a store that holds another one's vectors."""
        written = f"{stamp.model_id}/{stamp.dimension}"
        await self._connection.execute("HSETNX", self._key, "model", written)
        found = (await self._read())["model"]
        if found != written:
            raise StoreMismatch(
                f"The store holds vectors of the model {found.rpartition('/')[0]}, not of "
                f"{stamp.model_id}, and they cannot be mixed. Set OLLAMA_HOST and EMBEDDING_MODEL "
                "as they were (the built-in model needs neither), or set ZAPOMNI_DATA_DIR or "
                "GRAPH_NAME to start another store."
            )

    async def _read(self) -> About:
        reply = await self._connection.execute("HGETALL", self._key)
        return {name.decode(): value.decode() for name, value in reply.items()}
