"""Find the documents of a folder, and say of every other file why it is none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from zapomni_core.code.files.walk import walk
from zapomni_core.documents.kinds import HEAD_BYTES, kind_by_content, kind_by_name
from zapomni_core.documents.model import DocumentLimits, Kind

__all__ = ["FoundDocument", "FoundDocuments", "LeftOut", "find_documents"]

# Source code of this size is nobody's, but a book may well be.
_TOO_BIG_FOR_CODE: Final = "too big"


class FoundDocument(NamedTuple):
    """A file to read; the path is relative and has slashes."""

    path: str
    kind: Kind
    size: int


class LeftOut(NamedTuple):
    """A file or a whole folder that is not read."""

    path: str
    reason: str


class FoundDocuments(NamedTuple):
    """Everything in a folder that git does not ignore, in the order of the paths."""

    documents: list[FoundDocument]
    left_out: list[LeftOut]


def find_documents(
    folder: Path, exclude: Sequence[str] = (), limits: DocumentLimits | None = None
) -> FoundDocuments:
    """Sort the files of a real folder; `exclude` holds patterns as in a `.gitignore`."""
    limits = limits or DocumentLimits()
    found = walk(folder, exclude)
    big = [each.path for each in found.skipped if each.reason == _TOO_BIG_FOR_CODE]
    files = [*((each.path, each.size) for each in found.files), *_sized(folder, big)]
    answer = FoundDocuments(
        [],
        [LeftOut(*each) for each in found.skipped if each.reason != _TOO_BIG_FOR_CODE],
    )
    for path, size in files:
        _sort(folder, path, size, limits, answer)
    return FoundDocuments(sorted(answer.documents), sorted(answer.left_out))


def _sort(
    folder: Path, path: str, size: int, limits: DocumentLimits, answer: FoundDocuments
) -> None:
    kind = kind_by_name(path)
    reason = ""
    if size == 0:
        reason = "empty"
    elif size > limits.input_bytes:
        reason = "too big"
    elif kind is None:
        kind, reason = _looked_into(folder / path)
    if reason or kind is None:
        answer.left_out.append(LeftOut(path, reason))
    else:
        answer.documents.append(FoundDocument(path, kind, size))


def _looked_into(path: Path) -> tuple[Kind | None, str]:
    try:
        with path.open("rb") as file:
            kind = kind_by_content(file.read(HEAD_BYTES))
    except OSError:
        return None, "unreadable"
    return kind, "" if kind else "unknown kind"


def _sized(folder: Path, paths: Sequence[str]) -> list[tuple[str, int]]:
    sized = []
    for path in paths:
        try:
            sized.append((path, (folder / path).stat().st_size))
        except OSError:
            continue  # it was deleted since
    return sized
