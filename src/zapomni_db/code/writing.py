"""Build the writes of files and symbols.

A transaction may be sent twice. What it creates is guarded by the version of the file, which is
written last: the second time there is nothing left to create.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import LiteralString, NamedTuple

import orjson

from zapomni_db.code.bulk import BulkGraph
from zapomni_db.code.found import GoneFile
from zapomni_db.code.keys import KEY_LENGTH, name_key, node_key
from zapomni_db.code.records import FileRecord, Moved, Noticed
from zapomni_db.code.rows import FileRow, SymbolRow, joined
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
    symbols: Mapping[str, bytes]

    @classmethod
    def of(cls, record: FileRecord, before: Before, noticed: Noticed, moved: Moved) -> NewFile:
        """Work out what is to be written of a file."""
        changed_ms = _changed_ms(record, before, noticed, moved)
        rows = record.symbols.rows_as_of(changed_ms)
        if moved or not before.symbols.keys().isdisjoint(rows):
            rows |= _changed_before(record, rows, before, moved)
        return cls(record, os.urandom(16).hex(), changed_ms, rows)

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
        nodes = file.record.symbols.nodes
        if before.symbols.keys().isdisjoint(file.symbols):
            created += [[key, file.version, orjson.Fragment(nodes)]] if file.symbols else []
            continue
        known = orjson.loads(nodes)
        if new := [one for one in known if one[0] not in before.symbols]:
            created.append([key, file.version, new])
        updated += [
            one
            for one in known
            if one[0] in before.symbols and _shown(before.symbols[one[0]]) != one[1:3]
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
        words += [file.version, file.record.symbols.words] if file.symbols else []
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
    rows = {key: row for file in files for key, row in file.symbols.items()}
    names = [member for file in files for member in file.record.symbols.names]
    heads = [member for file in files for member in file.record.symbols.heads]
    old_heads: list[str] = []
    if known := {key: held for key, held in before.symbols.items() if key in rows}:
        rows = {k: row for k, row in rows.items() if SymbolRow.unpacked(row) != known.get(k)}
        names = [member for member in names if member[KEY_LENGTH:] not in known]
        known_heads = {one.text_hash + key for key, one in known.items() if one.text_hash}
        old_heads = sorted(known_heads.difference(heads))
        heads = [member for member in heads if member not in known_heads]
    return [
        *_if_any(("HSET", keys.symbols), [part for row in rows.items() for part in row]),
        *_if_any(("ZADD", keys.names), _unranked(names)),
        *_if_any(("ZREM", keys.texts), old_heads),
        *_if_any(("ZADD", keys.texts), _unranked(heads)),
    ]


def _unranked(members: Sequence[str]) -> list[str]:
    """Give members of a sorted set the same score, so that they are sorted by themselves."""
    return [*chain.from_iterable(zip(repeat("0"), members))]


def _changed_before(
    record: FileRecord, rows: Mapping[str, bytes], before: Before, moved: Moved
) -> dict[str, bytes]:
    """Give the rows of symbols that have not changed when their file did."""
    is_same = before.is_same(record)
    found = {}
    for key, packed in rows.items():
        row, held = SymbolRow.unpacked(packed), before.symbols.get(key)
        changed = row.changed_ms
        if held is None:
            changed = moved.get((row.qname, row.hash), changed)
        elif is_same or held.hash == row.hash:
            changed = held.changed_ms
        if changed != row.changed_ms:
            found[key] = row._replace(changed_ms=changed).packed()
    return found


def _changed_ms(file: FileRecord, before: Before, noticed: Noticed, moved: Moved) -> int:
    """Tell when a file has changed."""
    known, gone = before.files.get(file.path), before.gone_files.get(file.path)
    if known is not None and file.status == "skipped":
        return known.changed_ms
    if before.is_same(file):
        assert known is not None
        # An earlier version noted it only on symbols.
        keys = before.symbols.keys() & file.symbols.keys
        held = [before.symbols[key].changed_ms for key in keys]
        return max([known.changed_ms, *held])
    if known is not None and known.status != "skipped":
        return noticed.edited_ms(file.mtime_ns)
    if gone is not None and gone.hash == file.hash:
        return gone.changed_ms
    # It may have been there for long, only not wanted.
    return moved.get(("", file.hash), min(noticed.at_ms, file.mtime_ns // 1_000_000))


def _if_any(start: Command, rest: Collection[str | bytes]) -> list[Command]:
    return [(*start, *rest)] if rest else []


def _shown(row: SymbolRow) -> list[str | bool]:
    return [row.kind, row.is_test]
