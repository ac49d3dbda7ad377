"""A sentence with a mark in the place of every name, so that patterns see types, not names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zapomni_core.chunking.sentences import split_sentences
from zapomni_core.knowledge.model import EntityType, Mention

__all__ = ["MARKS", "Sentence", "mask_sentences", "number_of"]

MARKS: Final[dict[EntityType, str]] = {
    "person": "P",
    "organisation": "O",
    "place": "L",
    "technology": "T",
    "event": "E",
    "work": "W",
    "date": "D",
    "concept": "C",
    "reference": "R",
}

_LINE: Final = re.compile(r"[^\n\r]+")
_MARK: Final = re.compile(r"⟪\w(\d+)⟫")
_FULL_FORMS: Final = (
    (re.compile(r"[’`]"), "'"),
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"(?<=\w)'ve\b"), " have"),
    (re.compile(r"(?<=\w)'re\b"), " are"),
    (re.compile(r"(?<=\w)'ll\b"), " will"),
    (re.compile(r"(?<=\w)'d\b"), " would"),
    (re.compile(r"\b(he|she|it|who|that|there|here)'s\b"), r"\1 is"),
)
_HAS_SHORT_FORM: Final = re.compile(r"['’`]|cannot")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence from `start` to `end`, with `masked`: lower case, names marked as ⟪P3⟫."""

    start: int
    end: int
    masked: str
    mentions: tuple[int, ...]

    def unmask(self, text: str, mentions: Sequence[Mention], begin: int, end: int) -> str:
        """Give a part of it with the names back in their places."""

        def name(match: re.Match[str]) -> str:
            mention = mentions[int(match[1])]
            return text[mention.start : mention.end]

        return _MARK.sub(name, self.masked[begin:end])


def mask_sentences(text: str, mentions: Sequence[Mention]) -> Iterator[Sentence]:
    """Cut a text into sentences and mark the names in each."""
    order = sorted(range(len(mentions)), key=lambda number: mentions[number].start)
    following = 0
    for start, end in _sentences(text):
        inside = []
        while following < len(order) and mentions[order[following]].start < end:
            if mentions[order[following]].end <= end and _is_name(mentions[order[following]]):
                inside.append(order[following])
            following += 1
        yield Sentence(start, end, _masked(text, start, end, inside, mentions), tuple(inside))


def number_of(mark: str) -> int:
    """Give the number of the mention that a mark stands for."""
    return int(mark.strip("⟪⟫")[1:])


def _is_name(mention: Mention) -> bool:
    """Tell whether it is to be marked; things without a name are read as words."""
    return mention.type != "concept"


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for line in _LINE.finditer(text):
        start = line.end() - len(line[0].lstrip())
        if start < line.end():
            yield from split_sentences(text, start, line.end())


def _masked(
    text: str, start: int, end: int, inside: Sequence[int], mentions: Sequence[Mention]
) -> str:
    pieces = []
    for number in inside:
        mention = mentions[number]
        pieces += [_plain(text[start : mention.start]), f"⟪{MARKS[mention.type]}{number}⟫"]
        start = max(start, mention.end)
    return "".join((*pieces, _plain(text[start:end])))


def _plain(text: str) -> str:
    lower = text.lower().translate({ord("⟪"): " ", ord("⟫"): " "})
    if _HAS_SHORT_FORM.search(lower):
        for pattern, full in _FULL_FORMS:
            lower = pattern.sub(full, lower)
    return lower
