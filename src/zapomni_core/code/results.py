"""What the engine answers about code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from zapomni_core.jobs import JobReport

__all__ = [
    "CallGraph",
    "CallSite",
    "CodeHit",
    "CodeHits",
    "CodeIndexed",
    "CodeOverview",
    "CodeStatus",
    "CodeUse",
    "Direction",
    "MemoryAbout",
    "RepositoryStatus",
    "SkippedFile",
    "SymbolDetails",
    "SymbolView",
]

type Direction = Literal["callers", "callees", "impact"]


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that is not in the index, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class CodeIndexed:
    """What indexing has done; counts grow while the job still runs."""

    job: JobReport
    repository: str
    root: str
    indexed: int
    unchanged: int
    removed: int
    skipped: Mapping[str, int]
    skipped_examples: tuple[SkippedFile, ...]
    symbols: int
    calls: int
    unresolved: int
    languages: Mapping[str, int]
    secrets_hidden: int
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class SymbolDetails:
    """A function, class or other definition, and where it stands."""

    id: str
    name: str
    qualified_name: str
    kind: str
    language: str
    repository: str
    path: str
    line: int
    end_line: int
    signature: str
    doc: str


@dataclass(frozen=True, slots=True)
class CodeHit:
    """A symbol that answers a query; `is_stale` if its file has changed since it was read."""

    symbol: SymbolDetails
    score: float
    source: str
    is_stale: bool
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeHits:
    """The answer to a search in code."""

    hits: tuple[CodeHit, ...]
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class CallSite:
    """A symbol that is reached, from which one and on which line, and how sure that is.

    With `impact` the line is the first of several, and 0 for a subclass or what overrides.
    `how` is `unique` where only the name speaks for it, and `dispatch` where a subclass may
    take the call.
    """

    symbol: SymbolDetails
    depth: int
    relation: str
    via: str
    line: int
    how: str
    confidence: float


@dataclass(frozen=True, slots=True)
class CodeUse:
    """A line that names a symbol without a call that is known."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class CallGraph:
    """Who calls a symbol, what it calls, or what a change of it may break."""

    symbol: SymbolDetails | None
    direction: Direction
    sites: tuple[CallSite, ...] = ()
    externals: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    uses: tuple[CodeUse, ...] = ()
    files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    is_cut: bool = False
    suggestions: tuple[SymbolDetails, ...] = ()
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryAbout:
    """A memory that mentions a symbol or file; `is_stale` if that has changed since."""

    memory_id: str
    text: str
    timestamp: datetime
    source: str
    is_stale: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class SymbolView:
    """Everything about one symbol."""

    symbol: SymbolDetails | None
    source: str = ""
    is_stale: bool = False
    members: tuple[SymbolDetails, ...] = ()
    bases: tuple[str, ...] = ()
    subclasses: tuple[str, ...] = ()
    callers: tuple[CallSite, ...] = ()
    callees: tuple[CallSite, ...] = ()
    memories: tuple[MemoryAbout, ...] = ()
    suggestions: tuple[SymbolDetails, ...] = ()
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class CodeOverview:
    """A repository at a glance, within a number of tokens."""

    repository: str
    root: str
    files: int
    symbols: int
    calls: int
    languages: Mapping[str, int]
    kinds: Mapping[str, int]
    folders: Mapping[str, int]
    central: tuple[SymbolDetails, ...]
    entry_points: tuple[SymbolDetails, ...]
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class RepositoryStatus:
    """A repository in the index, and how much of it has vectors."""

    name: str
    root: str
    files: int
    symbols: int
    indexed_at: datetime | None
    embedded: int
    to_embed: int
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CodeStatus:
    """What code is known, and what is being read."""

    repositories: tuple[RepositoryStatus, ...]
    jobs: tuple[JobReport, ...]
