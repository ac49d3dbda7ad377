"""What a worker answers about a file, and how it travels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Literal, NamedTuple

import orjson

from zapomni_core.workers.message import Message
from zapomni_db.code.records import SymbolRecord, records_of

__all__ = ["FileReport", "Request", "packed", "unpacked"]


class Request(NamedTuple):
    """Files to read, each with the hash under which it is known already, if it is."""

    root: str
    files: Sequence[tuple[str, str | None]]

    def packed(self) -> Message:
        """Write the request down."""
        return Message(orjson.dumps(tuple(self)))

    @classmethod
    def unpacked(cls, message: Message) -> Request:
        """Read a request that was written down."""
        return cls(*orjson.loads(message.text))


class FileReport(NamedTuple):
    """What was read out of a file, or why nothing was.

    `size` and `mtime_ns` are of the moment before it was read. `facts` are packed `FileFacts`,
    `texts` the packed words and heads of the symbols.
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
    symbols: tuple[SymbolRecord, ...] = ()
    facts: bytes = b""
    texts: bytes = b""

    @property
    def is_read(self) -> bool:
        """Tell whether there is something to be known about the file."""
        return self.status == "read"


def packed(reports: Sequence[FileReport]) -> Message:
    """Write reports down."""
    rows = [(*report[:-2], len(report.facts), len(report.texts)) for report in reports]
    content = b"".join([part for report in reports for part in report[-2:]])
    return Message(orjson.dumps(rows, default=tuple), content)


def unpacked(message: Message) -> Iterator[FileReport]:
    """Read reports that were written down."""
    content = BytesIO(message.content)
    for *about, symbols, facts, texts in orjson.loads(message.text):
        parts = content.read(facts), content.read(texts)
        yield FileReport._make([*about, records_of(SymbolRecord, symbols), *parts])
