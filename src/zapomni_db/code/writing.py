"""Build the writes of files and symbols.

A transaction may be sent twice. What it creates is guarded by the version of the file, which is
written last: the second time there is nothing left to create.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import LiteralString, NamedTuple

from zapomni_db.code.bulk import BulkGraph
from zapomni_db.code.keys import hash_of, name_key, node_key
from zapomni_db.code.records import FileRecord, SymbolRecord
from zapomni_db.connection import Command
from zapomni_db.cypher import Value

__all__ = ["Before", "Held", "NewFile", "bury", "write_files"]

# What pointed at something that is gone must be resolved again, by whoever comes next.
_MARK_POINTING: LiteralString = """
MATCH (s:Symbol) WHERE s.key IN $gone
MATCH (s)<-[:CALLS|INHERITS|OVERRIDES]-(x)
WITH DISTINCT coalesce(x.file, x.key) AS file
MATCH (f:File {key: file}) SET f.due = true
RETURN collect(f.path)
"""
_BURY: LiteralString = """
MATCH (s:Symbol) WHERE s.key IN $gone
MERGE (g:Gone {key: s.key})
SET g.fold = s.fold, g.id = s.id, g.name = s.name, g.path = s.path, g.kind = s.kind,
    g.line = s.line, g.since = $at
DELETE s
"""
_RAISE: LiteralString = "MATCH (g:Gone) WHERE g.key IN $new DELETE g"
_OPEN: LiteralString = (
    "UNWIND $rows AS key MERGE (f:File {key: key}) ON CREATE SET f.version = '', f.edges = ''"
)
_EACH: LiteralString = """
UNWIND $rows AS one
MATCH (f:File {key: one[0]}) WHERE f.version <> one[1]
UNWIND one[2] AS r
"""
_SYMBOL: LiteralString = """(:Symbol {
    key: r[0], id: r[1], file: r[2], path: r[3], fold: r[4], name: r[5], qname: r[6], kind: r[7],
    lang: r[8], line: r[9], end_line: r[10], sig: r[11], doc: r[12], hash: r[13], emb: r[14],
    exported: r[15], test: r[16], changed: r[17], rank: 0.0
})"""
_CREATE_IN_FILE: LiteralString = _EACH + "CREATE (f)-[:DEFINES]->" + _SYMBOL
_CREATE_IN_SYMBOL: LiteralString = (
    _EACH + "MATCH (p:Symbol {key: r[18]}) CREATE (p)-[:DEFINES]->" + _SYMBOL
)
_UPDATE: LiteralString = (
    _EACH
    + """
MATCH (s:Symbol {key: r[0]})
SET s += {
    kind: r[7], lang: r[8], line: r[9], end_line: r[10], sig: r[11], doc: r[12], hash: r[13],
    emb: r[14], exported: r[15], test: r[16], changed: r[17]
}
"""
)
_LEAVE: LiteralString = _EACH + "MATCH (s:Symbol {key: r[0]}) MATCH (s)<-[d:DEFINES]-() DELETE d"
_ENTER_FILE: LiteralString = (
    _EACH + "MATCH (s:Symbol {key: r[0]}) WHERE r[18] = '' CREATE (f)-[:DEFINES]->(s)"
)
_ENTER_SYMBOL: LiteralString = (
    _EACH
    + """
MATCH (p:Symbol {key: r[18]}) WITH r, p
MATCH (s:Symbol {key: r[0]}) CREATE (p)-[:DEFINES]->(s)
"""
)
_WRITE_FILE: LiteralString = """
UNWIND $rows AS r
MATCH (f:File {key: r[0]})
SET f += {
    path: r[1], lang: r[2], hash: r[3], size: r[4], mtime: r[5], status: r[6], reason: r[7],
    lines: r[8], errors: r[9], test: r[10], generated: r[11], version: r[12], due: true
}
"""
_PARENT = 18


class Held(NamedTuple):
    """A symbol that is there: its source's hash, when that changed, and what defines it."""

    hash: str
    changed_ms: int
    parent_key: str | None


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of the files of a batch: versions and symbols, and whether any are gone."""

    versions: Mapping[str, str]
    symbols: Mapping[str, Held]
    has_gone: bool


class NewFile(NamedTuple):
    """A file to write, with its key, its new version, and the rows of its symbols."""

    key: str
    version: str
    record: FileRecord
    rows: Mapping[str, list[Value]]

    @classmethod
    def of(cls, record: FileRecord, version: str, before: Before, at_ms: int) -> NewFile:
        """Work out what is to be written of a file."""
        key = node_key(record.path)
        keys = {symbol.id: node_key(symbol.id) for symbol in record.symbols}
        found = {
            keys[one.id]: _row(
                keys[one.id], key, record, one, keys.get(one.parent, ""), before, at_ms
            )
            for one in record.symbols
        }
        return cls(key, version, record, found)


def bury(graph: BulkGraph, gone: Collection[str], at_ms: int) -> list[Command]:
    """Build the removal of symbols; the first reply tells which files pointed at them."""
    if not gone:
        return []
    keys: Value = sorted(gone)
    return [
        graph.command(_MARK_POINTING, {"gone": keys}),
        graph.command(_BURY, {"gone": keys, "at": at_ms}),
    ]


def write_files(graph: BulkGraph, files: Sequence[NewFile], before: Before) -> list[Command]:
    """Build the writes of files and their symbols; those that are there are updated in place."""
    kept, moved, levels = _sorted_out(files, before)
    commands = [graph.bulk(_OPEN, [file.key for file in files])]
    new: Value = [key for file in files for key in file.rows if key not in before.symbols]
    if new and before.has_gone:
        commands.append(graph.command(_RAISE, {"new": new}))
    commands += graph.bulk_if_any(_UPDATE, kept)
    for depth, level in enumerate(levels):
        query = _CREATE_IN_SYMBOL if depth else _CREATE_IN_FILE
        commands += graph.bulk_if_any(query, level)
    for query in (_LEAVE, _ENTER_FILE, _ENTER_SYMBOL):
        commands += graph.bulk_if_any(query, moved)
    commands.append(graph.bulk(_WRITE_FILE, [_file_row(file) for file in files]))
    return commands


def _sorted_out(
    files: Sequence[NewFile], before: Before
) -> tuple[list[Value], list[Value], list[list[Value]]]:
    """Tell apart what is there, what of that is defined elsewhere now, and what is new.

    What is new comes by depth: a symbol can only be created inside of one that exists.
    """
    kept: list[Value] = []
    moved: list[Value] = []
    levels: list[list[Value]] = []
    for file in files:
        there = [row for key, row in file.rows.items() if key in before.symbols]
        away = [row for row in there if before.symbols[str(row[0])].parent_key != _holder(row)]
        _append(kept, file, there)
        _append(moved, file, away)
        by_depth: dict[int, list[list[Value]]] = {}
        for key, row in file.rows.items():
            if key not in before.symbols:
                by_depth.setdefault(_depth(key, file.rows), []).append(row)
        for depth in range(max(by_depth, default=-1) + 1):
            if len(levels) <= depth:
                levels.append([])
            _append(levels[depth], file, by_depth.get(depth, []))
    return kept, moved, levels


def _append(groups: list[Value], file: NewFile, found: Sequence[list[Value]]) -> None:
    if found:
        groups.append([file.key, file.version, found])


def _holder(row: Sequence[Value]) -> Value:
    return row[_PARENT] or row[2]


def _depth(key: str, found: Mapping[str, list[Value]]) -> int:
    depth = 0
    while parent := str(found[key][_PARENT]):
        key, depth = parent, depth + 1
    return depth


def _row(
    key: str,
    file_key: str,
    file: FileRecord,
    symbol: SymbolRecord,
    parent_key: str,
    before: Before,
    at_ms: int,
) -> list[Value]:
    held = before.symbols.get(key)
    is_same = held is not None and held.hash == symbol.hash
    return [
        key,
        symbol.id,
        file_key,
        file.path,
        name_key(symbol.name),
        symbol.name,
        symbol.qname,
        symbol.kind,
        file.language,
        symbol.line,
        symbol.end_line,
        symbol.signature.replace("\0", "\ufffd"),
        symbol.doc.replace("\0", "\ufffd"),
        symbol.hash,
        hash_of(symbol.text) if symbol.text else "",
        symbol.is_exported,
        symbol.is_test or file.is_test,
        held.changed_ms if held is not None and is_same else at_ms,
        parent_key,
    ]


def _file_row(file: NewFile) -> list[Value]:
    record = file.record
    return [
        file.key,
        record.path,
        record.language,
        record.hash,
        record.size,
        record.mtime_ns,
        record.status,
        record.reason,
        record.lines,
        record.errors,
        record.is_test,
        record.is_generated,
        file.version,
    ]
