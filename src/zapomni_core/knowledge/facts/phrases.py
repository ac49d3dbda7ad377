"""The small language in which the patterns of facts are written.

A phrase is a row of words. `a|b` is one or the other, `a_b` is two words, `a?` may be missing.
`S` and `O` are the names that become subject and object, `S's` also stands for "my" and "her".
`C` is a thing without a name, `J` a job, `P` a pet, `F` a relative, `K` a thing one owns,
`E` a kind of event, `Q` a trait, `N` an object that describes the word behind it, and
L, D, T, X are names that are neither subject nor object, and `^` is where the sentence begins.
`*` is up to four words that say more about what follows, WHEN a time, and BE, WAS, HAS the forms
of a verb.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from zapomni_core.knowledge.facts.concepts import CONCEPT, OCCUPATION
from zapomni_core.knowledge.facts.masking import MARKS

__all__ = ["Aspect", "Rule", "rules"]

# What the words say about when the fact holds: it goes on, is over, begins, ends, happens once,
# or has no time of its own.
type Aspect = Literal["state", "past", "start", "end", "event", "timeless"]

_ADVERBS: Final = (
    "also currently now just recently still really actually finally first later then originally"
    " both all always previously formerly once absolutely totally truly definitely primarily"
    " mainly mostly subsequently eventually briefly soon already happily jointly famously"
    " personally genuinely simply thus"
)
_ADVERB: Final = rf"(?:\s*,?(?<!\w)(?:{'|'.join(_ADVERBS.split())})(?!\w)){{0,2}}"
_ASIDE: Final = r"(?:\s*\([^()]{0,120}\))?"
_GAP: Final = (
    r"(?:(?!(?:and|or|but|to|of|for|in|at|by|from|with|on|that|which|who|not|i|he|she|it|we|you"
    r"|they|deputy|vice|assistant|lieutenant|nominal|acting|km|miles|east|west|north|south)\b)(?:[a-z0-9][\w'-]*|⟪[DL]\d+⟫)\s+){0,4}?"
)
_MACROS: Final = {
    "BE": "is|are|am",
    "WAS": "was|were",
    "HAS": "has|have|had",
    "IS": "is|are|am|was|were",
}
_ANY: Final = {letter: rf"⟪{letter}\d+⟫" for letter in "LDT"} | {"X": r"⟪\w\d+⟫", "^": r"^\W*"}
_PET: Final = (
    r"(?P<c>(?:golden\s+retriever|guinea\s+pig|german\s+shepherd|dog|cat|puppy|kitten|pup|turtle"
    r"|hamster|parrot|rabbit|bunny|horse|goldfish|snake|lizard|tortoise|ferret)(?:s|es)?)(?!\w)"
    r"(?=\s*(?:[.,;:!?)\"–—]|\s-|$|(?:named|called|and|or|but|so|always|out|is|was|are|were|has"
    r"|have|who|with|in|on|at|to|for|from|when|since|because|just|loves?|likes?|last|this|too"
    r"|named|\w+ed)(?!\w)))"
)
_FAMILY: Final = (
    r"(?<!our\s)(?<!their\s)(?P<c>husband|wife|kids|children|son|sons|daughter|daughters|boyfriend|girlfriend|fiancée?"
    r"|fiance|twins)(?![\w'])(?!\s*,?\s*⟪P)"
)
_EVENT: Final = (
    r"(?P<c>(?:(?!(?:lot|bit|few|time|day|week|my|the|of|at|for)\b)[a-z-]+\s+){0,2}(?:picnic|exam|interview|audition|meeting|party|surgery"
    r"|accident|performance|wedding|ceremony|dinner|recital|exhibition|tournament|appointment|class"
    r"|workshop|festival|concert|competition|barbecue|bbq|parade|marathon|race|conference|retreat"
    r"|reunion|fundraiser|gig|photoshoot|campout|road\s+trip|sleepover|convention))(?![\w'-])"
    r"(?!\s+(?!last|yesterday|today|this|recently|together|two|three|a)[a-z]{4,}(?<!ing)(?<!with))"
)
_POSSESSION: Final = (
    r"(?<!our\s)(?<!their\s)(?P<c>car|bike|house|apartment|guitar|piano|violin|truck|motorcycle"
    r"|camera|telescope|garden|boat|blog|laptop|computer|phone|clarinet|online\s+store|bookshelf"
    r"|necklace|notebook|kitchen|backyard|tent|kayak|skateboard|(?:[a-z]+\s+)?collection|website"
    r"|garage)(?=\s*(?:[.,;:!?)]|\s-|$|(?:and|but|so|is|was|has|in|at|with|to|for|last|from|broke"
    r"|got|which|that|when|on|because|as)(?!\w)))"
)
_TRAIT: Final = (
    r"(?P<c>vegan|vegetarian|lactose\s+intolerant|pregnant|retired|left-handed|diabetic|single"
    r"|transgender|gluten\s+intolerant|gluten-free|dyslexic|colou?r-?blind|dairy-free|divorced"
    r"|widowed|married)(?=\s*(?:[.,;:!?)]|$|(?:and|but|so|in|now|since|because)(?!\w)))"
)
_WHEN: Final = r"(?:(?:on|in|around|circa|c\.)?\s*(?:the\s+)?⟪D\d+⟫\s*,?\s*)?"
# Of these there is one at a time, so what follows in a row is something else.
_ONE: Final = (
    "lives_in works_at born_in born_on died_in died_on founded_on married_to capital_of located_in"
    " nationality leads"
)
_SEVERAL: Final = re.compile(
    r"\b(?:children|kids|friends|sons|daughters|brothers|sisters|siblings|dogs|cats|pets)\b"
)
_DENYING: Final = frozenset(("not", "no_longer"))
_SLOTS: Final = frozenset(
    ("S", "O", "S's", "C", "J", "N", "P", "F", "E", "K", "Q", "^", "*", "L", "D", "T", "X")
)
_PERSONS: Final = r"i|we|he|she|they"
_OWNERS: Final = r"my|our|his|her|their"
# Words so common that a sentence with one of them says nothing about whether the phrase is there.
_COMMON_WORDS: Final = (
    "a an the of in at on to by for from with and or is are am was were has have had he she "
    "it i we they my our his her who which that as been be being , ( )"
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A way to state a fact, which a sentence without one of the triggers does not have."""

    predicate: str
    written: str
    triggers: frozenset[str]
    aspect: Aspect
    confidence: float
    has_owner: bool
    denies: bool
    is_one: bool
    describes: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The phrase as a regular expression."""
        return _compiled(self.written)


@cache
def _compiled(written: str) -> re.Pattern[str]:
    # When it is first needed: all of them together take more than a second.
    return re.compile(written)


def rules(
    predicate: str,
    subjects: str,
    objects: str,
    *phrases: str,
    aspect: Aspect = "timeless",
    confidence: float = 0.9,
) -> list[Rule]:
    """Write phrases that state the same fact between names of these types."""
    slots = {
        "S": _slot("s", subjects),
        "O": _slot("o", objects),
        "S's": _owner(subjects),
        "C": CONCEPT,
        "J": OCCUPATION,
        "N": _slot("o", objects) + r"(?=[\s-]+[a-z])",
        "P": _PET,
        "F": _FAMILY,
        "E": _EVENT,
        "K": _POSSESSION,
        "Q": _TRAIT,
        "*": _GAP,
        "WHEN?": _WHEN,
    }
    return [
        Rule(
            predicate,
            _pattern(phrase, slots),
            _triggers(phrase),
            aspect,
            confidence,
            "S's" in phrase,
            not _DENYING.isdisjoint(phrase.split()),
            predicate in _ONE.split() or ("S's" in phrase and _SEVERAL.search(phrase) is None),
            "N" in phrase.split(),
        )
        for phrase in phrases
    ]


def _letters(types: str) -> str:
    names: dict[str, str] = {str(name): mark for name, mark in MARKS.items()}
    return "".join(names[one] for one in types.split())


def _slot(group: str, types: str) -> str:
    mark = rf"⟪[{_letters(types)}]\d+⟫"
    if group == "o":
        return rf"""(?:(?<!\w)the\s+)?["“«]?\s?(?P<o>{mark})\s?["”»]?"""
    persons = rf"|(?<![\w'])(?:{_PERSONS})(?!\w)" if "person" in types.split() else ""
    return rf"""["“«]?\s?(?P<s>{mark}{persons})\s?["”»]?{_ASIDE}{_ADVERB}"""


def _owner(types: str) -> str:
    return rf"(?:(?P<s>⟪[{_letters(types)}]\d+⟫)\s?'s?|(?<![\w'])(?P<owner>{_OWNERS})(?!\w))"


def _pattern(phrase: str, slots: dict[str, str]) -> str:
    return r"\s*".join(_piece(token, slots) for token in phrase.split())


def _piece(token: str, slots: dict[str, str]) -> str:
    if token in slots:
        return slots[token]
    words = token.removesuffix("?")
    piece = rf"(?:{'|'.join(map(_word, _MACROS.get(words, words).split('|')))})"
    return rf"(?:{piece}\s*)?" if token.endswith("?") else piece


def _word(word: str) -> str:
    if word in _ANY:
        return _ANY[word]
    if not word[0].isalpha():
        return re.escape(word).replace("_", r"\s+")
    return rf"(?<!\w){re.escape(word)}(?!\w)".replace("_", r"\s+")


def _triggers(phrase: str) -> frozenset[str]:
    """Take the words of which one must be there: rare ones, and few, if there is a choice."""
    found = [
        frozenset(map(_telling_word, words.split("|")))
        for token in phrase.split()
        if not token.endswith("?") and (words := _MACROS.get(token, token)) not in _SLOTS
    ]
    owners = frozenset((*_OWNERS.split("|"), "s"))
    return min(
        found, key=lambda words: (not words.isdisjoint(_COMMON), len(words)), default=owners
    )


def _telling_word(words: str) -> str:
    parts = [part for part in re.split(r"[_\W]", words) if part]
    return next((part for part in parts if part not in _COMMON), parts[-1] if parts else words)
