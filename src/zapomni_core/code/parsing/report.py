"""What a worker answers about a file, and how it travels."""

from __future__ import annotations

import struct
from typing import Final, Literal, NamedTuple

import orjson

__all__ = ["HEAD_BYTES", "FileReport", "Request", "SymbolReport", "lengths"]

_HEAD: Final = struct.Struct("!II")
HEAD_BYTES: Final = _HEAD.size


class Request(NamedTuple):
    """A file to read, and the hash under which it is known already."""

    root: str
    path: str
    known: str | None = None

    def packed(self) -> bytes:
        """Write the request down."""
        return _framed(orjson.dumps(tuple(self)), b"")

    @classmethod
    def unpacked(cls, text: bytes) -> Request:
        """Read a request that was written down."""
        return cls(*orjson.loads(text))


class SymbolReport(NamedTuple):
    """A definition by its index, or the code outside of all (`MODULE`)."""

    definition: int
    hash: str
    terms: str
    embedded: str


class FileReport(NamedTuple):
    """What was read out of a file, or why nothing was.

    `size` and `mtime_ns` are of the moment before it was read. `facts` are packed `FileFacts`,
    whose places are bytes of the text in UTF-8.
    """

    path: str
    status: Literal["read", "unchanged", "skipped"]
    reason: str = ""
    language: str = ""
    hash: str = ""
    size: int = 0
    mtime_ns: int = 0
    encoding: str = ""
    secrets: int = 0
    lines: int = 0
    symbols: tuple[SymbolReport, ...] = ()
    facts: bytes = b""

    def packed(self) -> bytes:
        """Write the report down."""
        return _framed(orjson.dumps(tuple(self[:-1]), default=tuple), self.facts)

    @classmethod
    def unpacked(cls, text: bytes, facts: bytes) -> FileReport:
        """Read a report that was written down."""
        report = cls._make([*orjson.loads(text), facts])
        return report._replace(symbols=tuple(SymbolReport(*each) for each in report.symbols))


def lengths(head: bytes) -> tuple[int, int]:
    """Read how long the two parts of a message are."""
    text, facts = _HEAD.unpack(head)
    return text, facts


def _framed(text: bytes, facts: bytes) -> bytes:
    return _HEAD.pack(len(text), len(facts)) + text + facts
