"""Names and things in a row: "Ann and Bob", "hiking, camping and chess"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zapomni_core.knowledge.facts.concepts import CONCEPT

__all__ = ["names_after", "names_before", "things_after"]

_BEFORE: Final = re.compile(
    r"(?:^|[.;:!–—]|\b(?:that|but|so|when|because))\s*"
    r"(?P<row>(?:⟪P\d+⟫\s*,\s*)*⟪P\d+⟫\s*,?\s*(?:and|&)\s*)$"
)
_MARK: Final = re.compile(r"⟪\w\d+⟫")
_NEXT_NAME: Final = (
    r"""["”]?\s*(?:,\s*(?:and\s+|&\s*|or\s+)?|and\s+|&\s*)(?:the\s+)?["“]?(⟪{}\d+⟫)"""
)
_GOES_ON: Final = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?:'s|(?!is\b|as\b)(?!this|last)(?:is|are|was|were|has|have|had|who|will|would|can)\b"
    r"|[a-z]+(?:ed|s)\b)"
)
_NEXT_THING: Final = re.compile(rf"\s*(?:,\s*(?P<and1>and\s+)?|(?P<and2>and\s+)){CONCEPT}")


def names_before(masked: str, place: int) -> Iterator[str]:
    """Give the marks that share what is said of the name at a place."""
    row = _BEFORE.search(masked, 0, place)
    if row is not None:
        yield from _MARK.findall(row["row"])


def names_after(masked: str, mark: str, place: int) -> Iterator[str]:
    """Give the marks of the same type that follow in a row."""
    following = re.compile(_NEXT_NAME.format(mark[1]))
    while (found := following.match(masked, place)) and not _GOES_ON.match(masked, found.end()):
        yield found[1]
        place = found.end()


def things_after(masked: str, first: str, place: int) -> list[str] | None:
    """Give the things that follow in a row, if "and" ends it.

    There is no row, and the first is no thing, in "action and science fiction films".
    """
    row: list[str] = []
    while found := _NEXT_THING.match(masked, place):
        thing = found["c"]
        row.append(thing)
        place = found.end()
        if found["and1"] or found["and2"]:
            if _is_doing(thing) or (" " not in thing and not (_is_doing(first) and " " in first)):
                return row
            return [] if _is_doing(first) or " " in first else None
    return []


def _is_doing(thing: str) -> bool:
    return thing.split(maxsplit=1)[0].endswith("ing")
