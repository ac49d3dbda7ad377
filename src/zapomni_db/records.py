"""The rows that cross the border of the store."""

from __future__ import annotations

from dataclasses import dataclass

from zapomni_db.cypher import Vector

__all__ = [
    "Change",
    "ChunkRecord",
    "EmbeddingStamp",
    "HitRecord",
    "IndexEntry",
    "MemoryRecord",
    "Neighbour",
    "PoolUse",
    "StoreCounts",
]


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One memory as given. Ids are 32 hex digits, times are UTC milliseconds.

    Memories of one `thread` follow each other in the order of their `place`; "" is no thread.
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


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What a word index and exact filters need to know of a chunk.

    Terms are joined by one space, repeats included.
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


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A chunk near a query vector, with their cosine similarity."""

    chunk_id: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the change log: a memory became visible, or was removed."""

    position: str
    memory_id: str
    is_removal: bool


@dataclass(frozen=True, slots=True)
class EmbeddingStamp:
    """The embedding model whose vectors a store holds."""

    model_id: str
    dimension: int


@dataclass(frozen=True, slots=True)
class PoolUse:
    """The connections that may be open at a time, and those that are busy."""

    size: int
    in_use: int


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """What the store holds, and how large it is in memory and on disk."""

    memories: int
    chunks: int
    vectors: int
    memory_bytes: int
    disk_bytes: int
    is_indexing: bool
