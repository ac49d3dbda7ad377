"""The rows that cross the border of the store.

Named tuples but for those that are changed or have an index: they are made in a third of the time
of frozen dataclasses, and their classes, for which every command waits, in a sixth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zapomni_db.cypher import Vector

__all__ = [
    "Change",
    "ChunkRecord",
    "EmbeddingStamp",
    "HitRecord",
    "IndexEntry",
    "ListedMemory",
    "MemoryRecord",
    "Neighbour",
    "PoolUse",
    "Removed",
    "StoreCounts",
    "StoredMemory",
    "StoredVersion",
]


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One memory as given. Ids are 32 hex digits, times are UTC milliseconds.

    Memories of one `thread` follow each other in the order of their `place`; "" is no thread.
    `identity` is what two memories share that say the same in the same place, "" if unknown.
    Nobody finds a memory from `expires_ms` on, unless it is pinned. `similar_to` is the id of one
    that says nearly the same.
    """

    id: str
    text: str
    created_ms: int
    timestamp_ms: int
    source: str
    tags: tuple[str, ...]
    metadata_json: str
    thread: str = ""
    place: int = 0
    speaker: str = ""
    is_code: bool = False
    identity: str = ""
    expires_ms: int | None = None
    is_pinned: bool = False
    similar_to: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """A searchable piece of a memory: `text` is the memory's text from `start` to `end`."""

    id: str
    index: int
    start: int
    end: int
    text: str
    terms: str
    embedding: Vector


@dataclass(frozen=True, slots=True)
class HitRecord:
    """A chunk together with the memory it belongs to."""

    chunk_id: str
    memory_id: str
    index: int
    start: int
    end: int
    text: str
    source: str
    tags: tuple[str, ...]
    timestamp_ms: int
    metadata_json: str


class IndexEntry(NamedTuple):
    """What a word index and exact filters need to know of a chunk.

    Terms are joined by one space, repeats included. `expires_ms` is 0 for what stays. One chunk of
    a memory is its head.
    """

    chunk_id: str
    memory_id: str
    terms: str
    timestamp_ms: int
    source: str
    tags: tuple[str, ...]
    thread: str = ""
    place: int = 0
    speaker: str = ""
    is_code: bool = False
    created_ms: int = 0
    expires_ms: int = 0
    is_head: bool = True


class Neighbour(NamedTuple):
    """A chunk near a query vector, with their cosine similarity."""

    chunk_id: str
    similarity: float


class Change(NamedTuple):
    """One entry of the change log: a memory became visible, was changed, or was removed.

    An empty `memory_id` stands for all of them.
    """

    position: str
    memory_id: str
    is_removal: bool
    is_update: bool = False


class ListedMemory(NamedTuple):
    """A memory as a list shows it: the beginning of its text, and what is known of it."""

    id: str
    beginning: str
    length: int
    chunk_count: int
    timestamp_ms: int
    created_ms: int
    changed_ms: int | None
    expires_ms: int | None
    is_pinned: bool
    source: str
    tags: tuple[str, ...]
    metadata_json: str


class StoredMemory(NamedTuple):
    """A whole memory: `chunks` are ids with where each begins and ends in the text."""

    record: MemoryRecord
    changed_ms: int | None
    chunks: tuple[tuple[str, int, int], ...]


class StoredVersion(NamedTuple):
    """What a memory said before it was changed, from and until when."""

    text: str
    metadata_json: str
    timestamp_ms: int
    since_ms: int
    until_ms: int


class Removed(NamedTuple):
    """What went with a memory, or would go."""

    memories: int = 0
    chunks: int = 0
    facts: int = 0
    entities: int = 0
    versions: int = 0


class EmbeddingStamp(NamedTuple):
    """The embedding model whose vectors a store holds."""

    model_id: str
    dimension: int


class PoolUse(NamedTuple):
    """The connections that may be open at a time, and those that are busy."""

    size: int
    in_use: int


class StoreCounts(NamedTuple):
    """What the store holds, and how large it is in memory and on disk."""

    memories: int
    chunks: int
    vectors: int
    memory_bytes: int
    disk_bytes: int
    is_indexing: bool
