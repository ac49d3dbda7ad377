"""Folders that the user has named once, and whose code may be read since."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import orjson

from zapomni_core.errors import ProcessingError

__all__ = ["NamedFolders"]


class NamedFolders:
    """A list of folders in the data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / "code-folders.json"

    def all(self) -> tuple[Path, ...]:
        """List the folders."""
        try:
            return tuple(map(Path, orjson.loads(self._file.read_bytes())))
        except FileNotFoundError:
            return ()
        except (TypeError, ValueError):
            raise ProcessingError(
                f"{self._file} is damaged; delete it, then name your folders again with "
                "`zapomni index FOLDER`."
            ) from None

    def add(self, folder: Path) -> None:
        """Note a folder, once."""
        known = self.all()
        if folder not in known:
            self._write([*known, folder])

    def remove(self, folder: Path) -> None:
        """Take a folder out, if it is there."""
        known = self.all()
        if folder in known:
            self._write([each for each in known if each != folder])

    def _write(self, folders: Sequence[Path]) -> None:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = self._file.with_suffix(".part")
        unfinished.write_bytes(orjson.dumps([str(each) for each in folders]))
        unfinished.replace(self._file)
