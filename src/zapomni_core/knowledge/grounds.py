"""What a text gives for a statement: where a name stands, and whether a sentence states it."""

from __future__ import annotations

import re
from typing import Final

from zapomni_core.knowledge.facts.concepts import is_telling
from zapomni_core.knowledge.facts.doubt import is_denied, is_doubtful, stated_until

__all__ = ["can_be_named", "is_stated", "places_of", "pronoun_in", "speaker_in"]

_MOST_WORDS: Final = 6
_PRONOUNS: Final = (
    "i me my mine myself we us our ours you your yours he him his she her hers it its they them"
    " their theirs this that these those who whom whose which what someone somebody everyone"
    " everybody nobody anyone something anything everything nothing here there one"
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|me|my|mine|we|our|us)\b")
_THIRD_PERSON: Final = re.compile(r"\b(?:he|him|his|she|her|it|its|they|them|their|who|whose)\b")
_OVER: Final = re.compile(
    r"\b(?:used to|former(?:ly)?|previous(?:ly)?|once|ex|no longer|any ?more|until|till|back then"
    r"|left|quit|resigned|retired|was|were|had|lived|worked|led|headed|studied|played)\b"
)
_MAY_BE_OVER: Final = "leads lives_in member_of occupation owns plays_for studies uses works_at"
_OF_THINGS: Final = (
    "allergic_to dislikes has_family has_pet has_trait likes occupation owns plays practices"
    " prefers studies uses"
)


def places_of(text: str, name: str) -> list[tuple[int, int]]:
    """List where a name stands in a text, as whole words in any case and spacing."""
    words = r"\s+".join(map(re.escape, name.split()))
    if not words:
        return []
    found = re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)
    return [match.span() for match in found]


def can_be_named(name: str, predicate: str) -> bool:
    """Tell whether words can be the object of a predicate, or without one a subject.

    Things without a name are objects only, and of such predicates only as are about things.
    """
    words = name.casefold().split()
    if not words or len(words) > _MOST_WORDS or words[0] in _PRONOUNS.split():
        return False
    if not name.islower():
        return True
    return predicate in _OF_THINGS.split() and is_telling(predicate, name)


def speaker_in(masked: str) -> tuple[int, int] | None:
    """Find where a sentence speaks of its speaker."""
    found = _FIRST_PERSON.search(masked)
    return None if found is None else found.span()


def pronoun_in(masked: str) -> tuple[int, int] | None:
    """Find where a sentence speaks of somebody or something without the name."""
    found = _THIRD_PERSON.search(masked)
    return None if found is None else found.span()


def is_stated(masked: str, predicate: str, begin: int, end: int) -> bool:
    """Tell whether a sentence says that it is so, in what stands between two places."""
    if predicate in _MAY_BE_OVER.split() and _OVER.search(masked):
        return False
    if stated_until(masked) < end:
        return False
    return not is_denied(masked, begin, end) and not is_doubtful(masked, begin, end)
