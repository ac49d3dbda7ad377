"""Build the writes of files and symbols.

A transaction may be sent twice. What it creates is guarded by the version of the file, which is
written last: the second time there is nothing left to create.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import LiteralString, NamedTuple

from zapomni_db.code.bulk import BulkGraph
from zapomni_db.code.found import GoneFile
from zapomni_db.code.keys import name_key, node_key
from zapomni_db.code.nodes import NodeKeys
from zapomni_db.code.records import FileRecord, Moved, Noticed
from zapomni_db.code.rows import FileRow, SymbolRow, joined
from zapomni_db.code.words import pack_words
from zapomni_db.connection import Command
from zapomni_db.cypher import Value
from zapomni_db.keyspace import CodeKeys

__all__ = [
    "Before",
    "NewFile",
    "drop_symbols",
    "write_contents",
    "write_nodes",
]

_OPEN: LiteralString = (
    "UNWIND $rows AS r MERGE (f:File {key: r[0]}) "
    "ON CREATE SET f.path = r[1], f.version = '', f.edges = '' "
    "RETURN 'File', collect(f.key), collect(id(f))"
)
_CREATE: LiteralString = """
UNWIND $rows AS one
MATCH (f:File {key: one[0]}) WHERE f.version <> one[1]
UNWIND one[2] AS r
CREATE (s:Symbol {key: r[0], kind: r[1], test: r[2], main: r[3]})
RETURN 'Symbol', collect(s.key), collect(id(s))
"""
_UPDATE: LiteralString = (
    "UNWIND $rows AS r MATCH (s:Symbol {key: r[0]}) SET s.kind = r[1], s.test = r[2]"
)
_CLOSE: LiteralString = "UNWIND $rows AS r MATCH (f:File {key: r[0]}) SET f.version = r[1]"
_DELETE_SYMBOLS: LiteralString = "MATCH (s:Symbol) WHERE s.key IN $gone DELETE s"
_ENTRY_NAMES = frozenset({"main", "Main"})


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of the files of a batch and of their symbols, and whether any are gone.

    `gone_files` are those of the batch that were gone until now.
    """

    files: Mapping[str, FileRow]
    symbols: Mapping[str, SymbolRow]
    has_gone: bool
    gone_files: Mapping[str, GoneFile]

    def is_same(self, file: FileRecord) -> bool:
        """Tell whether a file was read before, just as it is."""
        known = self.files.get(file.path)
        return known is not None and known.status != "skipped" and known.hash == file.hash


class NewFile(NamedTuple):
    """A file to write, with its new version, when it changed, and its symbols by their keys."""

    record: FileRecord
    version: str
    changed_ms: int
    keys: Sequence[str]
    symbols: Mapping[str, SymbolRow]

    @classmethod
    def of(
        cls, record: FileRecord, before: Before, keys: NodeKeys, noticed: Noticed, moved: Moved
    ) -> NewFile:
        """Work out what is to be written of a file."""
        symbols = {}
        own_keys = [keys[symbol.id] for symbol in record.symbols]
        is_same = before.is_same(record)
        file_changed = _changed_ms(record, before, own_keys, noticed, moved)
        for key, symbol in zip(own_keys, record.symbols, strict=True):
            held = before.symbols.get(key)
            if held is None:
                changed = moved.get((symbol.qname, symbol.hash), file_changed)
            else:
                is_as_before = is_same or held.hash == symbol.hash
                changed = held.changed_ms if is_as_before else file_changed
            symbols[key] = SymbolRow.of(
                record, symbol, keys[symbol.parent] if symbol.parent else "", changed
            )
        return cls(record, os.urandom(16).hex(), file_changed, own_keys, symbols)

    @property
    def is_read(self) -> bool:
        """Tell whether the file has a place in the graph."""
        return self.record.status != "skipped"


def write_nodes(graph: BulkGraph, files: Sequence[NewFile], before: Before) -> list[Command]:
    """Build the writes of nodes; the only rows in the replies tell where new ones are."""
    keys = [node_key(file.record.path) for file in files]
    opened: list[Value] = []
    created: list[Value] = []
    updated: list[Value] = []
    for key, file in zip(keys, files, strict=True):
        held = before.files.get(file.record.path)
        if held is None or held.status == "skipped":
            opened.append([key, file.record.path])
        if new := [
            _node(one, row) for one, row in file.symbols.items() if one not in before.symbols
        ]:
            created.append([key, file.version, new])
        updated += [
            _node(one, row)
            for one, row in file.symbols.items()
            if one in before.symbols and _shown(before.symbols[one]) != _shown(row)
        ]
    closed: list[Value] = [[key, file.version] for key, file in zip(keys, files, strict=True)]
    return [
        *graph.bulk_if_any(_OPEN, opened),
        *graph.bulk_if_any(_CREATE, created),
        *graph.bulk_if_any(_UPDATE, updated),
        *graph.bulk_if_any(_CLOSE, closed),
    ]


def write_contents(keys: CodeKeys, files: Sequence[NewFile], before: Before) -> list[Command]:
    """Build the writes of everything that is kept next to the graph."""
    stamps: list[str | bytes] = []
    held: list[str | bytes] = []
    facts: list[str | bytes] = []
    words: list[str | bytes] = []
    for file in files:
        path = file.record.path
        stamps += [path, FileRow.of(file.record, file.version, file.changed_ms).packed()]
        held += [path, joined(file.symbols)] if file.symbols else []
        facts += [path, file.record.facts] if file.record.facts else []
        words += [file.version, pack_words(file.record, file.keys)] if file.symbols else []
    empty = [file.record.path for file in files if not file.symbols]
    without_facts = [file.record.path for file in files if not file.record.facts]
    read = [file.record.path for file in files if file.is_read]
    return [
        ("HSET", keys.stamps, *stamps),
        *_if_any(("HSET", keys.held), held),
        *_if_any(("HDEL", keys.held), empty),
        *_if_any(("HSET", keys.facts), facts),
        *_if_any(("HDEL", keys.facts), without_facts),
        *_if_any(("HSET", keys.words), words),
        *_if_any(("SADD", keys.due), read),
        *_write_symbols(keys, files, before),
    ]


def drop_symbols(graph: BulkGraph, keys: CodeKeys, gone: Mapping[str, SymbolRow]) -> list[Command]:
    """Build the removal of symbols."""
    if not gone:
        return []
    texts = [row.text_hash + key for key, row in gone.items() if row.text_hash]
    return [
        graph.command(_DELETE_SYMBOLS, {"gone": list(gone)}),
        ("HDEL", keys.symbols, *gone),
        ("HDEL", keys.ranks, *gone),
        ("ZREM", keys.names, *(name_key(row.name) + key for key, row in gone.items())),
        *_if_any(("ZREM", keys.texts), texts),
    ]


def _write_symbols(keys: CodeKeys, files: Sequence[NewFile], before: Before) -> list[Command]:
    rows: list[str | bytes] = []
    names: list[str | bytes] = []
    texts: list[str | bytes] = []
    old_texts: list[str | bytes] = []
    for file in files:
        for key, row in file.symbols.items():
            held = before.symbols.get(key)
            if held != row:
                rows += (key, row.packed())
            if held is None:
                names += (b"0", name_key(row.name) + key)
            if row.text_hash and (held is None or held.text_hash != row.text_hash):
                texts += (b"0", row.text_hash + key)
            if held is not None and held.text_hash not in ("", row.text_hash):
                old_texts.append(held.text_hash + key)
    return [
        *_if_any(("HSET", keys.symbols), rows),
        *_if_any(("ZADD", keys.names), names),
        *_if_any(("ZREM", keys.texts), old_texts),
        *_if_any(("ZADD", keys.texts), texts),
    ]


def _changed_ms(
    file: FileRecord, before: Before, keys: Sequence[str], noticed: Noticed, moved: Moved
) -> int:
    """Tell when a file has changed."""
    known, gone = before.files.get(file.path), before.gone_files.get(file.path)
    if known is not None and file.status == "skipped":
        return known.changed_ms
    if before.is_same(file):
        assert known is not None
        # An earlier version noted it only on symbols.
        held = [before.symbols[key].changed_ms for key in keys if key in before.symbols]
        return max([known.changed_ms, *held])
    if known is not None and known.status != "skipped":
        return noticed.edited_ms(file.mtime_ns)
    if gone is not None and gone.hash == file.hash:
        return gone.changed_ms
    # It may have been there for long, only not wanted.
    return moved.get(("", file.hash), min(noticed.at_ms, file.mtime_ns // 1_000_000))


def _if_any(start: Command, rest: Collection[str | bytes]) -> list[Command]:
    return [(*start, *rest)] if rest else []


def _shown(row: SymbolRow) -> tuple[str, bool]:
    return row.kind, row.is_test


def _node(key: str, row: SymbolRow) -> list[Value]:
    return [key, row.kind, row.is_test, row.name in _ENTRY_NAMES]
