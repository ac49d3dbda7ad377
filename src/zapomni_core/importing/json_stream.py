"""Read JSON piece by piece, so that an export of any size needs the memory of one item."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import orjson

from zapomni_core.importing.items import reject
from zapomni_core.importing.models import Skipped

__all__ = ["ByteStream", "Value", "parse_json", "read_elements", "read_lines", "read_values"]

_CHUNK_BYTES = 1 << 20
_MAX_READ_BYTES = 16 << 20
_MAX_ITEM_BYTES = 128 << 20
_SPACE = b" \t\r\n"
_UTF8_MARK = b"\xef\xbb\xbf"
# Everything up to the next bracket outside strings. Possessive, so that it takes linear time.
_FLAT = rb'[^"\[\]{}]*+(?:"(?:[^"\\]++|\\.)*+"[^"\[\]{}]*+)*+'
_TO_BRACKET = re.compile(_FLAT + rb"[\[\]{}]", re.DOTALL)
# Within an item, over those objects and arrays that hold no others: half the steps.
_TO_NESTING = re.compile(
    _FLAT + rb"(?:[\[{]" + _FLAT + rb"[\]}]" + _FLAT + rb")*+[\[\]{}]", re.DOTALL
)


class ByteStream(Protocol):
    """The part of a binary file that reading needs."""

    def read(self, size: int, /) -> bytes: ...

    def readline(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Value:
    """A JSON value with the place that it came from."""

    data: object
    where: str


def read_lines(stream: ByteStream, name: str) -> Iterator[Value | Skipped]:
    """Read one value from each line."""
    number = 0
    while line := stream.readline(_MAX_ITEM_BYTES):
        number += 1
        where = f"{name}, line {number}"
        if len(line) == _MAX_ITEM_BYTES and not line.endswith(b"\n"):
            _finish_line(stream)
            yield reject(_TOO_LARGE, where)
        elif content := line.removeprefix(_UTF8_MARK).strip():
            yield _parsed(content, where)


def read_elements(stream: ByteStream, name: str) -> Iterator[Value | Skipped]:
    """Read the elements of an array, or the objects that follow each other."""
    for number, piece in enumerate(_Splitter(stream).pieces(), 1):
        where = f"{name}, item {number}"
        yield _parsed(piece, where) if isinstance(piece, bytes) else reject(piece, where)


def read_values(stream: ByteStream, head: bytes, name: str) -> Iterator[Value | Skipped]:
    """Read lines or elements, whichever the head of the file shows."""
    first, newline, _ = head.removeprefix(_UTF8_MARK).lstrip(_SPACE).partition(b"\n")
    is_broken_up = bool(newline) and first.rstrip().endswith((b"{", b"[", b","))
    is_array = first.startswith(b"[")
    return (read_elements if is_array or is_broken_up else read_lines)(stream, name)


def parse_json(content: bytes) -> object:
    """Parse one value; raise ValueError for what is none or is nested too deeply."""
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        pass
    try:
        # The slow reader lets broken Unicode pass: it costs one message then, not all of them.
        return json.loads(content.decode("utf-8", "surrogateescape"))
    except RecursionError:
        raise ValueError from None


_TOO_LARGE = f"an item is larger than {_MAX_ITEM_BYTES >> 20} MiB"
_REST_TOO_LARGE = f"{_TOO_LARGE}, and the rest of the file was not read"
_NOT_JSON = "not valid JSON"
_CUT_OFF = "the file ends in the middle"


def _finish_line(stream: ByteStream) -> None:
    while (rest := stream.readline(_CHUNK_BYTES)) and not rest.endswith(b"\n"):
        pass


def _parsed(content: bytes, where: str) -> Value | Skipped:
    try:
        return Value(parse_json(content), where)
    except ValueError:
        return reject(_NOT_JSON, where)


class _Splitter:
    """Cut a stream at the borders of its outermost objects; reasons stand for what is none."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._buffer = b""
        self._at = 0
        self._start: int | None = None

    def pieces(self) -> Iterator[bytes | str]:
        outer = self._enter()
        if outer is None:
            yield _NOT_JSON
            return
        depth = outer
        while (bracket := self._next_bracket()) is not None:
            gap, opens = bracket
            if depth == outer and gap:
                yield _NOT_JSON
            depth += 1 if opens else -1
            if depth < outer:
                break
            if depth == outer:
                yield self._take()
        yield from self._ending(is_open=depth > 0)

    def _enter(self) -> int | None:
        """Step into the outermost array; return the depth at which items lie."""
        self._refill()
        self._buffer = self._buffer.removeprefix(_UTF8_MARK).lstrip(_SPACE)
        if self._buffer.startswith(b"["):
            self._at = 1
            return 1
        return 0 if self._buffer.startswith(b"{") else None

    def _next_bracket(self) -> tuple[bytes, bool] | None:
        """Go behind the next bracket; return what lay between two items, and if it opens."""
        pattern = _TO_BRACKET if self._start is None else _TO_NESTING
        while (found := pattern.match(self._buffer, self._at)) is None:
            if self._pending() > _MAX_ITEM_BYTES or not self._refill():
                return None
        end = found.end()
        gap = b""
        if self._start is None:
            gap = self._buffer[self._at : end - 1].strip(_SPACE + b",")
            self._start = end - 1
        self._at = end
        return gap, self._buffer[end - 1] in b"[{"

    def _take(self) -> bytes:
        piece = self._buffer[self._start : self._at]
        self._start = None
        return piece

    def _pending(self) -> int:
        return len(self._buffer) - (self._at if self._start is None else self._start)

    def _refill(self) -> bool:
        # Reads grow with what is pending, which bounds how often one long string is scanned.
        keep = self._at if self._start is None else self._start
        size = min(max(_CHUNK_BYTES, self._pending()), _MAX_READ_BYTES)
        more = self._stream.read(size)
        self._buffer = self._buffer[keep:] + more
        self._at -= keep
        self._start = None if self._start is None else 0
        return bool(more)

    def _ending(self, *, is_open: bool) -> Iterator[str]:
        if self._pending() > _MAX_ITEM_BYTES:
            yield _REST_TOO_LARGE
        elif is_open:
            yield _CUT_OFF
        elif self._buffer[self._at :].strip(_SPACE):
            yield _NOT_JSON
