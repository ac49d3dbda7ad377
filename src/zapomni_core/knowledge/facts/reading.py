"""Read the facts that a text states about the names in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from zapomni_core.knowledge.facts.concepts import is_telling
from zapomni_core.knowledge.facts.doubt import clause_start, is_denied, is_doubtful, stated_until
from zapomni_core.knowledge.facts.masking import Sentence, mask_sentences, number_of
from zapomni_core.knowledge.facts.matching import matches
from zapomni_core.knowledge.facts.persons import Persons
from zapomni_core.knowledge.facts.phrases import Rule
from zapomni_core.knowledge.facts.places import place_chains
from zapomni_core.knowledge.facts.series import names_after, names_before, things_after
from zapomni_core.knowledge.facts.times import bounds_of
from zapomni_core.knowledge.model import SPEAKER, Claim, Mention

__all__ = ["Reading", "claims_of"]

_PLACE_CONFIDENCE: Final = 0.85
_CONCEPT_CONFIDENCE: Final = 0.8
_CLAUSE_END: Final = re.compile(
    r"[;:–—]|,?\s(?:but|while|whereas|although)\s|,\s(?:and\s)?(?:i|we|he|she)\s"
)
_OPENING: Final = re.compile(r"^(?:in|on|since|until|from|after|last|by|two|three|a)\b[^,]{0,40},")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text states.

    The mentions are those given, and behind them the things without a name that it speaks of.
    """

    mentions: tuple[Mention, ...]
    claims: tuple[Claim, ...]


def claims_of(
    text: str, mentions: Sequence[Mention], said_at: datetime, speaker: str = ""
) -> Reading:
    """Find the facts that a text states, as it was said then and by this speaker."""
    return _Reader(text, mentions, said_at, speaker).read()


class _Reader:
    def __init__(
        self, text: str, mentions: Sequence[Mention], said_at: datetime, speaker: str
    ) -> None:
        self._text = text
        self._mentions = list(mentions)
        self._said_at = said_at
        self._persons = Persons(text, mentions, speaker)
        self._claims: dict[tuple[int, str, int], Claim] = {}

    def read(self) -> Reading:
        for sentence in mask_sentences(self._text, tuple(self._mentions)):
            self._persons.hear(sentence)
            if self._may_have_subject(sentence):
                for claim in self._claims_in(sentence):
                    self._keep(claim)
            self._persons.remember(sentence)
        return Reading(tuple(self._mentions), tuple(self._claims.values()))

    def _may_have_subject(self, sentence: Sentence) -> bool:
        return bool(sentence.mentions) or self._persons.has_subject

    def _keep(self, claim: Claim) -> None:
        key = claim.subject, claim.predicate, claim.object
        known = self._claims.get(key)
        if known is None or (_says_when(claim), claim.confidence) > (
            _says_when(known),
            known.confidence,
        ):
            self._claims[key] = claim

    def _claims_in(self, sentence: Sentence) -> Iterator[Claim]:
        until = stated_until(sentence.masked)
        if until == 0:
            return
        for inner, outer in place_chains(sentence.masked):
            yield self._claim(sentence, inner, "located_in", outer, _PLACE_CONFIDENCE)
        for rule, found in matches(sentence.masked):
            if found.end() > until or not _is_stated(rule, found):
                continue
            subjects = self._subjects(found)
            objects = self._objects(rule, found, sentence) if subjects else []
            bounds = self._bounds(rule, found, sentence) if subjects and objects else (None, None)
            for subject in subjects:
                for one in objects:
                    if subject != one:
                        yield self._claim(
                            sentence, subject, rule.predicate, one, rule.confidence, *bounds
                        )

    def _claim(
        self,
        sentence: Sentence,
        subject: int,
        predicate: str,
        other: int,
        confidence: float,
        from_ms: int | None = None,
        to_ms: int | None = None,
    ) -> Claim:
        sure = min(
            (self._mentions[one].confidence for one in (subject, other) if one != SPEAKER),
            default=1.0,
        )
        return Claim(
            subject,
            predicate,
            other,
            round(confidence * sure, 3),
            sentence.start,
            sentence.end,
            from_ms,
            to_ms,
        )

    def _subjects(self, found: re.Match[str]) -> list[int]:
        groups = found.groupdict()
        word = groups.get("s") or groups.get("owner")
        place = found.start("s" if groups.get("s") else "owner")
        who = None if word is None else self._persons.who_is(word, found.string[:place])
        if who is None:
            return []
        if groups.get("s") and groups.get("o") and found.end("s") > found.end("o"):
            others = names_after(found.string, groups["s"], found.end("s"))
        else:
            others = names_before(found.string, place)
        return [who, *map(number_of, others)]

    def _objects(self, rule: Rule, found: re.Match[str], sentence: Sentence) -> list[int]:
        groups = found.groupdict()
        if thing := groups.get("c"):
            return self._things(rule.predicate, found, thing, sentence)
        mark = groups["o"]
        if not is_telling(rule.predicate, self._name(number_of(mark)).lower()):
            return []
        if rule.is_one or found.end("o") < found.end("s"):
            return [number_of(mark)]
        following = names_after(found.string, mark, found.end("o"))
        return [number_of(mark), *map(number_of, following)]

    def _things(
        self, predicate: str, found: re.Match[str], thing: str, sentence: Sentence
    ) -> list[int]:
        row = things_after(found.string, thing, found.end("c"))
        things = () if row is None else (thing, *row)
        return [self._concept(one, sentence) for one in things if is_telling(predicate, one)]

    def _concept(self, thing: str, sentence: Sentence) -> int:
        """Give the number of a thing, which is a new mention unless it is one already."""
        start = self._text.lower().find(thing, sentence.start)
        start = sentence.start if start < 0 else start
        end = start + len(thing)
        for number, mention in enumerate(self._mentions):
            if (mention.start, mention.end) == (start, end):
                return number
        self._mentions.append(Mention(start, end, "concept", _CONCEPT_CONFIDENCE))
        return len(self._mentions) - 1

    def _name(self, number: int) -> str:
        mention = self._mentions[number]
        return self._text[mention.start : mention.end]

    def _bounds(
        self, rule: Rule, found: re.Match[str], sentence: Sentence
    ) -> tuple[int | None, int | None]:
        masked = sentence.masked
        begin = clause_start(masked, found.start())
        end = _CLAUSE_END.search(masked, found.end())
        stop = end.start() if end else len(masked)
        clause = sentence.unmask(self._text, self._mentions, begin, stop)
        opening = _OPENING.match(masked, 0, begin)
        if opening is not None:
            clause = f"{sentence.unmask(self._text, self._mentions, 0, opening.end())} {clause}"
        return bounds_of(clause, rule.aspect, self._said_at)


def _is_stated(rule: Rule, found: re.Match[str]) -> bool:
    masked, begin, end = found.string, found.start(), found.end()
    denied_until = begin if rule.denies else end
    return not is_denied(masked, begin, denied_until) and not is_doubtful(masked, begin, end)


def _says_when(claim: Claim) -> int:
    return (claim.from_ms is not None) + (claim.to_ms is not None)
