"""Join what a language model states with what the rules have read, as far as the text bears it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zapomni_core.knowledge.facts import Reading
from zapomni_core.knowledge.facts.masking import MARKS, Sentence, mask_sentences
from zapomni_core.knowledge.grounds import (
    can_be_named,
    is_stated,
    places_of,
    pronoun_in,
    speaker_in,
)
from zapomni_core.knowledge.language_model import Statement
from zapomni_core.knowledge.model import SPEAKER, Claim, Mention
from zapomni_core.knowledge.names.keys import name_key, shown_name
from zapomni_core.knowledge.names.naming import name_mentions

__all__ = ["with_statements"]

type _Key = tuple[str, str, str]

# A model alone is less sure than any rule.
_ALONE: Final = 0.5
_NEW_NAME: Final = 0.6
_ME: Final = frozenset(("i", "me", "my", "myself"))
_ARTICLE: Final = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
# Who "I" is in a conversation, only the rules follow.
_TURN: Final = re.compile(r"^(?:\[[^\]\n]*\]\s*)?[A-Z][\w.' -]{0,40}:\s", re.MULTILINE)
_MUTUAL: Final = frozenset(
    ("colleague_of", "friend_of", "married_to", "partner_of", "relative_of", "sibling_of")
)


def with_statements(text: str, reading: Reading, statements: Sequence[Statement]) -> Reading:
    """Add what the model states; a fact that both state is surer.

    Left out is what names something that the text does not, and what no sentence can be seen to
    state: both names stand in it, or one and a pronoun, and it asks, denies and supposes nothing.
    """
    joining = _Joining(text, reading)
    for statement in statements:
        joining.add(statement)
    return Reading(tuple(joining.mentions), tuple(joining.claims))


class _Joining:
    def __init__(self, text: str, reading: Reading) -> None:
        self.mentions = list(reading.mentions)
        self.claims = list(reading.claims)
        self._text = text
        names, aliases = name_mentions(text, self.mentions)
        self._keys = [name.key for name in names]
        self._full = {alias.short: alias.full for alias in aliases}
        self._sentences = list(mask_sentences(text, self.mentions))
        self._known: defaultdict[_Key, list[int]] = defaultdict(list)
        for number, claim in enumerate(self.claims):
            self._known[self._key(claim.subject, claim.predicate, claim.object)].append(number)
        self._joined: set[_Key] = set()

    def add(self, statement: Statement) -> None:
        """Take a statement in, or leave everything as it was."""
        before = len(self.mentions)
        subject = self._number(statement.subject, "")
        target = self._number(statement.object, statement.predicate)
        if (
            subject is None
            or target is None
            or not self._join(subject, statement.predicate, target)
        ):
            del self.mentions[before:], self._keys[before:]

    def _join(self, subject: int, predicate: str, target: int) -> bool:
        key = self._key(subject, predicate, target)
        if key in self._joined or self._name(subject) == self._name(target):
            return False
        if key in self._known:
            for number in self._known[key]:
                self.claims[number] = _surer(self.claims[number])
        elif (sentence := self._sentence_of(subject, predicate, target)) is not None:
            self.claims.append(self._claim(subject, predicate, target, sentence))
        else:
            return False
        self._joined.add(key)
        return True

    def _claim(self, subject: int, predicate: str, target: int, sentence: Sentence) -> Claim:
        ends = [self.mentions[one] for one in (subject, target) if one != SPEAKER]
        confidence = round(_ALONE * min(end.confidence for end in ends), 3)
        return Claim(subject, predicate, target, confidence, sentence.start, sentence.end)

    def _key(self, subject: int, predicate: str, target: int) -> _Key:
        one, other = self._name(subject), self._name(target)
        if predicate in _MUTUAL:
            one, other = sorted((one, other))
        return one, predicate, other

    def _name(self, number: int) -> str:
        key = "" if number == SPEAKER else self._keys[number]
        return self._full.get(key, key)

    def _number(self, name: str, predicate: str) -> int | None:
        """Return the number of a name, which is a new mention if nobody has found it."""
        if name.casefold() in _ME:
            return None if _TURN.search(self._text) else SPEAKER
        name = _ARTICLE.sub("", name, count=1)
        key = name_key(shown_name(name))
        if key in self._keys:
            return self._keys.index(key)
        places = places_of(self._text, name)
        if not places or not can_be_named(self._text[slice(*places[0])], predicate):
            return None
        whole = self._part_of_person(places[0])
        return self._new(places) if whole is None else whole

    def _part_of_person(self, place: tuple[int, int]) -> int | None:
        for number, mention in enumerate(self.mentions):
            if mention.type == "person" and mention.start <= place[0] < mention.end:
                return number
        return None

    def _new(self, places: Sequence[tuple[int, int]]) -> int:
        free = [
            (start, end)
            for start, end in places
            if not any(start < other.end and other.start < end for other in self.mentions)
        ]
        number = len(self.mentions)
        for start, end in free or places[:1]:
            self.mentions.append(Mention(start, end, "concept", _NEW_NAME))
            self._keys.append(name_key(shown_name(self._text[start:end])))
        return number

    def _sentence_of(self, subject: int, predicate: str, target: int) -> Sentence | None:
        """Find the first sentence that states a fact; where both are named, no other counts."""
        found = [
            (sentence, begin, end)
            for sentence in self._sentences
            if (end := self._place(sentence, target)) and (begin := self._place(sentence, subject))
        ] or [
            (sentence, begin, end)
            for sentence in self._sentences
            if (end := self._place(sentence, target))
            and (begin := self._stand_in(sentence, subject))
        ]
        for sentence, begin, end in found:
            if is_stated(sentence.masked, predicate, min(begin + end), max(begin + end)):
                return sentence
        return None

    def _place(self, sentence: Sentence, number: int) -> tuple[int, int] | None:
        """Find a name in the marked words of a sentence."""
        if number == SPEAKER:
            return speaker_in(sentence.masked)
        for one, mention in enumerate(self.mentions):
            is_inside = sentence.start <= mention.start and mention.end <= sentence.end
            if is_inside and self._name(one) == self._name(number):
                written = self._text[mention.start : mention.end].lower()
                for sign in (f"⟪{MARKS[mention.type]}{one}⟫", written):
                    if (start := sentence.masked.find(sign)) >= 0:
                        return start, start + len(sign)
        return None

    def _stand_in(self, sentence: Sentence, number: int) -> tuple[int, int] | None:
        """Find the pronoun that may mean somebody who was named before."""
        if number == SPEAKER or self.mentions[number].start >= sentence.start:
            return None
        return pronoun_in(sentence.masked)


def _surer(claim: Claim) -> Claim:
    return replace(claim, confidence=round(1 - (1 - claim.confidence) * (1 - _ALONE), 3))
