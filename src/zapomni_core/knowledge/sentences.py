"""Find the sentence that something stands in."""

from __future__ import annotations

import re

__all__ = ["sentence_around", "sentence_at"]

_END = re.compile(r"(?<=[.!?])\s+|\n+")
_LONGEST = 300


def sentence_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of the sentence, or sentences, that a piece of a text stands in."""
    first, last = 0, len(text)
    for match in _END.finditer(text):
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            last = match.start()
            break
    return first, last


def sentence_around(text: str, name: str) -> str:
    """Return the first sentence that holds a name, or the beginning of a text without it."""
    place = text.casefold().find(name.casefold())
    if place < 0:
        return text[:_LONGEST]
    first, last = sentence_at(text, place, place + len(name))
    return text[first:last][:_LONGEST]
