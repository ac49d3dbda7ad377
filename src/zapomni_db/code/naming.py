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
    if wanted in (f"{path}::{qname}", qname):
        return 0
    if wanted == name:
        return 1
    if wanted.casefold() == qname.casefold():
        return 2
    if wanted.casefold() == name.casefold():
        return 3
    whole = [*_SEPARATORS.split(path.rpartition(".")[0]), *_SEPARATORS.split(qname)]
    with_end = [*_SEPARATORS.split(path), *_SEPARATORS.split(qname)]
    for grade, fold in ((4, str), (5, str.casefold)):
        tail = [fold(part) for part in parts]
        if any([fold(x) for x in one[-len(tail) :]] == tail for one in (whole, with_end)):
            return grade
    return NO_MATCH
