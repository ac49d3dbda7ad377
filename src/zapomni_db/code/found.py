"""The rows of a code index that are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

__all__ = [
    "CallGraph",
    "CallLink",
    "CodeCensus",
    "EmbeddingCounts",
    "FileNode",
    "GoneFile",
    "GoneSymbol",
    "Impact",
    "ImpactGraph",
    "PossibleCall",
    "RankedSymbol",
    "Relatives",
    "Symbol",
]


class Symbol(NamedTuple):
    """A definition in the index.

    `changed_ms` is when its source was last seen to change, 0 if never since the first index.
    """

    id: str
    path: str
    name: str
    qname: str
    kind: str
    language: str
    line: int
    end_line: int
    signature: str
    doc: str
    hash: str
    is_exported: bool
    is_test: bool
    changed_ms: int


class RankedSymbol(NamedTuple):
    """A symbol and how much speaks for it."""

    score: float
    symbol: Symbol


class FileNode(NamedTuple):
    """A file in the index.

    `changed_ms` is when it was last seen to change, 0 if never since the first index.
    """

    path: str
    language: str
    hash: str
    size: int
    mtime_ns: int
    status: str
    reason: str
    lines: int
    errors: int
    is_test: bool
    is_generated: bool
    changed_ms: int = 0


class CallLink(NamedTuple):
    """All calls of one symbol by another; a source without a symbol is the code of a file.

    `source` is a symbol id or a path, `target` a symbol id or a dotted name outside, `depth`
    the distance from where the search began, from 1.
    """

    source: str
    source_path: str
    target: str
    lines: tuple[int, ...]
    how: str
    confidence: float
    is_external: bool
    depth: int


class PossibleCall(NamedTuple):
    """A call of this name that is bound to nothing; `source` is "" in the code of a file."""

    path: str
    source: str
    name: str
    receiver: str
    line: int
    candidates: tuple[str, ...]


class CallGraph(NamedTuple):
    """Who calls whom, nearest first, with every symbol that occurs.

    `possible` are calls bound to nothing that may belong here by their name.
    """

    links: tuple[CallLink, ...]
    symbols: Mapping[str, Symbol]
    possible: tuple[PossibleCall, ...] = ()
    is_cut: bool = False


class Impact(NamedTuple):
    """Something that a change may reach; a file has its path for an id.

    `on_line` is where it first calls or imports what may change, 0 if it does neither.
    """

    id: str
    path: str
    kind: str
    line: int
    is_test: bool
    via: Literal["CALLS", "INHERITS", "OVERRIDES", "IMPORTS"]
    depth: int
    how: str = ""
    confidence: float = 1.0
    on_line: int = 0


class ImpactGraph(NamedTuple):
    """Everything that a change may reach, nearest first."""

    reached: tuple[Impact, ...]
    is_cut: bool


class GoneSymbol(NamedTuple):
    """A symbol that has disappeared, with where it was."""

    id: str
    name: str
    path: str
    kind: str
    line: int
    since_ms: int


class GoneFile(NamedTuple):
    """A file that has disappeared, with what was in it and when that last changed."""

    path: str
    since_ms: int
    hash: str
    changed_ms: int


class Relatives(NamedTuple):
    """The ids around a symbol; a container is a path, a base may be a name outside."""

    container: str
    members: tuple[str, ...]
    bases: tuple[str, ...]
    subclasses: tuple[str, ...]
    overrides: tuple[str, ...]
    overridden_by: tuple[str, ...]
    symbols: Mapping[str, Symbol]


class CodeCensus(NamedTuple):
    """How much there is: files by status, language and reason to skip, symbols by kind."""

    files: Mapping[str, int]
    files_by_language: Mapping[str, int]
    symbols_by_kind: Mapping[str, int]
    symbols_by_language: Mapping[str, int]
    skipped: Mapping[str, tuple[int, tuple[str, ...]]]
    calls: int
    external_calls: int
    unresolved_names: int
    inherits: int
    imports: int
    gone: int


class EmbeddingCounts(NamedTuple):
    """How many symbols have a vector, how many want one, and vectors that no symbol has."""

    embedded: int
    wanted: int
    unused_vectors: int
