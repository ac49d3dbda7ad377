"""Put together what a model found, what has a telling form, and what is a known technology."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from zapomni_core.knowledge.entities.cleaning import cleaned
from zapomni_core.knowledge.entities.overlaps import Overlaps, overlaid
from zapomni_core.knowledge.entities.rules import DOUBTFUL, SURE, forms_in, speakers_in
from zapomni_core.knowledge.entities.technologies import Technology, technologies_in
from zapomni_core.knowledge.model import Mention

__all__ = ["with_rules"]

CERTAIN_TECHNOLOGY, LIKELY_TECHNOLOGY = 0.95, 0.6
# A model that is surer than this knows better than a list what a name of two meanings is here;
# for people it need not be so sure, since a first name is a person more often than a language.
SURE_MODEL, LIKELY_PERSON = 0.8, 0.5
_OTHER_MEANINGS = frozenset(("person", "place", "event", "work"))
_TECHNICAL = re.compile(
    r"\b(?:APIs?|SDK|CLI|IDE|code|coding|codebase|librar(?:y|ies)|framework|database|server"
    r"|servers|backend|frontend|compil\w+|deploy\w*|install\w*|programming|developers?|software"
    r"|repo|repository|scripts?|debug\w*|refactor\w*|queries|query|endpoint|config|plugin|command"
    r"|cluster|container|dashboard|runtime|parser|proxy|bucket|payload|embeddings?|metrics"
    r"|app|apps|package|packages|module|cloud|algorithm|version)\b",
    re.IGNORECASE,
)


def with_rules(text: str, mentions: Iterable[Mention]) -> list[Mention]:
    """Return all mentions, in order, none inside another."""
    said = [one for mention in mentions if (one := cleaned(text, mention))]
    said = _with_speakers(text, said)
    forms = forms_in(text)
    found = overlaid(said, _sure(forms, said))
    found = overlaid(found, list(_technologies(text, found)))
    if any(one.type == "technology" for one in found):
        doubtful = [form for form in forms if form.confidence <= DOUBTFUL]
        found += Overlaps(found).apart(doubtful)
    return sorted(found, key=lambda one: one.start)


def _sure(forms: Sequence[Mention], said: Sequence[Mention]) -> list[Mention]:
    """Leave out what is doubtful, and the year in "the 2012 election"."""
    names = Overlaps(said)
    return [
        form
        for form in forms
        if form.confidence > DOUBTFUL
        and not (form.type == "date" and names.contain(form.start, form.end))
    ]


def _technologies(text: str, found: Sequence[Mention]) -> Iterator[Mention]:
    """Yield the listed names that are meant here and that no longer name contains."""
    names = Overlaps(found)
    listed = [one for one in technologies_in(text) if not names.contain(one.start, one.end)]
    is_technical = bool(listed) and _is_technical(text, listed, found)
    for one in listed:
        if one.is_certain:
            yield Mention(one.start, one.end, "technology", CERTAIN_TECHNOLOGY)
        elif is_technical and not any(map(_is_other, names.touching(one.start, one.end))):
            yield Mention(one.start, one.end, "technology", LIKELY_TECHNOLOGY)


def _is_technical(text: str, listed: Sequence[Technology], found: Sequence[Mention]) -> bool:
    return (
        any(one.is_certain for one in listed)
        or any(one.type == "technology" and one.confidence > SURE_MODEL for one in found)
        or _TECHNICAL.search(text) is not None
    )


def _is_other(mention: Mention) -> bool:
    needed = LIKELY_PERSON if mention.type == "person" else SURE_MODEL
    return mention.type in _OTHER_MEANINGS and mention.confidence > needed


def _with_speakers(text: str, mentions: list[Mention]) -> list[Mention]:
    """Take who speaks for a person, if a model saw a name just there or that person elsewhere."""
    speakers = list(speakers_in(text))
    if not speakers:
        return mentions
    named = {(one.start, one.end) for one in mentions}
    people = {text[one.start : one.end] for one in mentions if one.type == "person"}
    certain = [
        Mention(start, end, "person", SURE)
        for start, end in speakers
        if (start, end) in named or text[start:end] in people
    ]
    return overlaid(mentions, certain)
