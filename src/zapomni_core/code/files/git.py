"""What git lists in a work tree: its tracked files, and the others that it does not ignore."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

__all__ = ["GitListing"]

_LIMIT_S: Final = 30
# The settings of a repository may name programs to run; reading files must not run them.
_HARMLESS: Final = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.precomposeUnicode=false"),
    *("-c", "protocol.allow=never"),
)
_ENVIRONMENT: Final = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class GitListing:
    """Leaves out what git does not list."""

    def __init__(self, root: Path, entries: Iterable[tuple[str, bool]]) -> None:
        self._root = root
        self._files = set[str]()
        self._folders = set[str]()
        self._tracked = set[str]()
        for path, is_tracked in entries:
            # A repository inside is listed as a folder, a submodule as if it were a file.
            self._files.add(path)
            _add_folders(self._folders, path)
            if is_tracked:
                _add_folders(self._tracked, path)

    @classmethod
    def of(cls, root: Path, program: str) -> Self | None:
        """Ask git; None if the root is in no work tree, is ignored itself, or git fails."""
        top = _asked(root, program, "rev-parse", "--show-toplevel")
        if top is None or not root.is_relative_to(os.fsdecode(top.removesuffix(b"\n"))):
            return None
        if _asked(root, program, "check-ignore", "-q", "--", str(root)) is not None:
            return None
        listed = _asked(root, program, "ls-files", "-cotz", "--exclude-standard")
        if listed is None:
            return None
        lines = os.fsdecode(listed).split("\0")[:-1]
        return cls(root, ((line[2:].removesuffix("/"), line[0] != "?") for line in lines))

    def enter(self, folder: str) -> None:
        """Do nothing: everything is listed already."""

    def leaves_out(self, path: str, *, is_folder: bool) -> bool:
        """Tell if git lists nothing there."""
        if path in self._files:
            return False
        if not is_folder or path in self._folders:
            return not is_folder
        # Git is silent about what it may not enter, too.
        return os.access(self._root / path, os.R_OK | os.X_OK, effective_ids=True)

    def has_tracked(self, folder: str) -> bool:
        """Tell if files of a folder are tracked."""
        return folder in self._tracked


def _add_folders(folders: set[str], path: str) -> None:
    while (path := path.rpartition("/")[0]) and path not in folders:
        folders.add(path)


def _asked(root: Path, program: str, *command: str) -> bytes | None:
    environment = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            [program, *_HARMLESS, *command],
            cwd=root,
            env=environment | _ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
