"""Find the time that a query speaks of."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from zapomni_core.retrieval.periods.leads import Bounds, Lead, lead_before
from zapomni_core.retrieval.periods.names import could_be_time, is_clearly_a_year
from zapomni_core.retrieval.periods.phrases import PHRASES, Phrase, Rank, compiled
from zapomni_core.retrieval.periods.readings import Groups, calendar_year
from zapomni_core.retrieval.periods.spans import Clock, Span
from zapomni_core.retrieval.periods.words import PARTS_OF_SPAN, TIME_WORDS, any_of

__all__ = ["Period", "mentioned_period", "warm_up"]

# A date far into a pasted text is not what the query asks about.
_LONGEST_READ: Final = 1000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_YEAR: Final = timedelta(days=365)
_LATEST: Final = datetime.max.replace(tzinfo=UTC) - _YEAR
_MILLISECOND: Final = timedelta(milliseconds=1)
_WORD: Final = re.compile(r"\w+")
_TELLING_DIGITS: Final = re.compile(r"(?:19|20)[0-9]{2}|[0-9]/[0-9]|[5-9]0['’]?s\b")
_AND: Final = re.compile(
    r"\s*(?:[-–—]|to|and|or|until|till|through|bis|und|oder|au|et|ou|al?|y|o|hasta|по|и|или|до)"
    rf"\s*(?:the\s+)?(?:{any_of(PARTS_OF_SPAN)}[\s-]+)?"
)
_CALENDAR: Final = ("month", "season", "quarter", "year", "decade")


@dataclass(frozen=True, slots=True)
class Period:
    """A time, half-open, in milliseconds since 1970 UTC; without a bound it is open there.

    The phrase is the words of the query that name it.
    """

    start_ms: int | None
    end_ms: int | None
    phrase: str


@dataclass(frozen=True, slots=True, eq=False)
class _Mention:
    """A named time; one that is not clear is a time only as one end of a range."""

    phrase: Phrase
    groups: Groups
    lead: Lead
    begin: int
    end: int
    span: Span
    is_clear: bool
    rank: Rank

    @property
    def is_calendar(self) -> bool:
        return any(map(self.groups.get, _CALENDAR))

    @property
    def is_weekday(self) -> bool:
        return self.groups.get("weekday") is not None

    @property
    def floats(self) -> bool:
        """Tell whether it leaves open which year or week it is in."""
        return (self.is_calendar or self.is_weekday) and not self.groups.get("year")

    def can_begin(self, last: "_Mention") -> bool:
        """Tell whether a range can go from this to the other."""
        relation = self.lead.relation
        if relation in {"before", "after", "until", "by"}:
            return False
        are_alike = (self.is_calendar and last.is_calendar) or (
            self.is_weekday and last.is_weekday
        )
        is_led = relation in {"from", "between"} and self.is_calendar
        is_month = self.groups.get("month") is not None and last.rank == Rank.DATED
        return (last.is_clear or are_alike) and (self.is_clear or is_led or is_month)


def mentioned_period(query: str, reference: datetime) -> Period | None:
    """Find the time that a query names, seen from the reference; None if it names none.

    A day is a day of UTC: the one that has the date which the reference's own clock shows
    is today. A reference without a time zone is in UTC.
    """
    text = query[:_LONGEST_READ].replace("İ", "i").lower()
    if not _may_name_a_time(text):
        return None
    mentions = sorted(_mentions(query, text, Clock(reference)), key=lambda one: one.begin)
    meant = [(one, bounds) for one in _joined(text, mentions) if (bounds := _bounds(one))]
    if not meant:
        return None
    best, bounds = min(meant, key=lambda one: (one[0].rank, _length(one[1])))
    start_ms, end_ms = map(_milliseconds, bounds)
    return Period(start_ms, end_ms, query[best.lead.begin : best.end].strip())


def warm_up() -> None:
    """Get ready for the first query that names a time."""
    for phrase in PHRASES:
        compiled(phrase.pattern)
    lead_before("", 0)


def _may_name_a_time(text: str) -> bool:
    has_no_word = TIME_WORDS.isdisjoint(_WORD.findall(text))
    return not has_no_word or _TELLING_DIGITS.search(text) is not None


def _mentions(query: str, text: str, clock: Clock) -> list[_Mention]:
    found: list[_Mention] = []
    for phrase in PHRASES:
        for match in phrase.find(text):
            is_free = all(match.end() <= one.begin or one.end <= match.start() for one in found)
            if is_free and (mention := _mention(query, phrase, match, clock)):
                found.append(mention)
    return found


def _mention(query: str, phrase: Phrase, match: re.Match[str], clock: Clock) -> _Mention | None:
    lead = lead_before(match.string, match.start())
    groups = match.groupdict()
    span = _read(phrase, groups, lead, clock)
    if span is None or not could_be_time(query, match, lead):
        return None
    is_clear = not phrase.leads or lead.narrows or lead.relation in phrase.leads
    if phrase.read is calendar_year:
        is_clear = is_clear or is_clearly_a_year(query, match, clock)
    rank = Rank.DATED if groups.get("year") else phrase.rank
    return _Mention(phrase, groups, lead, match.start(), match.end(), span, is_clear, rank)


def _read(phrase: Phrase, groups: Groups, lead: Lead, clock: Clock) -> Span | None:
    try:
        return lead.narrowed(phrase.read(groups, clock))
    except (ValueError, OverflowError):  # 31 February, or a time before the calendar begins
        return None


def _bounds(mention: _Mention) -> Bounds | None:
    try:
        return mention.lead.bounds(mention.span)
    except (ValueError, OverflowError):
        return None


def _joined(text: str, mentions: list[_Mention]) -> Iterator[_Mention]:
    """Make one of "between May and July 2023", and leave out what is clear in a range only."""
    rest = deque(mentions)
    while rest:
        first = rest.popleft()
        if rest and _AND.fullmatch(text, first.end, rest[0].begin) and first.can_begin(rest[0]):
            yield _range(first, rest.popleft())
        elif first.is_clear:
            yield first


def _range(first: _Mention, last: _Mention) -> _Mention:
    """Span both; the one without a year takes it from the other."""
    span, end = first.span, last.span
    if first.floats:
        span = _read(first.phrase, first.groups, first.lead, Clock(end.start)) or span
    elif last.floats:
        end = (
            _read(last.phrase, last.groups, last.lead, Clock(min(span.start, _LATEST) + _YEAR))
            or end
        )
    rank = min(first.rank, last.rank)
    return replace(first, span=span.joined(end), end=last.end, rank=rank)


def _length(bounds: Bounds) -> timedelta:
    start, end = bounds
    return timedelta.max if start is None or end is None else end - start


def _milliseconds(instant: datetime | None) -> int | None:
    return None if instant is None else (instant - _EPOCH) // _MILLISECOND
