"""What goes into the engine and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

__all__ = [
    "MAX_DEPTH",
    "MAX_DESCRIPTION_CHARS",
    "MAX_LIMIT",
    "MAX_NAME_CHARS",
    "MAX_QUERY_CHARS",
    "MAX_TEXT_CHARS",
    "MIN_TOKENS",
    "CodeMention",
    "Explanation",
    "MemoryResult",
    "Metadata",
    "Search",
    "SearchFilters",
    "SearchResultItem",
    "SearchResults",
    "Statistics",
    "Walk",
    "WorkspaceDeleted",
    "WorkspaceInfo",
    "moment_of",
    "public_id",
    "stored_id",
]

MAX_TEXT_CHARS = 10_000_000
MAX_QUERY_CHARS = 1000
MAX_LIMIT = 100
MIN_TOKENS = 16
MAX_NAME_CHARS = 1000
MAX_DEPTH = 5
MAX_DESCRIPTION_CHARS = 500

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

type Metadata = dict[str, Any]


def moment_of(milliseconds: int) -> datetime:
    """Return the moment that a stored time stands for."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def public_id(stored: str) -> str:
    """Write the stored id of a memory or chunk as clients know it."""
    return f"{stored[:8]}-{stored[8:12]}-{stored[12:16]}-{stored[16:20]}-{stored[20:]}"


def stored_id(public: str) -> str:
    """Return the id that `public_id` was given."""
    return public.replace("-", "")


@dataclass(frozen=True, slots=True)
class MemoryResult:
    """A stored memory.

    `is_duplicate`: it was there already, and nothing was added. `secrets_hidden` counts what was
    blanked out, by kind. `similar_to` is the id of another one that says nearly the same.
    """

    memory_id: str
    chunks_created: int
    text_preview: str
    is_duplicate: bool = False
    similar_to: str | None = None
    secrets_hidden: dict[str, int] = field(default_factory=dict)


class SearchFilters(NamedTuple):
    """Conditions that a memory must meet; dates are UTC days, both ends included."""

    tags: tuple[str, ...] = ()
    source: str | None = None
    date_from: date | None = None
    date_to: date | None = None


class Search(NamedTuple):
    """What to search for and how to answer."""

    query: str
    limit: int
    filters: SearchFilters = SearchFilters()
    min_score: float = 0.0
    max_tokens: int | None = None
    explain: bool = False


class Walk(NamedTuple):
    """Where to start in the graph, how far to go and what to bring; as of a time, or now."""

    entity: str
    depth: int
    limit: int
    predicates: frozenset[str] | None
    as_of_ms: int | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a chunk was found: what each part added to its rank, and what stands around it.

    The ranks are those of each leg alone; None if the leg did not bring it up. `nearness` and
    `coverage` are those of the best candidates: how sure the answer is as a whole.
    """

    similarity: float | None
    vector_rank: int | None
    word_rank: int | None
    nearness: float
    coverage: float
    matched_words: tuple[str, ...]
    period: str | None
    added: dict[str, float]
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class CodeMention:
    """Code that a memory mentions, and whether the memory may be out of date because of it."""

    name: str
    repository: str
    path: str
    line: int
    is_stale: bool = False
    why: str | None = None


@dataclass(frozen=True, slots=True)
class SearchResultItem:
    """A chunk that answers a query, with what is known about its memory."""

    memory_id: str
    text: str
    similarity_score: float
    tags: tuple[str, ...]
    source: str
    timestamp: datetime
    highlight: str
    chunk_id: str
    chunk_index: int
    start_char: int
    end_char: int
    metadata: Metadata = field(default_factory=dict)
    also_in: tuple[str, ...] = ()
    why: Explanation | None = None
    code: tuple[CodeMention, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Results, best first; `notice` says in what way they may be incomplete.

    `is_confident` is False if nothing that is stored seems to answer the question.
    """

    results: tuple[SearchResultItem, ...]
    notice: str | None = None
    is_confident: bool = True

    @property
    def count(self) -> int:
        """The number of results."""
        return len(self.results)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the memory holds and how it is doing."""

    total_memories: int
    total_chunks: int
    database_size_mb: float
    graph_name: str
    cache_hit_rate: float | None
    avg_query_latency_ms: float | None
    embedding_model: str
    embedding_dimension: int | None
    database: str
    disk_size_mb: float
    pool_size: int
    pool_in_use: int
    state: str
    workspace: str = "default"


@dataclass(frozen=True, slots=True)
class WorkspaceInfo:
    """A workspace and how much it holds; nobody knows when the default one was created."""

    name: str
    description: str
    created: datetime | None
    memories: int
    is_default: bool
    is_current: bool


@dataclass(frozen=True, slots=True)
class WorkspaceDeleted:
    """A workspace that is gone, and how many memories went with it."""

    name: str
    memories: int
