"""The phrases that name a time, and how each is read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

from zapomni_core.retrieval.periods import readings
from zapomni_core.retrieval.periods.words import (
    BARE_MONTHS,
    CALENDAR_UNITS,
    DAY_WORDS,
    ENGLISH_MONTHS,
    MONTHS,
    NUMBERS,
    RECENTLY,
    SEASONS,
    UNITS,
    WEEKDAYS,
    any_of,
)

__all__ = ["AMOUNT", "PHRASES", "Phrase", "Rank", "compiled"]


class Rank(IntEnum):
    """How much a phrase says; of two in a query the lower rank wins."""

    DATED = 0
    RELATIVE = 1
    WEEKDAY = 2
    VAGUE = 3


@dataclass(frozen=True, slots=True, eq=False)
class Phrase:
    """A way to name a time, in lower case; one with leads needs one of them before it."""

    pattern: str
    read: readings.Reading
    rank: Rank
    leads: frozenset[str]

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """Find all places where it stands."""
        return compiled(self.pattern).finditer(text)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern once, and not at import: all take 30 ms, and few queries name a time."""
    return re.compile(pattern)


_BEGINS: Final = r"(?<![\w.:/$€£#-])"
_ENDS: Final = r"(?![\w%]|[.,:/-][0-9])"
_TO: Final = r"\s?(?:[-–—]|to|and|until|till|through|bis|und|au|et|al|y|по|и)\s?"
_SEPARATOR: Final = r"(?:\s?[,./-]\s?|\s+)(?:(?:of|de|del|in)\s+)?"
_TWO_DIGITS: Final = "[0-9]{1,2}"
_FOUR_DIGITS: Final = "(?:19|20)[0-9]{2}"
_NAMED_YEAR: Final = r"(?:last|this)\s+year\b|(?:прошлого|этого)\s+года\b"
_YEAR: Final = rf"(?P<year>{_FOUR_DIGITS}{_ENDS}|{_NAMED_YEAR})(?:\s+(?:года|году|год)\b)?"
_ORDINAL: Final = r"(?P<ordinal>st\b|nd\b|rd\b|th\b|er\b|-?го\b|-?е\b)"
_DAY: Final = rf"(?P<day>{_TWO_DIGITS}){_ORDINAL}?"
_MONTH: Final = rf"(?P<month>{any_of(MONTHS)})\b"
_SEASON: Final = rf"(?P<season>{any_of(SEASONS)})\b"
_QUARTER: Final = r"(?P<quarter>[1-4])"
_WEEKDAY: Final = rf"(?P<weekday>{any_of(WEEKDAYS)})\b"
_WHICH: Final = r"\b(?P<which>last|this)\s+"
_DEFINITE: Final = r"(?:\bthe\s+|(?<=\bearly\s)|(?<=\blate\s)|(?<=\bmid[\s-]))"
_NOT_OF_IT: Final = r"(?!\s+(?:of|before|after)\b)"
AMOUNT: Final = (
    rf"(?P<count>(?<![\w.,])[0-9]{{1,3}}|\b(?<!half\s){any_of(NUMBERS)})"
    rf"\s+(?P<unit>{any_of(UNITS)})\b"
)


def _phrase(
    pattern: str, read: readings.Reading, rank: Rank = Rank.RELATIVE, leads: str = ""
) -> Phrase:
    return Phrase(pattern, read, rank, frozenset(leads.split()))


_IN_NUMBERS: Final = (
    _phrase(
        rf"{_BEGINS}(?P<year>{_FOUR_DIGITS})(?P<sign>[-/.])(?P<month>{_TWO_DIGITS})(?P=sign)"
        rf"(?P<day>{_TWO_DIGITS})(?![0-9]|[-/.][0-9])",
        readings.numbers,
    ),
    _phrase(rf"{_BEGINS}(?P<year>{_FOUR_DIGITS})-(?P<month>[0-9]{{2}}){_ENDS}", readings.numbers),
    _phrase(
        rf"{_BEGINS}(?P<day>{_TWO_DIGITS})\.\s?(?P<month>{_TWO_DIGITS})\.\s?"
        rf"(?P<year>{_FOUR_DIGITS}){_ENDS}",
        readings.numbers,
    ),
    _phrase(
        rf"{_BEGINS}(?P<month>{_TWO_DIGITS})/(?P<year>{_FOUR_DIGITS}){_ENDS}", readings.numbers
    ),
    _phrase(
        rf"{_BEGINS}(?P<first>{_TWO_DIGITS})(?P<sign>[-/])(?P<second>{_TWO_DIGITS})(?P=sign)"
        rf"(?P<year>{_FOUR_DIGITS}|(?<=/)[0-9]{{2}}){_ENDS}",
        readings.month_first,
    ),
)
_IN_WORDS: Final = (
    _phrase(
        rf"(?<![0-9]\s)\b{_MONTH}\.?(?:\s?-\s?|\s+)(?:the\s+)?{_DAY}"
        rf"(?:{_TO}(?P<last>{_TWO_DIGITS})(?:st|nd|rd|th)?(?!\w))?"
        rf"(?![\w%]|[.:/][0-9]|\s?[ap]m\b)(?:{_SEPARATOR}{_YEAR})?",
        readings.calendar_date,
    ),
    _phrase(
        rf"{_BEGINS}(?:(?P<first>{_TWO_DIGITS})(?:st|nd|rd|th|\.)?{_TO})?{_DAY}"
        rf"(?:[./-]|\.?\s+)(?:(?:of|de)\s+)?{_MONTH}\.?(?:{_SEPARATOR}{_YEAR})?",
        readings.calendar_date,
    ),
    _phrase(rf"\b{_MONTH}\.?{_SEPARATOR}{_YEAR}", readings.calendar_month),
    _phrase(
        rf"\b{_SEASON}{_SEPARATOR}(?P<year>{_FOUR_DIGITS}|{_NAMED_YEAR})"
        rf"(?:[/–-](?P<next>(?:20)?[0-9]{{2}}))?{_ENDS}",
        readings.calendar_season,
    ),
    _phrase(rf"\bq{_QUARTER}{_SEPARATOR}{_YEAR}", readings.quarter),
    _phrase(rf"{_BEGINS}(?P<year>{_FOUR_DIGITS})[\s-]?q{_QUARTER}\b", readings.quarter),
    _phrase(
        rf"\b(?P<quarter>first|second|third|fourth|last)\s+quarter{_SEPARATOR}{_YEAR}",
        readings.quarter,
    ),
    _phrase(
        rf"(?:{_DEFINITE}|\b(?=19))(?P<decade>(?:19|20)[0-9]0)['’]?s\b",
        readings.decade,
        Rank.DATED,
    ),
)
_RELATIVE: Final = (
    _phrase(
        rf"\b(?!(?<=\bin\s)today['’]s)(?P<word>{any_of(DAY_WORDS)})\b(?:['’]s)?"
        r"(?:\s+(?P<part>morning|afternoon|evening|night)\b)?",
        readings.day_word,
    ),
    _phrase(
        r"\b(?:this\s+(?P<part>morning|afternoon|evening)|tonight|(?P<before>last)\s+night)\b",
        readings.part_of_day,
    ),
    _phrase(
        r"\b(?:(?P<article>the|this)\s+)?(?P<which>last|past|this)\s+"
        rf"(?P<unit>week|weekend|month|quarter|year|decade)\b{_NOT_OF_IT}",
        readings.calendar_unit,
    ),
    _phrase(
        r"\b(?:(?:in|over|during|within|for)\s+)?"
        r"(?:(?:the|these)\s+last|(?:the\s+)?past|letzten|vergangenen"
        rf"|последни[ех]|últim[oa]s)\s+(?!an?\b){AMOUNT}{_NOT_OF_IT}",
        readings.lately,
    ),
    _phrase(rf"\b(?:last|past)\s+(?P<unit>hour)\b{_NOT_OF_IT}", readings.lately),
    _phrase(rf"\b(?P<words>{any_of(CALENDAR_UNITS)})\b", readings.foreign_unit),
    _phrase(rf"{AMOUNT}\s+(?:ago|назад)\b", readings.ago),
    _phrase(rf"\b(?:vor|il\s+y\s+a|hace)\s+{AMOUNT}", readings.ago),
    _phrase(rf"\b(?P<unit>{any_of(UNITS)})\s+назад\b", readings.ago),
    _phrase(rf"{_WHICH}{_SEASON}{_NOT_OF_IT}", readings.calendar_season),
    _phrase(
        rf"{_WHICH}(?P<month>{any_of(ENGLISH_MONTHS)})\b{_NOT_OF_IT}", readings.calendar_month
    ),
    _phrase(rf"{_WHICH}{_WEEKDAY}{_NOT_OF_IT}", readings.weekday, Rank.WEEKDAY),
    _phrase(rf"\b(?P<words>{any_of(RECENTLY)})\b", readings.recently, Rank.VAGUE),
)
_BARE: Final = (
    _phrase(
        rf"\b(?P<month>{any_of(BARE_MONTHS)})\b",
        readings.calendar_month,
        leads="in around before after since until",
    ),
    _phrase(
        rf"{_DEFINITE}{_SEASON}{_NOT_OF_IT}",
        readings.calendar_season,
        leads="in over before after since until",
    ),
    _phrase(rf"\bq{_QUARTER}\b", readings.quarter, leads="in before after since until by from"),
    _phrase(
        rf"{_DEFINITE}['’]?(?P<decade>[5-9]0)['’]?s\b",
        readings.decade,
        leads="in before after since until from",
    ),
    _phrase(
        rf"\b{_WEEKDAY}(?!\s+(?:mornings|afternoons|evenings|nights)\b)",
        readings.weekday,
        Rank.WEEKDAY,
        leads="on since",
    ),
    _phrase(
        rf"{_BEGINS}(?P<year>{_FOUR_DIGITS})(?:\s?[-–—]\s?(?P<last>{_FOUR_DIGITS}))?{_ENDS}"
        r"(?P<said>\s+(?:года|году|год)\b)?",
        readings.calendar_year,
        leads="in before after since until by from",
    ),
)

# In this order: a later phrase is not looked for in the words of an earlier one.
PHRASES: Final = (*_IN_NUMBERS, *_IN_WORDS, *_RELATIVE, *_BARE)
