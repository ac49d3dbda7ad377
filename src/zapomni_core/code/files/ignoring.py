"""What `.gitignore` files leave out, where git itself cannot be asked."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from zapomni_core.code.files.patterns import Pattern, parsed, verdict
from zapomni_core.code.files.repository import enclosing_repository, shared_git_folder

__all__ = ["IgnoreFiles", "small_file"]

_MAX_BYTES: Final = 1_000_000

# Patterns and how many bytes of a path are the folder that they are relative to.
type _Level = tuple[int, tuple[Pattern, ...]]


class IgnoreFiles:
    """Reads the `.gitignore` of folders that are entered, and of those around the root.

    It does not know what is tracked: without git, a tracked file that is ignored is left out.
    """

    def __init__(self, root: Path) -> None:
        top = enclosing_repository(root) or root
        self._root = root
        self._prefix = b"".join(os.fsencode(part) + b"/" for part in root.relative_to(top).parts)
        self._levels: dict[str, tuple[_Level, ...]] = {"": _levels_around(root, top)}
        if not self._levels[""]:
            self._prefix = b""

    def enter(self, folder: str) -> None:
        """Read the patterns of a folder, after those of the folders around it."""
        around = self._above(folder)
        own = parsed(small_file(self._root / folder / ".gitignore"))
        base = len(self._prefix) + (len(os.fsencode(folder)) + 1 if folder else 0)
        self._levels[folder] = ((base, own), *around) if own else around

    def leaves_out(self, path: str, *, is_folder: bool) -> bool:
        """Tell if the patterns leave out something in an entered folder."""
        whole = self._prefix + os.fsencode(path)
        levels = self._above(path.rpartition("/")[0])
        return _is_left_out(levels, whole, is_folder=is_folder)

    def has_tracked(self, folder: str) -> bool:  # noqa: ARG002  (only git knows)
        """Tell if files of a folder are known to be tracked."""
        return False

    def _above(self, folder: str) -> tuple[_Level, ...]:
        """Find the patterns that hold in a folder; most folders have none of their own."""
        while folder not in self._levels:
            folder = folder.rpartition("/")[0]
        return self._levels[folder]


def small_file(path: Path) -> bytes:
    """Read a file of settings, or nothing where git would read nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with open(descriptor, "rb") as file:  # noqa: PTH123
        is_regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return file.read(_MAX_BYTES) if is_regular else b""


def _is_left_out(levels: tuple[_Level, ...], path: bytes, *, is_folder: bool) -> bool:
    for base, patterns in levels:
        decided = verdict(patterns, path[base:], is_folder=is_folder)
        if decided is not None:
            return decided
    return False


def _levels_around(root: Path, top: Path) -> tuple[_Level, ...]:
    """Read the patterns between the top of the work tree and the root, the nearest first.

    There are none around a root that is ignored itself: who asks for it wants what is in it.
    """
    git_folder = shared_git_folder(top)
    own = () if git_folder is None else parsed(small_file(git_folder / "info" / "exclude"))
    levels: tuple[_Level, ...] = ((0, own), (0, parsed(small_file(_personal()))))
    walked = b""
    folder = top
    for part in root.relative_to(top).parts:
        levels = ((len(walked), parsed(small_file(folder / ".gitignore"))), *levels)
        walked += os.fsencode(part)
        if _is_left_out(levels, walked, is_folder=True):
            return ()
        walked += b"/"
        folder /= part
    return levels


def _personal() -> Path:
    """Return where git looks for the user's own patterns unless it is told otherwise."""
    settings = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(settings) / "git" / "ignore"
