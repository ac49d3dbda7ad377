"""The words before a named time: which part of it is meant, or what lies before or after."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from zapomni_core.retrieval.periods.phrases import AMOUNT, compiled
from zapomni_core.retrieval.periods.readings import amount_of
from zapomni_core.retrieval.periods.spans import (
    Amount,
    Clock,
    Span,
    Unit,
    back_from,
    day,
    day_starts,
    days,
    shifted,
    unit_around,
    weekday_before,
)
from zapomni_core.retrieval.periods.words import (
    LEADS,
    PARTS_OF_SPAN,
    UNITS,
    WEEKDAYS,
    any_of,
)

__all__ = ["Bounds", "Lead", "lead_before"]

type Bounds = tuple[datetime | None, datetime | None]

_LONGEST_LEAD: Final = 60
_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
_SATURDAY: Final = 5
_SUNDAY: Final = 6
_WEEKS: Final = ("first", "second", "third", "fourth")
_LEAD: Final = (
    rf"(?<!\w)(?:(?:the\s+)?(?:{AMOUNT}|(?P<next_to>day|week|weekend|month|year)"
    rf"|(?P<weekday>{any_of(WEEKDAYS)}))\s+(?=(?:before|after)\s))?"
    rf"(?:(?P<word>{any_of(LEADS)})\s+)?(?:the\s+)?"
    rf"(?:(?P<part>{any_of(PARTS_OF_SPAN)})[\s-]+|(?P<week>first|second|third|fourth|last)"
    r"\s+week\s+(?:of|in)\s+|(?P<week_of>week\s+of)\s+)?"
    rf"(?:the\s+)?(?:year\s+)?(?:{any_of(WEEKDAYS)},?\s+)?$|$"
)


@dataclass(frozen=True, slots=True, eq=False)
class Lead:
    """The words that lead to a named time; often there are none."""

    match: re.Match[str]

    @property
    def begin(self) -> int:
        """Say where the words begin."""
        return self.match.start()

    @property
    def word(self) -> str:
        """Give the preposition as it is written."""
        return " ".join((self.match["word"] or "").split())

    @property
    def relation(self) -> str:
        """Give the English preposition with the same meaning."""
        return LEADS.get(self.word, "")

    @property
    def narrows(self) -> bool:
        """Tell whether only a part of the time is meant."""
        return bool(self.match["part"] or self.match["week"])

    def narrowed(self, span: Span) -> Span:
        """Keep the part that is meant, as in "late May" and "the week of 8 May"."""
        part, week = self.match["part"], self.match["week"]
        if part:
            return span.piece(*PARTS_OF_SPAN[" ".join(part.split())])
        if week == "last":
            return Span(max(span.start, span.end - _WEEK), span.end)
        if week:
            start = span.start + _WEEKS.index(week) * _WEEK
            return Span(start, start + _WEEK)
        if self.match["week_of"] and span.end - span.start == _DAY:
            return _week_named_by(span.start.date())
        return span

    def bounds(self, span: Span) -> Bounds:
        """Tell what time is meant, given the one that is named."""
        match self.relation:
            case "before" | "after" if self._is_measured:
                neighbour = self._neighbour(span)
                return neighbour.start, neighbour.end
            case "before":
                return None, span.start
            case "after":
                return span.end, None
            case "since":
                return span.start, None
            case "until" | "by":
                return None, span.end
            case _:
                return span.start, span.end

    @property
    def _is_measured(self) -> bool:
        return any(self.match[name] for name in ("unit", "next_to", "weekday"))

    def _neighbour(self, span: Span) -> Span:
        """Find what is so far before or after, as in "two weeks before 11 August"."""
        is_after = self.relation == "after"
        count, unit, weekday = (self.match[name] for name in ("count", "next_to", "weekday"))
        if count:
            amount = amount_of(count, self.match["unit"])
            return _far_after(span, amount) if is_after else _far_before(span, amount)
        if unit and unit != "weekend":
            return _next_after(span, UNITS[unit]) if is_after else _next_before(span, UNITS[unit])
        search_to = span.end.date() + _WEEK if is_after else span.start.date()
        found = weekday_before(search_to, WEEKDAYS[weekday] if weekday else _SATURDAY)
        return day(found) if weekday else days(found, found + _DAY)


def lead_before(text: str, at: int) -> Lead:
    """Read the words that lead to what is named at that place."""
    match = compiled(_LEAD).search(text, max(0, at - _LONGEST_LEAD), at)
    assert match is not None
    return Lead(match)


def _week_named_by(on: date) -> Span:
    """Span the week of a day; one that is named by a Sunday begins there, as in America."""
    return days(on, on + 6 * _DAY) if on.weekday() == _SUNDAY else unit_around(on, "week")


def _far_before(span: Span, amount: Amount) -> Span:
    return back_from(Clock(span.start), amount)


def _far_after(span: Span, amount: Amount) -> Span:
    ahead = Amount(-amount.most, -amount.least, amount.unit)
    return back_from(Clock(span.end - _DAY), ahead)


def _next_before(span: Span, unit: Unit) -> Span:
    return Span(day_starts(shifted(span.start.date(), -1, unit)), span.start)


def _next_after(span: Span, unit: Unit) -> Span:
    return Span(span.end, day_starts(shifted(span.end.date(), 1, unit)))
