"""Open a file below a folder without ever leaving the folder."""

from __future__ import annotations

import errno
import os
import stat
from typing import Final, NamedTuple

from zapomni_core.code.files.screening import MAX_BYTES

__all__ = ["OpenedFile", "Unreadable", "read_inside"]

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Opening a pipe for reading waits for somebody to write into it.
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_REASONS: Final = {
    errno.ENOENT: "deleted",
    errno.ELOOP: "symlink",
    errno.ENOTDIR: "symlink",
    errno.EMLINK: "symlink",
    errno.ENXIO: "not a regular file",
}


class Unreadable(Exception):
    """The reason why a file was not read."""


class OpenedFile(NamedTuple):
    """The bytes of a file, at most one more than are allowed, and its state before."""

    raw: bytes
    size: int
    mtime_ns: int


def read_inside(root: str, path: str) -> OpenedFile:
    """Read a file; every folder on the way must be a real one."""
    try:
        descriptor = _descended(root, path)
    except OSError as exc:
        raise Unreadable(_REASONS.get(exc.errno or 0, "unreadable")) from exc
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("not a regular file")
        raw = _bytes_of(descriptor, status.st_size)
        return OpenedFile(raw, status.st_size, status.st_mtime_ns)
    except OSError as exc:
        raise Unreadable("unreadable") from exc
    finally:
        os.close(descriptor)


def _descended(root: str, path: str) -> int:
    *folders, name = path.split("/")
    if {"", ".", ".."} & {*folders, name}:
        raise Unreadable("not a path inside the folder")
    here = os.open(root, _FOLDER)
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER, dir_fd=here)
            os.close(here)
            here = below
        return os.open(name, _FILE, dir_fd=here)
    finally:
        os.close(here)


def _bytes_of(descriptor: int, expected: int) -> bytes:
    pieces = []
    missing = MAX_BYTES + 1
    # Room for all that is allowed would be made for every file: it takes longer than reading.
    while missing and (piece := os.read(descriptor, min(missing, expected + 1))):
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)
