"""Where a git repository begins."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["enclosing_repository", "is_repository", "shared_git_folder"]


def is_repository(folder: str | Path) -> bool:
    """Tell if a folder is the top of a work tree."""
    mark = f"{folder}/.git"
    # A submodule and a second work tree have a file there.
    return os.path.isfile(mark) or all(  # noqa: PTH113
        os.path.exists(f"{mark}/{part}")  # noqa: PTH110  (once per folder of a walk)
        for part in ("HEAD", "objects", "refs")
    )


def enclosing_repository(folder: Path) -> Path | None:
    """Find the top of the work tree that a folder is in."""
    return next((each for each in (folder, *folder.parents) if is_repository(each)), None)


def shared_git_folder(top: Path) -> Path | None:
    """Find the folder that all work trees of a repository share."""
    mark = top / ".git"
    try:
        if mark.is_file():
            pointer = mark.read_text(encoding="utf-8", errors="surrogateescape")
            mark = top / pointer.removeprefix("gitdir:").strip()
        shared = mark / "commondir"
        if shared.is_file():
            return mark / shared.read_text(encoding="utf-8", errors="surrogateescape").strip()
    except (OSError, ValueError):
        return None
    return mark
