"""Look at the memory without changing it: what it holds, and whether its parts agree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zapomni_core.address import address_of
from zapomni_core.errors import DatabaseError
from zapomni_core.retrieval.snapshot import SnapshotUnusable, read_snapshot
from zapomni_core.settings import Settings
from zapomni_db import DEFAULT_WORKSPACE, EmbeddedAddress, Keyspace, StoreError
from zapomni_db.inspection import look_at

__all__ = ["Inspection", "inspect", "is_embedded"]


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was seen; `model_id` is that of the stored vectors, None if there are none.

    `words` says how the copy of the word index on disk is: whole, damaged or missing.
    """

    mode: str
    version: str
    schema: int
    known_schema: int
    model_id: str | None
    memories: int
    chunks: int
    vectors: int | None
    words: str


def is_embedded(settings: Settings) -> bool:
    """Tell whether the database runs inside the data folder."""
    return isinstance(address_of(settings), EmbeddedAddress)


async def inspect(settings: Settings) -> Inspection:
    """Ask the database, which starts if it is embedded, and look at the files beside it."""
    try:
        state = await look_at(address_of(settings), settings.graph_name, settings.workspace)
    except StoreError as exc:
        raise DatabaseError(str(exc)) from exc
    words = settings.data_dir / "cache" / f"{_stem(state.keyspace)}.words"
    return Inspection(
        state.mode,
        state.version,
        state.schema,
        state.known_schema,
        state.model.rpartition("/")[0] or None,
        state.memories,
        state.chunks,
        state.vectors,
        _words(words),
    )


def _stem(keyspace: Keyspace) -> str:
    is_default = keyspace.workspace == DEFAULT_WORKSPACE
    return keyspace.graph_name if is_default else f"{keyspace.graph_name}@{keyspace.workspace}"


def _words(path: Path) -> str:
    if not path.exists():
        return "missing"
    try:
        read_snapshot(path)
    except SnapshotUnusable:
        return "damaged"
    return "whole"
