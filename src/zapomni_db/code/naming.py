"""Tell which symbols a name means that somebody wrote."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["NO_MATCH", "fit", "last_names", "name_parts"]

NO_MATCH: Final = 9

_SEPARATORS: Final = re.compile(r"::|->|#(?!\d+$)|[./\\]")
_NUMBER: Final = re.compile(r"#\d+$")


def name_parts(wanted: str) -> list[str]:
    """Split a name at whatever separates its parts."""
    return [part for part in _SEPARATORS.split(wanted) if part]


def last_names(wanted: str, parts: list[str]) -> frozenset[str]:
    """Give the names, in lower case, of which a meant symbol has one."""
    return frozenset(_NUMBER.sub("", name).casefold() for name in (parts[-1], wanted))


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
    for grade, fold in ((4, str), (5, str.casefold)):
        tail = [fold(part) for part in parts]
        if any([fold(x) for x in one[-len(tail) :]] == tail for one in (whole, with_end)):
            return grade
    return NO_MATCH
