"""Folders whose source code may be read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from zapomni_core.errors import ValidationError

__all__ = ["Roots"]


class Roots:
    """Lets through folders inside of the allowed ones, wherever symbolic links lead."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)

    def allowed(self, path: str) -> Path:
        """Return the real folder that a path names."""
        folder = self._inside(path)
        if not folder.is_dir():
            raise ValidationError("path", "names no folder; name an existing one")
        return folder

    def readable(self, path: str) -> Path:
        """Return the real file or folder that a path names, to be read as a document."""
        real = self._inside(path)
        if not real.exists():
            raise ValidationError("path", "names no file and no folder; name an existing one")
        return real

    def _inside(self, path: str) -> Path:
        folder = _real(path)
        if Path.home().resolve().is_relative_to(folder):
            raise ValidationError(
                "path", "is your home folder or one around it; name the folder of one project"
            )
        # Whether something exists is told only to those who may read it.
        if not any(folder.is_relative_to(_resolved(each)) for each in self._folders):
            raise ValidationError(
                "path",
                "is in no folder that may be read; add its folder to ZAPOMNI_CODE_ROOTS, or run "
                "`zapomni index FOLDER` (code) or `zapomni add PATH` (documents) yourself",
            )
        return folder


def _real(path: str) -> Path:
    expanded = os.path.expanduser(path)  # noqa: PTH111  (Path.expanduser fails without a home)
    if "\0" in path or not os.path.isabs(expanded):  # noqa: PTH117  (also of an empty path)
        raise ValidationError("path", "must be a full path, such as /srv/project")
    return _resolved(Path(expanded))


def _resolved(folder: Path) -> Path:
    return Path(os.path.realpath(folder))
