"""Tell a time from a name, a verb or a number that is written alike."""

import re
from typing import Final

from zapomni_core.retrieval.periods.leads import Lead
from zapomni_core.retrieval.periods.spans import Clock
from zapomni_core.retrieval.periods.words import ENGLISH_LEADS, ENGLISH_MONTHS

__all__ = ["could_be_time", "is_clearly_a_year"]

_VERBS: Final = frozenset(("may", "march"))
_ACTS: Final = re.compile(
    r"['’]s\b|\s+(?:\w+ed|says?|said|left|went|came|told|got|gets|is|was|has|had|did|does"
    r"|will|would|can|could|goes|comes|leaves|i)\b"
)
_FRENCH: Final = re.compile(r"\b(?:je|j|ai|as|qu|que|quoi|est|nous|vous|une?|il|elle|on|les?)\b")

_LAST_WORD: Final = re.compile(r"([\w'’]+)\s+$")
_NEXT_WORD: Final = re.compile(r"\s+([^\W\d_]+)")
_LONGEST_WORD: Final = 30
_WORD: Final = re.compile(r"[a-z]{3,}")
_CLAUSE_ENDS: Final = ("", "?", ".", "!", ",", ";", ")")
_OWNERS: Final = frozenset(("the", "my", "our", "your", "his", "her", "their"))
_NOT_PLURAL: Final = frozenset(("does", "besides", "always", "sometimes", "perhaps", "towards"))
_COUNTED: Final = frozenset(("people", "km", "kg", "kb", "mb", "gb", "rpm", "feet", "percent"))
_NUMBERED: Final = frozenset(
    (
        *("room", "port", "line", "page", "route", "flight", "number", "code", "error", "version"),
        *("model", "build", "issue", "ticket", "windows", "server", "office", "studio", "excel"),
        *("than", "about", "nearly", "almost", "exactly", "roughly", "approximately", "least"),
        *("most", "only", "with", "equals", "and", "over", "under", "total", "score", "count"),
        *("price", "cost", "costs", "limit", "size", "budget", "salary", "amount", "plus"),
    )
)


def could_be_time(query: str, match: re.Match[str], lead: Lead) -> bool:
    """Doubt the words and numbers that may well mean something else."""
    groups = match.groupdict()
    if groups.get("word") == "hier":
        return _FRENCH.search(match.string) is not None
    if (groups.get("month") or "").isalpha():
        return _is_a_month(query, match, lead)
    if "said" in groups:
        return not _is_an_amount(query, match, lead)
    return True


def is_clearly_a_year(query: str, match: re.Match[str], clock: Clock) -> bool:
    """Tell of "my 2022 tax return", "the year 2022" and "Paris trip 2022"."""
    end = match.end()
    before = _LAST_WORD.search(query, max(0, match.start() - _LONGEST_WORD), match.start())
    if match["said"] or not before:
        return bool(match["said"])
    year = int(match["year"])
    is_likely = 1970 <= year <= clock.today.year + 1 and not _is_round(year)
    if not is_likely or _counts_something(query, end):
        return False
    word = before[1]
    if word in _OWNERS or word.endswith(("'s", "’s")):
        after = _NEXT_WORD.match(query, end)
        return after is not None and after[1].islower()
    if word == "year":
        return True
    ends_clause = query[end : end + 1] in _CLAUSE_ENDS
    return ends_clause and _WORD.fullmatch(word) is not None and word not in _NUMBERED


def _is_a_month(query: str, match: re.Match[str], lead: Lead) -> bool:
    groups = match.groupdict()
    name, is_capital = groups["month"], query[match.start("month")].isupper()
    if name == "mars" and is_capital:
        return False
    if not groups.keys() & {"day", "which", "year"}:
        return not _is_somebody(match, lead)
    if name not in _VERBS or groups.get("ordinal") or (groups.get("year") or "").isdecimal():
        return True
    is_after_preposition = bool(lead.relation and groups.get("day"))
    return is_after_preposition or (is_capital and not _counts_something(query, match.end()))


def _is_somebody(match: re.Match[str], lead: Lead) -> bool:
    if lead.word in ENGLISH_LEADS and match["month"] not in ENGLISH_MONTHS:
        return True
    return lead.relation != "in" and _ACTS.match(match.string, match.end()) is not None


def _is_an_amount(query: str, match: re.Match[str], lead: Lead) -> bool:
    is_round, is_change = _is_round(int(match["year"])), lead.relation in {"by", "from"}
    if is_round and is_change:
        return True
    return (is_round or is_change) and _counts_something(query, match.end())


def _is_round(number: int) -> bool:
    return number % 50 == 0


def _counts_something(query: str, end: int) -> bool:
    after = _NEXT_WORD.match(query, end)
    if after is None:
        return False
    word = after[1]
    is_plural = len(word) > 3 and word.islower() and word[-1] == "s" and word[-2] not in "sui"
    return word in _COUNTED or (is_plural and word not in _NOT_PLURAL)
