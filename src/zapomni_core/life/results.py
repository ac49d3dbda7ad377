"""What is told about single memories."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from zapomni_core.models import CodeMention, Metadata

__all__ = [
    "Cleared",
    "MemoryChunk",
    "MemoryCounts",
    "MemoryDeleted",
    "MemoryDetails",
    "MemoryPage",
    "MemorySummary",
    "MemoryUpdated",
    "MemoryVersion",
    "Order",
    "PruneKind",
    "PruneReport",
    "Pruned",
]

type Order = Literal["newest", "oldest", "last_added", "first_added"]
type PruneKind = Literal["expired", "orphans", "history", "code", "gone_files"]


@dataclass(frozen=True, slots=True)
class MemoryChunk:
    """A piece of a memory that is found by itself."""

    chunk_id: str
    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """What a memory said before it was changed."""

    text: str
    metadata: Metadata
    timestamp: datetime
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class MemorySummary:
    """A memory in a list: `text` is its beginning, `length` that of the whole."""

    memory_id: str
    text: str
    length: int
    chunks: int
    source: str
    tags: tuple[str, ...]
    timestamp: datetime
    created_at: datetime
    changed_at: datetime | None
    expires_at: datetime | None
    is_pinned: bool
    metadata: Metadata


@dataclass(frozen=True, slots=True)
class MemoryCounts:
    """How many memories match: of each UTC day, and of the tags and sources that most have."""

    by_day: dict[str, int]
    by_tag: dict[str, int]
    by_source: dict[str, int]


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """Some of the memories that match; `next_cursor` leads on, None at the end."""

    memories: tuple[MemorySummary, ...]
    total: int
    next_cursor: str | None = None
    notice: str | None = None
    counts: MemoryCounts | None = None


@dataclass(frozen=True, slots=True)
class MemoryDetails:
    """All that is known of a memory. `names` are those of people and things it mentions."""

    memory_id: str
    text: str
    length: int
    source: str
    tags: tuple[str, ...]
    timestamp: datetime
    created_at: datetime
    changed_at: datetime | None
    expires_at: datetime | None
    is_pinned: bool
    metadata: Metadata
    chunks: tuple[MemoryChunk, ...]
    history: tuple[MemoryVersion, ...]
    similar_to: str | None
    names: tuple[str, ...]
    code: tuple[CodeMention, ...]


@dataclass(frozen=True, slots=True)
class MemoryUpdated:
    """A memory after a change; `is_changed` is False if it was like that already."""

    memory_id: str
    is_changed: bool
    chunks: int
    text_preview: str
    secrets_hidden: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MemoryDeleted:
    """What went with a memory; `is_erased` if the files on disk were written anew, too."""

    memory_id: str
    chunks: int
    facts: int
    entities: int
    versions: int
    is_erased: bool
    notice: str


@dataclass(frozen=True, slots=True)
class Cleared:
    """What a memory held before everything was deleted."""

    memories: int
    chunks: int
    is_erased: bool
    notice: str


@dataclass(frozen=True, slots=True)
class Pruned:
    """What of one kind is of no use, with some examples."""

    kind: PruneKind
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PruneReport:
    """What was removed, or would be if this was no dry run."""

    is_dry_run: bool
    kinds: tuple[Pruned, ...]
