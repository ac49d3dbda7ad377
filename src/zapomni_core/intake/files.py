"""Find the files that are to be read, and say of every other why it is not."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from zapomni_core.code.files.screening import reason_by_name
from zapomni_core.documents import find_documents
from zapomni_core.errors import ValidationError

__all__ = ["FoundFiles", "check_agent_may_read", "find_files", "real_paths"]

_SECRET = "secret file"  # noqa: S105  (the name of a reason)


@dataclass(slots=True)
class FoundFiles:
    """Files to read, and others with the reason why they are not read, each by its full path."""

    files: list[Path] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def real_paths(paths: Sequence[str | os.PathLike[str]]) -> list[Path]:
    """Return where paths lead, each once; something must be there."""
    if not paths:
        raise ValidationError("path", "must name a file or a folder")
    real = [Path(os.path.realpath(path)) for path in paths]
    for given, path in zip(paths, real, strict=True):
        if not path.exists():
            raise ValidationError("path", f"names no file and no folder: {os.fspath(given)}")
    return list(dict.fromkeys(real))


def check_agent_may_read(path: Path) -> None:
    """Refuse a file whose name says that it holds secrets."""
    if reason_by_name(path.name, 0) == _SECRET:
        raise ValidationError(
            "path", "names a file of secrets, which agents cannot read; `zapomni add` can"
        )


def find_files(paths: Sequence[Path], exclude: Sequence[str]) -> FoundFiles:
    """Look for files in folders; what git ignores is left out. Each comes once, in order."""
    found = FoundFiles()
    for path in paths:
        if path.is_dir():
            _look_into(path, exclude, found)
        elif path.exists():
            found.files.append(path)
        else:
            found.missing.append(str(path))
    found.files = list(dict.fromkeys(found.files))
    found.left_out = list(_each_once(found))
    return found


def _look_into(folder: Path, exclude: Sequence[str], found: FoundFiles) -> None:
    inside = find_documents(folder, exclude)
    found.files += (folder / each.path for each in inside.documents)
    found.left_out += ((str(folder / each.path), each.reason) for each in inside.left_out)


def _each_once(found: FoundFiles) -> Iterator[tuple[str, str]]:
    """Leave out what is read all the same, as somebody has named it."""
    read = set(map(str, found.files))
    yield from ((path, why) for path, why in dict(found.left_out).items() if path not in read)
