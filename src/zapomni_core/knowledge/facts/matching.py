"""Find the rules that may apply to a sentence, and where they do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from zapomni_core.knowledge.facts.phrases import Rule
from zapomni_core.knowledge.facts.rules_deeds import DEEDS
from zapomni_core.knowledge.facts.rules_people import PEOPLE
from zapomni_core.knowledge.facts.rules_tastes import TASTES
from zapomni_core.knowledge.facts.rules_things import THINGS

__all__ = ["matches"]

_WORD: Final = re.compile(r"[a-z]+|[,()–—-]")
_BEHIND: Final = re.compile(
    r"(?:\b(?:of|by|with|to|for|from|at|like|than|about|on|in|near|behind|between|versus|vs|as)"
    r"|'s?)\s*(?:the\s+)?[\"“]?\s?$"
)
_OWNS: Final = re.compile(r"[\"”]?\s?(?:'s\b|'|-\w|⟪[^D])")
# What is said of "the Boston Globe editor" is not said of the Boston Globe.
_DESCRIBES: Final = re.compile(
    r"[\"”]?\s+(?!(?:and|or|but|in|on|at|to|from|by|for|with|as|of|off|since|until|till|after|before|during"
    r"|while|when|where|who|which|that|because|so|if|than|then|though|although|last|this|next"
    r"|these|today|yesterday|tomorrow|tonight|recently|lately|again|too|also|now|here|there|one"
    r"|two|three|a|an|the|my|his|her|their|our|its|full|part|is|are|was|were|has|had|over|via|around|about|near|under"
    r"|between|through|together|once|twice|every|each|all|both|back|it|i|we|he|she|they|you"
    r"|anymore|any|instead|alone|just|not|only|per|using|soon|early|late|ago|yet|already|still|more|most|very|really|so|such|like|\w+(?:ly|ed|ing|times))(?!\w))[a-z]"
)


def _by_trigger() -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for number, rule in enumerate(_RULES):
        for trigger in rule.triggers:
            found[trigger].append(number)
    return dict(found)


_RULES: Final[tuple[Rule, ...]] = (*PEOPLE, *THINGS, *TASTES, *DEEDS)
_TRIGGERED: Final = _by_trigger()


def matches(masked: str) -> Iterator[tuple[Rule, re.Match[str]]]:
    """Find every place in a sentence where a rule applies."""
    words = set(_WORD.findall(masked))
    numbers = {number for word in words & _TRIGGERED.keys() for number in _TRIGGERED[word]}
    for number in sorted(numbers):
        rule = _RULES[number]
        found = rule.pattern.search(masked)
        while found is not None:
            if _stands_free(rule, found):
                yield rule, found
            found = rule.pattern.search(masked, max(found.start() + 1, _first_end(found)))


def _first_end(found: re.Match[str]) -> int:
    return min(end for name in found.groupdict() if (end := found.end(name)) >= 0)


def _stands_free(rule: Rule, found: re.Match[str]) -> bool:
    """Tell whether the names stand for themselves, as in neither "son of S" nor "O's son"."""
    if not rule.has_owner and _BEHIND.search(found.string, 0, found.start()):
        return False
    if rule.describes or found.groupdict().get("o") is None:
        return True
    last = max("so", key=found.end)
    if _OWNS.match(found.string, found.end(last)):
        return False
    is_end = found.end() - found.end(last) <= 1 and not found[last].startswith("⟪P")
    return not (is_end and _DESCRIBES.match(found.string, found.end(last)))
