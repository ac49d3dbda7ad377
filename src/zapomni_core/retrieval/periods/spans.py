"""Days, months and seasons as spans of time, and how to count from one to another."""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal

__all__ = [
    "Amount",
    "Clock",
    "Span",
    "Unit",
    "back_from",
    "day",
    "day_starts",
    "days",
    "hours",
    "latest",
    "leading_to",
    "month",
    "months",
    "season",
    "shifted",
    "unit_around",
    "weekday_before",
]

type Unit = Literal[
    "minute", "hour", "day", "weekend", "week", "month", "quarter", "year", "decade"
]

_MONTHS_IN: Final[dict[Unit, int]] = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_DAYS_IN: Final[dict[Unit, int]] = {"day": 1, "weekend": 7, "week": 7}
_LENGTHS: Final[dict[Unit, timedelta]] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
}
_HALF_DAYS: Final[dict[Unit, int]] = {
    "day": 0,
    "weekend": 3,
    "week": 3,
    "month": 15,
    "quarter": 45,
    "year": 182,
    "decade": 1826,
}
_SATURDAY: Final = 5
_DAY: Final = timedelta(days=1)
_LONGEST_GAP_BETWEEN_LEAP_YEARS: Final = 8


@dataclass(frozen=True, slots=True)
class Clock:
    """A reference from which "today" and "an hour ago" are counted."""

    reference: datetime

    @property
    def today(self) -> date:
        """Give the date that the clock itself shows."""
        return self.reference.date()

    @property
    def instant(self) -> datetime:
        """Give the point in time; without a time zone the clock shows UTC."""
        if self.reference.utcoffset() is None:
            return self.reference.replace(tzinfo=UTC)
        return self.reference.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of time from its start to before its end."""

    start: datetime
    end: datetime

    def piece(self, first: int, last: int, of: int) -> "Span":
        """Cut into `of` equal pieces, of whole days if it can be, and join some of them."""
        length = self.end - self.start
        grain = _DAY if length >= of * _DAY else timedelta(milliseconds=1)
        starts, ends = (length * index // of // grain * grain for index in (first, last))
        return Span(self.start + starts, self.start + ends)

    def joined(self, other: "Span") -> "Span":
        """Cover both spans and what is between them."""
        return Span(min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True, slots=True)
class Amount:
    """How many of a unit; two numbers where the words are loose, as in "a few"."""

    least: int
    most: int
    unit: Unit


def day_starts(on: date) -> datetime:
    """Give the first instant of a day."""
    return datetime.combine(on, time.min, UTC)


def days(first: date, last: date) -> Span:
    """Span whole days, the last one included."""
    return Span(day_starts(first), day_starts(last + _DAY))


def day(on: date) -> Span:
    """Span one day."""
    return days(on, on)


def hours(on: date, first: int, last: int) -> Span:
    """Span a part of a day; hours over 24 belong to the next one."""
    start = day_starts(on)
    return Span(start + timedelta(hours=first), start + timedelta(hours=last))


def month(year: int, number: int) -> Span:
    """Span one month."""
    return months(year, number, 1)


def months(year: int, first: int, count: int) -> Span:
    """Span some months from the first of one."""
    start = date(year, first, 1)
    return Span(day_starts(start), day_starts(_shift_months(start, count)))


def season(year: int, number: int) -> Span:
    """Span a northern season, 0 for the winter that ends in that year."""
    return months(year, 3 * number, 3) if number else months(year - 1, 12, 3)


def latest(read: Callable[[int], Span], today: date) -> Span:
    """Find the latest year whose span has begun by that day."""
    for year in range(today.year + 1, today.year - _LONGEST_GAP_BETWEEN_LEAP_YEARS - 1, -1):
        try:
            span = read(year)
        except ValueError:
            continue
        if span.start.date() <= today:
            return span
    raise ValueError("no such day in any year")


def weekday_before(today: date, weekday: int) -> date:
    """Find the latest day before that one which is the given weekday, 0 for Monday."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def unit_around(today: date, unit: Unit) -> Span:
    """Span the calendar week, month or year that the day lies in."""
    monday = today - timedelta(days=today.weekday())
    match unit:
        case "week":
            return days(monday, monday + timedelta(days=6))
        case "weekend":
            return days(monday + timedelta(days=_SATURDAY), monday + timedelta(days=6))
        case "decade":
            return months(today.year - today.year % 10, 1, _MONTHS_IN[unit])
        case "month" | "quarter" | "year":
            size = _MONTHS_IN[unit]
            return months(today.year, (today.month - 1) // size * size + 1, size)
        case _:
            return day(today)


def shifted(on: date, count: int, unit: Unit) -> date:
    """Move a day by whole units, to the last day of a month that is too short."""
    if unit in _DAYS_IN:
        return on + timedelta(days=count * _DAYS_IN[unit])
    return _shift_months(on, count * _MONTHS_IN[unit])


def back_from(clock: Clock, amount: Amount) -> Span:
    """Span the unit that lies so long back, as "two weeks ago" does."""
    unit = amount.unit
    if unit in _LENGTHS:
        half = _LENGTHS[unit] / 2
        return Span(
            clock.instant - amount.most * _LENGTHS[unit] - half,
            clock.instant - amount.least * _LENGTHS[unit] + half,
        )
    half_days = timedelta(days=_HALF_DAYS[unit])
    return days(
        shifted(clock.today, -amount.most, unit) - half_days,
        shifted(clock.today, -amount.least, unit) + half_days,
    )


def leading_to(clock: Clock, amount: Amount) -> Span:
    """Span the time up to the reference, as "the last ten days" does."""
    if amount.unit in _LENGTHS:
        return Span(clock.instant - amount.most * _LENGTHS[amount.unit], clock.instant)
    return days(shifted(clock.today, -amount.most, amount.unit), clock.today)


def _shift_months(on: date, count: int) -> date:
    year, index = divmod(on.year * 12 + on.month - 1 + count, 12)
    if not date.min.year <= year <= date.max.year:
        raise ValueError("no such year")
    return date(year, index + 1, min(on.day, monthrange(year, index + 1)[1]))
