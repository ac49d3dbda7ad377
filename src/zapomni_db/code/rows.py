"""What is known of files and symbols, as it is written down next to the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import orjson

from zapomni_db.code.cleaning import dumped
from zapomni_db.code.found import FileNode, Symbol
from zapomni_db.code.keys import KEY_LENGTH
from zapomni_db.code.records import FileRecord, FileStamp

__all__ = ["FileRow", "SymbolRow", "joined", "split"]

_STAMP = 6
_FOUND = 14


class FileRow(NamedTuple):
    """A file; `version` names its search terms, `kinds` count its symbols.

    Earlier versions did not write when it changed.
    """

    hash: str
    size: int
    mtime_ns: int
    status: str
    language: str
    reason: str
    lines: int
    errors: int
    is_test: bool
    is_generated: bool
    version: str
    kinds: Mapping[str, int]
    changed_ms: int = 0

    @classmethod
    def of(cls, file: FileRecord, version: str, changed_ms: int) -> FileRow:
        """Take down what is known of a file."""
        return cls(
            file.hash,
            file.size,
            file.mtime_ns,
            file.status,
            file.language,
            file.reason,
            file.lines,
            file.errors,
            file.is_test,
            file.is_generated,
            version,
            file.symbols.kinds,
            changed_ms,
        )

    @classmethod
    def unpacked(cls, packed: bytes) -> FileRow:
        """Read what `packed` wrote."""
        return cls(*orjson.loads(packed))

    def packed(self) -> bytes:
        """Write the row down."""
        return dumped(tuple(self))

    def node(self, path: str) -> FileNode:
        """Show the file to those who ask for it."""
        return FileNode(
            path,
            self.language,
            self.hash,
            self.size,
            self.mtime_ns,
            self.status,
            self.reason,
            self.lines,
            self.errors,
            self.is_test,
            self.is_generated,
            self.changed_ms,
        )

    @staticmethod
    def stamp(packed: bytes) -> FileStamp:
        """Read only by what a file is recognised, and what it counts as."""
        return FileStamp(*orjson.loads(packed)[:_STAMP])


class SymbolRow(NamedTuple):
    """A symbol; `parent` is the key of the one around it, `text_hash` is that of its head."""

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
    parent: str
    text_hash: str

    @classmethod
    def unpacked(cls, packed: bytes) -> SymbolRow:
        """Read what `packed` wrote."""
        return cls(*orjson.loads(packed))

    def packed(self) -> bytes:
        """Write the row down."""
        return dumped(tuple(self))

    @staticmethod
    def found(packed: bytes) -> Symbol:
        """Show the symbol to those who ask for it."""
        return Symbol(*orjson.loads(packed)[:_FOUND])


def joined(keys: Mapping[str, object]) -> str:
    """Write keys one after another."""
    return "".join(keys)


def split(keys: bytes | None) -> list[str]:
    """Read keys that were joined."""
    text = b"" if keys is None else keys
    whole = text.decode()
    return [whole[first : first + KEY_LENGTH] for first in range(0, len(whole), KEY_LENGTH)]
