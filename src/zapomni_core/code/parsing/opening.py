"""Open a file below a folder without ever leaving the folder."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from zapomni_core.code.files.screening import MAX_BYTES

__all__ = ["Inside", "OpenedFile", "Unreadable", "read_inside"]

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Opening a pipe for reading waits for somebody to write into it.
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NO_NAMES: Final = frozenset({"", ".", ".."})
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


class Inside:
    """A folder below which files are read.

    The folder of the last file stays open until the end of a `with`: most files of a request stand
    beside the one before, and to open every folder again takes a third of the time of reading.
    """

    __slots__ = ("_descriptor", "_folder", "_root")

    def __init__(self, root: str) -> None:
        self._root = root
        self._folder: str | None = None
        self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def read(self, path: str) -> OpenedFile:
        """Read a file; every folder on the way must be a real one."""
        try:
            descriptor = self._opened(path)
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

    def _opened(self, path: str) -> int:
        *folders, name = path.split("/")
        if not _NO_NAMES.isdisjoint((*folders, name)):
            raise Unreadable("not a path inside the folder")
        folder = path.removesuffix(name)
        if folder != self._folder:
            self._leave()
            self._descriptor = _descended(self._root, folders)
            self._folder = folder
        return os.open(name, _FILE, dir_fd=self._descriptor)

    def _leave(self) -> None:
        if self._folder is not None:
            self._folder = None
            os.close(self._descriptor)


def read_inside(root: str, path: str) -> OpenedFile:
    """Read one file below a folder."""
    with Inside(root) as inside:
        return inside.read(path)


def _descended(root: str, folders: Sequence[str]) -> int:
    here = os.open(root, _FOLDER)
    for folder in folders:
        try:
            below = os.open(folder, _FOLDER, dir_fd=here)
        finally:
            os.close(here)
        here = below
    return here


def _bytes_of(descriptor: int, expected: int) -> bytes:
    pieces = []
    missing = MAX_BYTES + 1
    # Room for all that is allowed would be made for every file: it takes longer than reading.
    while missing and (piece := os.read(descriptor, min(missing, expected + 1))):
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)
