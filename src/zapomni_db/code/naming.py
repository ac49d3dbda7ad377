"""Tell which symbols a name means that somebody wrote."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

__all__ = ["NO_MATCH", "fit", "is_end_of", "last_names", "name_parts", "named_alike"]

NO_MATCH: Final = 9

_SEPARATORS: Final = re.compile(r"::|->|#(?!\d+$)|[./\\]")
_HERE: Final = frozenset({"crate", "self", "this"})
_NUMBER: Final = re.compile(r"#\d+$")


def name_parts(wanted: str) -> list[str]:
    """Split a name at whatever separates its parts, without what only says where it is seen."""
    parts = [part for part in _SEPARATORS.split(wanted) if part]
    return parts[1:] if len(parts) > 1 and parts[0] in _HERE else parts


def last_names(wanted: str, parts: list[str]) -> frozenset[str]:
    """Give the names, in lower case, of which a meant symbol has one."""
    return frozenset(_NUMBER.sub("", name).casefold() for name in (parts[-1], wanted))


def named_alike(paths: Iterable[str], ends: Collection[str]) -> list[str]:
    """Choose the paths whose last part is that of one of these."""
    names = {end.rpartition("/")[2] for end in ends}
    return [path for path in paths if path.rpartition("/")[2] in names]


def is_end_of(path: str, end: str) -> bool:
    """Tell whether the last folders and the name of a file are these."""
    return path == end or path.endswith(f"/{end}")


def fit(wanted: str, parts: list[str], name: str, qname: str, path: str) -> int:
    """Tell how well a symbol is meant: the lower the better, `NO_MATCH` if it is not."""
    plain = _NUMBER.sub("", qname)
    if wanted in (f"{path}::{qname}", qname):
        return 0
    if wanted in (name, plain):
        return 1
    if wanted.casefold() == plain.casefold():
        return 2
    if wanted.casefold() == name.casefold():
        return 3
    links = name_parts(qname if _NUMBER.search(wanted) else plain)
    whole = [*_SEPARATORS.split(path.rpartition(".")[0]), *links]
    with_end = [*_SEPARATORS.split(path), *links]
    if _ends_in(parts, whole) or _ends_in(parts, with_end):
        return 4
    folded = [part.casefold() for part in parts]
    if any(_ends_in(folded, [part.casefold() for part in one]) for one in (whole, with_end)):
        return 5
    # A class goes by its package in Java, and by that of the folder in others.
    in_folder = [*_SEPARATORS.split(path.rpartition("/")[0]), *links]
    return 6 if links and len(parts) > 1 and _ends_in(parts, in_folder) else NO_MATCH


def _ends_in(tail: list[str], parts: list[str]) -> bool:
    return parts[-len(tail) :] == tail
