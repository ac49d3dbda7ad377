"""What a worker answers about a file, and how it travels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Literal, NamedTuple

import orjson

from zapomni_core.workers.message import Message
from zapomni_db.code.records import NO_SYMBOLS, WrittenSymbols

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

    `size` and `mtime_ns` are of the moment before it was read. `facts` are packed `FileFacts`.
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
    symbols: WrittenSymbols = NO_SYMBOLS
    facts: bytes = b""

    @property
    def is_read(self) -> bool:
        """Tell whether there is something to be known about the file."""
        return self.status == "read"


def packed(reports: Sequence[FileReport]) -> Message:
    """Write reports down."""
    rows = []
    contents: list[bytes] = []
    for *about, symbols, facts in reports:
        *listed, nodes, written, words = symbols
        content = nodes, written, words, facts
        rows.append((about, listed, [*map(len, content)]))
        contents += content
    return Message(orjson.dumps(rows), b"".join(contents))


def unpacked(message: Message) -> Iterator[FileReport]:
    """Read reports that were written down."""
    content = BytesIO(message.content)
    for about, listed, lengths in orjson.loads(message.text):
        *written, facts = map(content.read, lengths)
        yield FileReport._make([*about, WrittenSymbols._make([*listed, *written]), facts])
