"""One file with everything: a tar whose last member proves all that comes before it."""

from __future__ import annotations

import hashlib
import os
import re
import tarfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

import orjson

from zapomni_core.errors import ValidationError
from zapomni_db import StoreError
from zapomni_db.backup import LOG_FOLDER, LogFile, check_log_names
from zapomni_db.holdings import Holding

__all__ = ["Archive", "checksum_path", "read_archive", "write_archive"]

_FORMAT, _VERSION = "zapomni-backup", 1
_INFO = re.compile(r"backup\.([0-9a-f]{64})\.json")
_MOST_INFO_BYTES = 10_000_000
_MOST_MEMBERS = 100
_BLOCK = 512
_END = bytes(2 * _BLOCK)
_STEP_BYTES = 1 << 20
# Forced to disk bit by bit: all of it at once would hold up the log of the database.
_SYNC_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class Archive:
    """What a backup says of itself; `is_quiet` if nothing was written while it was made."""

    created: str
    graphs: tuple[Holding, ...]
    is_quiet: bool
    names: tuple[str, ...] = ()


def checksum_path(path: Path) -> Path:
    """Name the file beside a backup that holds its checksum."""
    return path.with_name(f"{path.name}.sha256")


def write_archive(file: BinaryIO, log: Sequence[LogFile], about: Archive) -> str:
    """Write the files of a log and what is known of them; return the hash of the whole."""
    output = _Output(file)
    for each in log:
        output.write(_head(f"{LOG_FOLDER}/{each.name}", each.size))
        left = each.size
        while left:
            content = each.file.read(min(_STEP_BYTES, left))
            if not content:
                raise StoreError("A file of the database became shorter.")
            output.write(content)
            left -= len(content)
        output.write(_padding(each.size))
    info = _info(about, output.hash.hexdigest())
    name = f"backup.{hashlib.sha256(info).hexdigest()}.json"
    output.write(_head(name, len(info)) + info + _padding(len(info)) + _END)
    return output.hash.hexdigest()


def read_archive(path: Path, into: Path | None = None) -> Archive:
    """Read a backup completely, and put its files into a folder if one is given.

    Raises ValidationError unless every byte is as it was written; what lies in the folder then
    is worth nothing.
    """
    with path.open("rb") as file:
        reader = _Reader(file, into)
        about = reader.read()
    beside = checksum_path(path)
    if beside.exists() and beside.read_text("utf-8", "replace")[:64] != reader.sha256:
        raise _flawed(f"does not have the checksum that {beside.name} says")
    return about


class _Output:
    def __init__(self, file: BinaryIO) -> None:
        self.hash = hashlib.sha256()
        self._file = file
        self._unsynced = 0

    def write(self, content: bytes) -> None:
        self.hash.update(content)
        self._file.write(content)
        self._unsynced += len(content)
        if self._unsynced >= _SYNC_BYTES:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._unsynced = 0


class _Reader:
    def __init__(self, file: BinaryIO, into: Path | None) -> None:
        self._file = file
        self._into = into
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def read(self) -> Archive:
        names: list[str] = []
        for _ in range(_MOST_MEMBERS):
            before = self._hash.hexdigest()
            name, size = self._head()
            if match := _INFO.fullmatch(name):
                return self._info(size, match[1], before, names)
            folder, _, base = name.partition("/")
            try:
                check_log_names([*names, base])
            except StoreError as exc:
                raise _flawed("holds files that belong into no backup") from exc
            if folder != LOG_FOLDER:
                raise _flawed("holds files that belong into no backup")
            self._copy(base, size)
            names.append(base)
        raise _flawed("holds too many files")

    def _head(self) -> tuple[str, int]:
        head = self._take(_BLOCK)
        try:
            member = tarfile.TarInfo.frombuf(head, "utf-8", "strict")
            is_known = head == _head(member.name, member.size)
        except (tarfile.HeaderError, UnicodeError, ValueError) as exc:
            raise _flawed("is no backup of Zapomni, or damaged") from exc
        if not is_known:
            raise _flawed("is no backup of Zapomni, or damaged")
        return member.name, member.size

    def _copy(self, name: str, size: int) -> None:
        target = None if self._into is None else self._into / name
        with open(os.devnull if target is None else target, "wb") as output:  # noqa: PTH123
            left = size
            while left:
                content = self._take(min(_STEP_BYTES, left))
                output.write(content)
                left -= len(content)
            output.flush()
            if target is not None:
                os.fsync(output.fileno())
        self._take(len(_padding(size)))

    def _info(self, size: int, sha256: str, before: str, names: Sequence[str]) -> Archive:
        if size > _MOST_INFO_BYTES:
            raise _flawed("is no backup of Zapomni, or damaged")
        info = self._take(size)
        rest = self._take(len(_padding(size)) + len(_END))
        if hashlib.sha256(info).hexdigest() != sha256 or rest.strip(b"\0") or self._file.read(1):
            raise _flawed("was changed or damaged")
        return _parsed(info, before, tuple(names))

    def _take(self, size: int) -> bytes:
        content = self._file.read(size)
        if len(content) < size:
            raise _flawed("is cut off")
        self._hash.update(content)
        return content


def _head(name: str, size: int) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member.tobuf(tarfile.GNU_FORMAT)


def _padding(size: int) -> bytes:
    return bytes(-size % _BLOCK)


def _info(about: Archive, sha256: str) -> bytes:
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "created": about.created,
        "is_quiet": about.is_quiet,
        "graphs": [asdict(graph) for graph in about.graphs],
        "sha256": sha256,
    }
    return orjson.dumps(content)


def _parsed(info: bytes, before: str, names: tuple[str, ...]) -> Archive:
    try:
        content = orjson.loads(info)
        if content["format"] != _FORMAT:
            raise _flawed("is no backup of Zapomni")
        if content["version"] != _VERSION:
            raise _flawed(f"has version {content['version']}; upgrade Zapomni")
        if content["sha256"] != before:
            raise _flawed("was changed or damaged")
        graphs = tuple(Holding(**graph) for graph in content["graphs"])
        return Archive(str(content["created"]), graphs, bool(content["is_quiet"]), names)
    except (ValueError, TypeError, KeyError) as exc:
        raise _flawed("is no backup of Zapomni") from exc


def _flawed(problem: str) -> ValidationError:
    return ValidationError("The file", f"{problem}; nothing was changed.")
