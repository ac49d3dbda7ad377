"""Read an export, and believe nothing before its last line has proved the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zapomni_core.errors import ValidationError
from zapomni_core.keeping.lines import End, Header, KeptFact, ReadMemory, read_line

__all__ = ["Contents", "read_export", "verify_export"]

# The longest text, as JSON with every character escaped, with the vectors of its chunks.
_LONGEST_LINE = 500_000_000


@dataclass(frozen=True, slots=True)
class Contents:
    """What a whole and sound file holds."""

    header: Header
    memories: int
    kept_facts: tuple[str, ...]
    sha256: str


def verify_export(path: Path) -> Contents:
    """Read the whole file; raise ValidationError, with the line, at the first flaw."""
    census = _Census()
    for number, line in _lines(path):
        try:
            census.take(line)
        except ValidationError as exc:
            raise ValidationError(f"Line {number}:", str(exc)) from exc
    return census.result()


class _Census:
    def __init__(self) -> None:
        self._header: Header | None = None
        self._end: End | None = None
        self._ids: set[str] = set()
        self._memories = 0
        self._kept: list[str] = []
        self._hash = hashlib.sha256()
        self._before_end = ""

    def take(self, line: bytes) -> None:
        if self._end is not None:
            raise ValidationError("something", "follows the end")
        stamp = self._header.stamp if self._header else None
        content = read_line(line, stamp.dimension if stamp else None)
        if (self._header is None) != isinstance(content, Header):
            raise ValidationError("a header", "belongs into the first line, and only there")
        match content:
            case Header():
                self._header = content
            case ReadMemory(memory=memory, chunks=chunks):
                self._take_ids([memory.id, *(chunk.id for chunk in chunks)])
                self._memories += 1
            case KeptFact(fact_id):
                self._kept.append(fact_id)
            case End():
                self._end, self._before_end = content, self._hash.hexdigest()
        self._hash.update(line)

    def result(self) -> Contents:
        if self._header is None or self._end is None:
            raise ValidationError("The file", "is cut off: its last line is missing")
        found = End(self._memories, len(self._kept), self._before_end)
        if found != self._end:
            raise ValidationError("The file", "was changed or damaged: its checksum does not fit")
        return Contents(self._header, self._memories, tuple(self._kept), found.sha256)

    def _take_ids(self, new: list[str]) -> None:
        before = len(self._ids)
        self._ids.update(new)
        if len(self._ids) < before + len(new):
            raise ValidationError("an id", "comes a second time")


def read_export(path: Path, dimension: int | None) -> Iterator[ReadMemory]:
    """Read the memories of a file that was verified, with vectors if a dimension is given."""
    for _, line in _lines(path):
        content = read_line(line, dimension)
        if isinstance(content, ReadMemory):
            yield content


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(_LONGEST_LINE):
            number += 1
            if not line.endswith(b"\n"):
                raise ValidationError(f"Line {number}:", "cut off, or too long")
            yield number, line
