"""Look at a store without changing it, whatever state it is in."""

from __future__ import annotations

from typing import Any, NamedTuple

from zapomni_db.connection import Address, Connection
from zapomni_db.errors import StoreRefused
from zapomni_db.graph import Graph
from zapomni_db.keyspace import Keyspace
from zapomni_db.memories import Memories
from zapomni_db.reembedding import settle_model
from zapomni_db.schema import SCHEMA_VERSION
from zapomni_db.vectors import Vectors
from zapomni_db.workspaces import WorkspaceRegistry

__all__ = ["StoreState", "look_at", "stored_model"]

_PATIENCE_S = 20.0


class StoreState(NamedTuple):
    """What a store says about itself; `model` is empty if nothing was ever stored.

    `vectors` is None if the server has no vector sets, or nothing to put into one.
    """

    keyspace: Keyspace
    mode: str
    version: str
    schema: int
    known_schema: int
    model: str
    memories: int
    chunks: int
    vectors: int | None


async def look_at(address: Address, graph_name: str, workspace: str) -> StoreState:
    """Connect, which starts an embedded database, count, and leave."""
    connection = Connection(address, pool_size=2, timeout_s=_PATIENCE_S)
    await connection.open()
    try:
        registry = WorkspaceRegistry(connection, graph_name)
        record = await registry.get(workspace)
        if record is None:
            raise StoreRefused(f"There is no workspace {workspace!r}.")
        return await _state(connection, registry.keyspace(record.id))
    finally:
        await connection.close()


async def stored_model(connection: Connection, graph_name: str, workspace: str) -> str | None:
    """Name the model whose vectors a workspace holds; of an empty one, that of the others."""
    registry = WorkspaceRegistry(connection, graph_name)
    records = await registry.all()
    for record in sorted(records, key=lambda each: each.name != workspace):
        keyspace = registry.keyspace(record.id)
        if await connection.execute("HEXISTS", keyspace.about, "model"):
            model = await settle_model(connection, keyspace)
            return model.rpartition("/")[0] if model else None
    return None


async def _state(connection: Connection, keyspace: Keyspace) -> StoreState:
    reply = await connection.execute("HGETALL", keyspace.about)
    about = {name.decode(): value.decode() for name, value in reply.items()}
    model = about.get("model", "")
    memories = chunks = 0
    if await connection.execute("EXISTS", keyspace.graph):
        census = Memories(Graph(connection, keyspace.graph)).census()
        memories, chunks, _ = Memories.parse_census(await connection.pipeline(census))
    vectors = None
    if model and await Vectors.are_known(connection):
        key = keyspace.vectors(model.rpartition("/")[0])
        vectors = await Vectors(connection, key).count()
    return StoreState(
        keyspace,
        connection.mode,
        await _version(connection),
        int(about.get("schema", "0")),
        SCHEMA_VERSION,
        model,
        memories,
        chunks,
        vectors,
    )


async def _version(connection: Connection) -> str:
    if connection.mode == "cluster":
        return ""  # its nodes may differ
    told: dict[str, Any] = await connection.execute("INFO", "server", "modules")
    graphs = [module for module in told.get("modules", ()) if module.get("name") == "graph"]
    redis = f"Redis {told.get('redis_version', '?')}"
    if not graphs:
        return redis
    number = int(graphs[0]["ver"])
    return f"FalkorDB {number // 10000}.{number // 100 % 100}.{number % 100} on {redis}"
