"""Small repositories to index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from zapomni_db import Store
from zapomni_db.code import (
    CodeIndex,
    EdgeColumns,
    FileRecord,
    NumberedEdges,
    RepositoryRecord,
    SymbolRecord,
    written_symbols,
)


class CallRecord(NamedTuple):
    """All calls of one symbol, or of a dotted name outside of the repository, by another."""

    source: str
    target: str
    lines: Sequence[int]
    how: str
    confidence: float
    is_external: bool = False


class RefRecord(NamedTuple):
    """A call that is bound to nothing."""

    source: str
    name: str
    receiver: str
    line: int
    candidates: tuple[str, ...] = ()


class InheritRecord(NamedTuple):
    """A class and one of its bases."""

    source: str
    target: str
    order: int
    is_external: bool = False


class OverrideRecord(NamedTuple):
    """A method and the one of a base class that it replaces."""

    source: str
    target: str


class ImportRecord(NamedTuple):
    """An import of a path in the repository, or of a dotted name outside."""

    target: str
    name: str
    alias: str
    line: int
    is_external: bool = False


class EdgeRecords(NamedTuple):
    """Everything that one file refers to."""

    calls: tuple[CallRecord, ...] = ()
    refs: tuple[RefRecord, ...] = ()
    inherits: tuple[InheritRecord, ...] = ()
    overrides: tuple[OverrideRecord, ...] = ()
    imports: tuple[ImportRecord, ...] = ()


def symbol(path: str, qname: str, source: str = "pass", parent: str = "") -> SymbolRecord:
    """Make a symbol whose doc is its source."""
    digest = _hash(source)
    name = qname.rpartition(".")[2]
    return SymbolRecord(
        id=f"{path}::{qname}",
        name=name,
        qname=qname,
        kind="method" if parent else "function",
        line=1,
        end_line=2,
        hash=digest,
        parent=f"{path}::{parent}" if parent else "",
        signature=f"def {name}()",
        doc=source,
        head_hash=_hash(f"{path} {source}"),
    )


def file(path: str, *symbols: SymbolRecord, facts: bytes = b"facts") -> FileRecord:
    """Make a file that holds these symbols, whose words are their docs."""
    digest = _hash("".join(one.qname + one.hash for one in symbols))
    words = [_written(one.doc) for one in symbols]
    heads = [_written(f"{path} {one.doc}") for one in symbols]
    written = written_symbols(path, "python", 1, symbols, words, heads)
    return FileRecord(path, "python", digest, 10, 1, facts=facts, symbols=written)


def _written(text: str) -> str:
    return text.encode(errors="replace").decode()


def _hash(text: str) -> str:
    return blake2b(_written(text).encode(), digest_size=16).hexdigest()


def call(source: str, target: str, line: int = 1, how: str = "import") -> CallRecord:
    return CallRecord(source, target, (line,), how, 0.9)


def calls(*found: CallRecord) -> EdgeRecords:
    return EdgeRecords(calls=found)


async def empty_index(store: Store, repository_id: str = "r1") -> CodeIndex:
    """Register a repository and give its index."""
    await store.code.register(RepositoryRecord(repository_id, "/src/thing", "thing"))
    return store.code.index(repository_id)


async def texts_to_embed(index: CodeIndex) -> list[tuple[str, str]]:
    """List the texts that have no vector yet, with their hashes."""
    return [one async for page in index.missing_texts() for one in page]


async def callers_of(index: CodeIndex, symbol_id: str) -> Sequence[str]:
    """List who calls a symbol."""
    graph = await index.call_graph([symbol_id], "callers")
    return sorted(link.source for link in graph.links)


async def write_edges(index: CodeIndex, edges: Mapping[str, EdgeRecords]) -> int:
    """Write edges that name their ends."""
    names: dict[str, int] = {}

    def columns(rows: Sequence[tuple[object, ...]], named: int) -> list[list[object]]:
        numbered = [
            [*(names.setdefault(str(name), len(names)) for name in row[:named]), *row[named:]]
            for row in rows
        ]
        return [list(column) for column in zip(*numbered, strict=True)]

    files = {
        path: EdgeColumns(
            columns(one.calls, 2),
            columns(one.refs, 2),
            columns(one.inherits, 2),
            columns(one.overrides, 2),
            columns(one.imports, 1),
        )
        for path, one in edges.items()
    }
    return await index.write_edges(NumberedEdges([*names], files))
