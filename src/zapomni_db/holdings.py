"""What a database holds, whatever its graphs are called."""

from __future__ import annotations

from dataclasses import dataclass

from zapomni_db.connection import Connection
from zapomni_db.errors import StoreError, StoreMismatch
from zapomni_db.graph import Graph
from zapomni_db.replies import rows
from zapomni_db.schema import SCHEMA_VERSION

__all__ = ["Holding", "check_schemas", "holdings"]

_ABOUT = ":about"
_COUNTS = ("MATCH (m:Memory) RETURN count(m)", "MATCH (c:Chunk) RETURN count(c)")


@dataclass(frozen=True, slots=True)
class Holding:
    """One workspace: its key, who wrote it, and how much it holds."""

    key: str
    schema: int
    model: str
    memories: int
    chunks: int


async def holdings(connection: Connection) -> list[Holding]:
    """List the workspaces of an embedded database or a single server, by key."""
    cursor, keys = b"0", set[str]()
    while True:
        cursor, page = await connection.execute("SCAN", cursor, "MATCH", f"*{_ABOUT}")
        keys |= {key.decode() for key in page}
        if int(cursor) == 0:
            break
    return [await _holding(connection, key.removesuffix(_ABOUT)) for key in sorted(keys)]


def check_schemas(found: list[Holding]) -> None:
    """Refuse what a newer program has written."""
    for holding in found:
        if holding.schema > SCHEMA_VERSION:
            raise StoreMismatch(
                f"It was written by a newer Zapomni (schema {holding.schema}, this one knows "
                f"{SCHEMA_VERSION}). Upgrade Zapomni."
            )


async def _holding(connection: Connection, key: str) -> Holding:
    graph = Graph(connection, f"{key}:graph")
    about, *counts = await connection.pipeline(
        [("HGETALL", key + _ABOUT), *(graph.reading(query, {}) for query in _COUNTS)]
    )
    try:
        memories, chunks = (int(rows(reply)[0][0]) for reply in counts)
        schema, model = int(about.get(b"schema", 0)), about.get(b"model", b"").decode()
    except (ValueError, IndexError, AttributeError) as exc:
        raise StoreError("The database answers in a way that is not known.") from exc
    return Holding(key, schema, model, memories, chunks)
