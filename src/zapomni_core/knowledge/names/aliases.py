"""Which names of one text mean the same thing, because the text shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from zapomni_core.knowledge.model import Alias, EntityName, Mention
from zapomni_core.knowledge.names.keys import TITLE

__all__ = ["Named", "aliases_in"]

EXPANDED, STATED, SURNAME, FIRST_NAME, INITIAL = 0.95, 0.9, 0.9, 0.8, 0.85
_LESSER_WORDS = frozenset(("of", "and", "the", "for", "in", "on", "to", "de", "la", "und"))
_OPENING = re.compile(r"[\"”’']?\s*\(\s*[\"“‘']?")
_ALSO_KNOWN = re.compile(
    r"[\"”’']?,?\s*\(?(?:who\s+is\s+|which\s+is\s+|is\s+)?(?:also|better)\s+(?:known|called)"
    r"(?:\s+as)?\s+[\"“‘']?(?:the\s+)?"
    r"|[\"”’']?,?\s*\(?\b(?:aka|a\.k\.a\.?|nicknamed)\s+[\"“‘']?(?:the\s+)?",
    re.IGNORECASE,
)
_STANDS_FOR = re.compile(
    r"[\"”’']?,?\s*\(?(?:is\s+)?(?:short\s+for|stands\s+for)\s+[\"“‘']?(?:the\s+)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Named:
    """A mention and what it is called."""

    mention: Mention
    name: EntityName

    @property
    def words(self) -> list[str]:
        """The words of the key, without a title."""
        return TITLE.sub("", self.name.key, count=1).split()


def aliases_in(text: str, named: Sequence[Named]) -> Iterator[Alias]:
    """Yield each pair of names once."""
    seen: set[tuple[str, str]] = set()
    for alias in (*_stated(text, named), *_people(named)):
        pair = (alias.short, alias.full)
        if alias.short != alias.full and not {pair, pair[::-1]} & seen:
            seen.add(pair)
            yield alias


def _stated(text: str, named: Sequence[Named]) -> Iterator[Alias]:
    """Yield what the text itself puts side by side."""
    for one, other in pairwise(named):
        between = text[one.mention.end : other.mention.start][:60]
        if (
            _OPENING.fullmatch(between)
            and text[other.mention.end :][:2].lstrip("\"”’' ")[:1] == ")"
        ):
            yield from _expansion(one, other)
        elif _ALSO_KNOWN.fullmatch(between):
            yield Alias(other.name.key, one.name.key, STATED)
        elif _STANDS_FOR.fullmatch(between):
            yield Alias(one.name.key, other.name.key, STATED)


def _expansion(one: Named, other: Named) -> Iterator[Alias]:
    for short, full in ((one, other), (other, one)):
        if _is_acronym(short.name.name, full.name.key):
            yield Alias(short.name.key, full.name.key, EXPANDED)


def _is_acronym(short: str, full: str) -> bool:
    """Tell whether the letters begin the words, those of lesser words optional."""
    letters = short.replace(".", "").removesuffix("s")
    words = full.split()
    if not (letters.isupper() and 2 <= len(letters) <= 10 and len(words) >= 2):
        return False
    main = "".join(word[0] for word in words if word not in _LESSER_WORDS)
    return letters.casefold() in {main, "".join(word[0] for word in words)}


def _people(named: Sequence[Named]) -> Iterator[Alias]:
    """Yield parts of a person's name that come after the whole, if they fit one person only."""
    people = [one for one in named if one.mention.type == "person"]
    full: dict[str, tuple[int, list[str]]] = {}
    for one in people:
        if len(one.words) > 1 and not _is_shortened(one.words):
            full.setdefault(one.name.key, (one.mention.start, one.words))
    for one in people:
        fits = [
            (key, start, confidence)
            for key, (start, words) in full.items()
            if (confidence := _fit(one.words, words))
        ]
        if len(fits) == 1 and fits[0][1] < one.mention.start:
            yield Alias(one.name.key, fits[0][0], fits[0][2])


def _is_shortened(words: list[str]) -> bool:
    return all(len(word) == 1 for word in words[:-1])


def _fit(short: list[str], full: list[str]) -> float:
    """Say how surely a short name means the full one; 0 if it does not fit."""
    if len(short) == 1:
        return SURNAME if short[0] == full[-1] else FIRST_NAME if short[0] == full[0] else 0.0
    is_initialled = _is_shortened(short) and short[-1] == full[-1] and len(short) <= len(full)
    matches = all(name.startswith(part) for part, name in zip(short[:-1], full, strict=False))
    return INITIAL if is_initialled and matches else 0.0
