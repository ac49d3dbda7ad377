"""The indexes of a repository's graph."""

from __future__ import annotations

from typing import LiteralString

from zapomni_db.errors import StoreError
from zapomni_db.graph import Graph

__all__ = ["LAYOUT", "create_indexes"]

# Raise it with any change of what is stored where: an index of another layout is made anew.
LAYOUT = 2
_INDEXES: tuple[LiteralString, ...] = (
    "CREATE INDEX FOR (f:File) ON (f.key)",
    "CREATE INDEX FOR (s:Symbol) ON (s.key)",
    "CREATE INDEX FOR (x:External) ON (x.key)",
)


async def create_indexes(graph: Graph) -> None:
    """Create the indexes that are not there yet."""
    for statement in _INDEXES:
        try:
            await graph.write(statement)
        except StoreError as exc:
            if "already indexed" not in str(exc.__cause__):
                raise
