"""Bring graph and vector set back in step after a crash or an interrupted write."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import NamedTuple

import numpy as np

from zapomni_db.connection import Connection
from zapomni_db.memories import Memories
from zapomni_db.vectors import Vectors

__all__ = ["RepairReport", "orphan_vectors", "repair_vectors", "unfinished_before_ms"]

_PAGE = 500
# A writer that is still at work after an hour would have run into its request timeout long ago.
_ABANDONED_AFTER_MS = 3_600_000


class RepairReport(NamedTuple):
    """What a repair had to do."""

    vectors_restored: int = 0
    vectors_removed: int = 0
    memories_discarded: int = 0

    @property
    def did_nothing(self) -> bool:
        """Whether the store was whole."""
        return self == RepairReport()


def unfinished_before_ms() -> int:
    """Return the creation time before which an unfinished memory counts as abandoned."""
    return int(time.time() * 1000) - _ABANDONED_AFTER_MS


async def repair_vectors(
    connection: Connection, memories: Memories, vectors: Vectors
) -> tuple[int, int]:
    """Restore missing vectors from the nodes and drop vectors without a node."""
    restored = await _restore_missing(connection, memories, vectors)
    removed = await _remove_orphans(connection, memories, vectors)
    return restored, removed


async def _restore_missing(connection: Connection, memories: Memories, vectors: Vectors) -> int:
    restored = 0
    for first in range(0, await memories.id_limit(), _PAGE):
        page = await memories.embeddings(first, _PAGE)
        missing = await vectors.missing([chunk_id for chunk_id, _ in page]) if page else set()
        commands = [
            vectors.add(chunk_id, np.asarray(vector, np.float32))
            for chunk_id, vector in page
            if chunk_id in missing
        ]
        if commands:
            await connection.pipeline(commands)
        restored += len(commands)
    return restored


async def orphan_vectors(memories: Memories, vectors: Vectors) -> AsyncIterator[list[str]]:
    """List the vectors without a node, page by page."""
    last = ""
    while members := await vectors.members(last, _PAGE):
        last = members[-1]
        known = await memories.existing_chunks(members)
        if orphans := [member for member in members if member not in known]:
            yield orphans


async def _remove_orphans(connection: Connection, memories: Memories, vectors: Vectors) -> int:
    removed = 0
    async for orphans in orphan_vectors(memories, vectors):
        await connection.pipeline([*map(vectors.remove, orphans)])
        removed += len(orphans)
    return removed
