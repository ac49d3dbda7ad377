"""Open an export: a file, a folder or a zip archive, without trusting its sizes."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from zapomni_core.importing.items import leave_out, reject
from zapomni_core.importing.json_stream import ByteStream
from zapomni_core.importing.models import Skipped

__all__ = ["UNREADABLE", "Part", "file_part", "open_parts", "reason_of"]

# Text that people wrote shrinks 3 to 10 times; a bomb does so 1,000 times and more.
_MAX_EXPANSION = 100
_MIN_BUDGET_BYTES = 16 << 20

UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error)
# Others of zipfile's methods unpack without a bound, and no program that exports uses them.
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 1


class _Locked(OSError):
    """An archive needs a password or a method that is not used here."""


class _ExpandsTooMuch(OSError):
    """An archive unpacks to more than writing ever does."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of an export; names are relative and use forward slashes."""

    name: str
    open: Callable[[], AbstractContextManager[ByteStream]]
    modified: datetime | None = None
    path: Path | None = None


def file_part(path: Path) -> Part:
    """Describe a single file."""
    return _file_part(path, path.name)


def open_parts(path: Path, wanted: re.Pattern[str]) -> Iterator[Part | Skipped]:
    """List the wanted files of an export in the order of their names; a file is always wanted."""
    if path.is_dir():
        yield from _chosen(_folder_parts(path), wanted)
    elif zipfile.is_zipfile(path):
        yield from _chosen(_zip_parts(path), wanted)
    else:
        yield file_part(path)


def reason_of(error: BaseException) -> str:
    """Say why a file could not be read."""
    match error:
        case _ExpandsTooMuch():
            return "the archive expands too much and was not read further"
        case _Locked():
            return "the archive needs a password or an unknown method"
        case OSError(strerror=str(reason)):
            return f"cannot be read: {reason}"
    return "the archive is damaged"


def _chosen(parts: Iterator[Part | Skipped], wanted: re.Pattern[str]) -> Iterator[Part | Skipped]:
    for part in parts:
        if isinstance(part, Part) and not wanted.search(part.name):
            yield leave_out("a file that holds no messages or notes", part.name)
        else:
            yield part


def _folder_parts(folder: Path) -> Iterator[Part | Skipped]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in {".git", "__MACOSX"})
        for name in sorted(files):
            path = Path(place, name)
            shown = path.relative_to(folder).as_posix()
            if path.is_symlink():
                yield leave_out("a link to another place", shown)
            elif path.is_file():
                yield _file_part(path, shown)


def _file_part(path: Path, name: str) -> Part:
    try:
        modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        modified = None
    return Part(name, lambda: path.open("rb"), modified, path)


def _zip_parts(path: Path) -> Iterator[Part | Skipped]:
    try:
        with zipfile.ZipFile(path) as archive:
            budget = _Budget(max(_MIN_BUDGET_BYTES, path.stat().st_size * _MAX_EXPANSION))
            for info in sorted(archive.infolist(), key=lambda info: info.filename):
                if not info.is_dir() and not info.filename.startswith("__MACOSX/"):
                    yield _zip_part(archive, info, budget)
    except UNREADABLE as exc:
        yield reject(reason_of(exc), path.name)


def _zip_part(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: _Budget) -> Part:
    @contextmanager
    def opened() -> Iterator[ByteStream]:
        if info.compress_type not in _METHODS or info.flag_bits & _ENCRYPTED:
            raise _Locked
        with archive.open(info) as stream:
            yield _Bounded(stream, budget)

    try:
        # An archive keeps the local time of the machine that packed it.
        modified = datetime(*info.date_time).astimezone()
    except (ValueError, OverflowError):
        modified = None
    return Part(info.filename, opened, modified)


@dataclass(slots=True)
class _Budget:
    """The bytes that may still come out of an archive; entries share it, as they may overlap."""

    left: int

    def spend(self, content: bytes) -> bytes:
        self.left -= len(content)
        if self.left < 0:
            raise _ExpandsTooMuch
        return content


class _Bounded:
    """Read an entry on a budget."""

    def __init__(self, stream: IO[bytes], budget: _Budget) -> None:
        self._stream = stream
        self._budget = budget

    def read(self, size: int, /) -> bytes:
        return self._budget.spend(self._stream.read(size))

    def readline(self, size: int, /) -> bytes:
        return self._budget.spend(self._stream.readline(size))
