"""Pick the part of a chunk that shows why it was found."""

from __future__ import annotations

import re

__all__ = ["excerpt"]

_WORD = re.compile(r"\w{3,}")
_PREFIX = 5


def excerpt(text: str, query: str, width: int = 200) -> str:
    """Return about `width` characters of the text around the query's words, cut between words."""
    if len(text) <= width:
        return text
    places, before = _places(text, query), width // 5
    reach = width - before
    start = max(places, key=lambda place: _variety(places, place, reach), default=0)
    first = _word_start(text, max(0, min(start - before, len(text) - width)))
    last = _word_end(text, min(len(text), first + width), first)
    return f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"


def _places(text: str, query: str) -> dict[int, str]:
    # A five-letter prefix stands in for the stem: "moved" finds "moving".
    stems = {word[:_PREFIX] for word in _WORD.findall(query)}
    if not stems:
        return {}
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(stems)))})", re.IGNORECASE)
    return {match.start(): match[0].casefold() for match in pattern.finditer(text)}


def _variety(places: dict[int, str], start: int, reach: int) -> int:
    """Count different words: a place full of "the" does not show why a text was found."""
    return len({stem for place, stem in places.items() if start <= place < start + reach})


def _word_start(text: str, place: int) -> int:
    if place == 0 or text[place - 1].isspace():
        return place
    space = re.compile(r"\s").search(text, place, place + 40)
    return space.end() if space else place


def _word_end(text: str, place: int, first: int) -> int:
    if place == len(text):
        return place
    cut = max(text.rfind(" ", first, place + 1), text.rfind("\n", first, place + 1))
    return cut if cut > first else place
