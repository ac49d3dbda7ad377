"""The indexes of a repository's graph."""

from __future__ import annotations

from typing import LiteralString

from zapomni_db.errors import StoreError
from zapomni_db.graph import Graph

__all__ = ["create_indexes"]

_INDEXES: tuple[LiteralString, ...] = (
    "CREATE INDEX FOR (f:File) ON (f.key)",
    "CREATE INDEX FOR (s:Symbol) ON (s.key, s.file, s.fold, s.emb)",
    "CREATE INDEX FOR (x:External) ON (x.key)",
    "CREATE INDEX FOR (r:Ref) ON (r.file, r.fold)",
    "CREATE INDEX FOR (g:Gone) ON (g.key, g.fold)",
)


async def create_indexes(graph: Graph) -> None:
    """Create the indexes that are not there yet."""
    for statement in _INDEXES:
        try:
            await graph.write(statement)
        except StoreError as exc:
            if "already indexed" not in str(exc.__cause__):
                raise
