"""What a worker answers about a file, and how it travels."""

from __future__ import annotations

from typing import Literal, NamedTuple

import orjson

from zapomni_core.workers.message import Message

__all__ = ["FileReport", "Request", "SymbolReport"]


class Request(NamedTuple):
    """A file to read, and the hash under which it is known already."""

    root: str
    path: str
    known: str | None = None

    def packed(self) -> Message:
        """Write the request down."""
        return Message(orjson.dumps(tuple(self)))

    @classmethod
    def unpacked(cls, message: Message) -> Request:
        """Read a request that was written down."""
        return cls(*orjson.loads(message.text))


class SymbolReport(NamedTuple):
    """A definition, or the code of a file outside of all: that has no `qname`.

    The fields are those of the store's record, in the same order: nobody in between reads them.
    """

    id: str
    name: str
    qname: str
    kind: str
    line: int
    end_line: int
    hash: str
    parent: str
    signature: str
    doc: str
    terms: str
    text: str
    is_exported: bool
    is_test: bool


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
    errors: int = 0
    symbols: tuple[SymbolReport, ...] = ()
    facts: bytes = b""

    def packed(self) -> Message:
        """Write the report down."""
        return Message(orjson.dumps(tuple(self[:-1]), default=tuple), self.facts)

    @classmethod
    def unpacked(cls, message: Message) -> FileReport:
        """Read a report that was written down."""
        *about, symbols = orjson.loads(message.text)
        return cls._make([*about, tuple(map(SymbolReport._make, symbols)), message.content])
