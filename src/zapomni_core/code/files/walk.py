"""Find every file of a folder that is worth reading, and say of the others why not."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from zapomni_core.code.files.attributes import Attributes
from zapomni_core.code.files.git import GitListing
from zapomni_core.code.files.ignoring import IgnoreFiles
from zapomni_core.code.files.output import is_output
from zapomni_core.code.files.patterns import parsed, verdict
from zapomni_core.code.files.repository import is_repository
from zapomni_core.code.files.screening import reason_by_name

__all__ = ["FoundFile", "SkippedFile", "Walk", "walk"]

OUTPUT: Final = "dependencies or build output"


class FoundFile(NamedTuple):
    """A file as it was when it was found; the path is relative and has slashes."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    is_executable: bool


class SkippedFile(NamedTuple):
    """A file or a whole folder that is not read."""

    path: str
    reason: str


class Walk(NamedTuple):
    """Everything in a folder that is not ignored, in the order of the paths."""

    files: list[FoundFile]
    skipped: list[SkippedFile]


class _Ignoring(Protocol):
    def enter(self, folder: str) -> None: ...
    def leaves_out(self, path: str, *, is_folder: bool) -> bool: ...
    def has_tracked(self, folder: str) -> bool: ...


def walk(root: Path, exclude: Sequence[str] = (), *, git: str | None = "git") -> Walk:
    """Walk through a real folder.

    `exclude` holds more patterns as in a `.gitignore` of the root. `git` is the program to ask
    what is ignored; without one, the ignore files are read here.
    """
    program = None if git is None else shutil.which(git)
    listing = None if program is None else GitListing.of(root, program)
    walking = _Walking(root, listing or IgnoreFiles(root), exclude)
    walking.visit_all()
    return Walk(sorted(walking.files), sorted(walking.skipped))


class _Walking:
    def __init__(self, root: Path, ignoring: _Ignoring, exclude: Sequence[str]) -> None:
        self.files: list[FoundFile] = []
        self.skipped: list[SkippedFile] = []
        self._top = str(root)
        self._ignoring = ignoring
        self._excluded = parsed(os.fsencode("\n".join(exclude)))
        self._attributes = Attributes(root)
        # Folders still to visit, each with the names beside it.
        self._ahead: list[tuple[str, AbstractSet[str]]] = [("", frozenset())]

    def visit_all(self) -> None:
        while self._ahead:
            self._visit(*self._ahead.pop())

    def _visit(self, folder: str, beside: AbstractSet[str]) -> None:
        try:
            with os.scandir(_joined(self._top, folder)) as listed:
                entries = list(listed)
        except OSError:
            self._skip(folder or ".", "unreadable folder")
            return
        names = {entry.name for entry in entries}
        if folder and ".git" in names and is_repository(_joined(self._top, folder)):
            self._skip(folder, "nested repository")
            return
        if ".gitignore" in names:
            self._ignoring.enter(folder)
        kept = {entry.name: entry for entry in entries if self._is_kept(folder, entry)}
        has_tracked = self._ignoring.has_tracked(folder)
        if folder and is_output(folder, beside, kept.keys(), has_tracked=has_tracked):
            self._skip(folder, OUTPUT)
            return
        for name, entry in kept.items():
            self._take(_joined(folder, name), entry, kept.keys())

    def _is_kept(self, folder: str, entry: os.DirEntry[str]) -> bool:
        if entry.name == ".git":
            return False
        path, is_folder = _joined(folder, entry.name), entry.is_dir(follow_symlinks=False)
        if is_folder or entry.is_file(follow_symlinks=False) or entry.is_symlink():
            return not self._ignoring.leaves_out(path, is_folder=is_folder)
        return True  # git is silent about pipes and devices

    def _take(self, path: str, entry: os.DirEntry[str], beside: AbstractSet[str]) -> None:
        is_folder = entry.is_dir(follow_symlinks=False)
        reason = self._reason_against(path, entry, is_folder=is_folder)
        if reason is not None:
            self._skip(path, reason)
        elif is_folder:
            self._ahead.append((path, beside))
        else:
            self._take_file(path, entry)

    def _reason_against(
        self, path: str, entry: os.DirEntry[str], *, is_folder: bool
    ) -> str | None:
        if entry.is_symlink():
            return "symlink"
        if not is_folder and not entry.is_file(follow_symlinks=False):
            return "not a regular file"
        if not _is_decodable(entry.name):
            return "undecodable name"
        if self._excluded and verdict(self._excluded, path.encode(), is_folder=is_folder):
            return "excluded"
        return None

    def _take_file(self, path: str, entry: os.DirEntry[str]) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return  # it was deleted since
        reason = reason_by_name(path, status.st_size) or self._attributes.reason_against(path)
        if reason is not None:
            self._skip(path, OUTPUT if reason == "vendored" else reason)
            return
        is_executable = bool(status.st_mode & stat.S_IXUSR)
        found = FoundFile(path, status.st_size, status.st_mtime_ns, status.st_ino, is_executable)
        self.files.append(found)

    def _skip(self, path: str, reason: str) -> None:
        printable = os.fsencode(path).decode(errors="backslashreplace")
        self.skipped.append(SkippedFile(printable, reason))


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder and name else folder or name


def _is_decodable(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)
