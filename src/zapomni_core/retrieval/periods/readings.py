"""What the parts of a phrase mean as a span of time.

Each reading takes the named parts and the clock; it raises ValueError or OverflowError
for a time that does not exist.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from zapomni_core.retrieval.periods.spans import (
    Amount,
    Clock,
    Span,
    Unit,
    back_from,
    day,
    days,
    hours,
    latest,
    leading_to,
    month,
    months,
    season,
    shifted,
    unit_around,
    weekday_before,
)
from zapomni_core.retrieval.periods.words import (
    CALENDAR_UNITS,
    DAY_WORDS,
    MONTHS,
    NUMBERS,
    PARTS_OF_DAY,
    RECENTLY,
    SEASONS,
    UNITS,
    WEEKDAYS,
)

__all__ = [
    "Groups",
    "Reading",
    "ago",
    "amount_of",
    "calendar_date",
    "calendar_month",
    "calendar_season",
    "calendar_unit",
    "calendar_year",
    "day_word",
    "decade",
    "foreign_unit",
    "lately",
    "month_first",
    "numbers",
    "part_of_day",
    "quarter",
    "recently",
    "weekday",
]

type Groups = Mapping[str, str | None]
type Reading = Callable[[Groups, Clock], Span]

_QUARTERS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_FURTHEST_YEARS_AHEAD: Final = 10


def amount_of(count: str, unit: str) -> Amount:
    """Read "two weeks", "a few days", "10 years"."""
    words = " ".join(count.split())
    least, most = NUMBERS[words] if words in NUMBERS else (int(words), int(words))
    return Amount(least, most, UNITS[unit])


def _text(groups: Groups, name: str) -> str:
    return " ".join((groups.get(name) or "").split())


def _number(groups: Groups, name: str) -> int:
    return int(_text(groups, name))


def _in_year(groups: Groups, clock: Clock, read: Callable[[int], Span]) -> Span:
    """Read in the year that is named, else in the latest that fits."""
    which, year = _text(groups, "which"), _text(groups, "year")
    if year.isdecimal():
        return read(int(year))
    if year or which == "this":
        return read(clock.today.year - year.startswith(("last", "прошлого")))
    span = latest(read, clock.today)
    if which == "last" and span.end.date() > clock.today:
        return latest(read, span.start.date() - timedelta(days=1))
    return span


def calendar_date(groups: Groups, clock: Clock) -> Span:
    """Read "8 May 2023" and "3 to 5 June"."""
    number, on = MONTHS[_text(groups, "month")], _number(groups, "day")
    first = int(_text(groups, "first") or on)
    last = int(_text(groups, "last") or on)

    def read(year: int) -> Span:
        if first < last:
            return days(date(year, number, first), date(year, number, last))
        return day(date(year, number, on))

    return _in_year(groups, clock, read)


def calendar_month(groups: Groups, clock: Clock) -> Span:
    """Read "March 2023", "last March" and "March"."""
    number = MONTHS[_text(groups, "month")]
    return _in_year(groups, clock, lambda year: month(year, number))


def calendar_season(groups: Groups, clock: Clock) -> Span:
    """Read "summer 2023", "last summer" and "the summer"."""
    number = SEASONS[_text(groups, "season")]
    # "winter 2023/24" begins in the year that is named first, "winter 2023" ends there.
    later = 1 if number == 0 and groups.get("next") else 0
    return _in_year(groups, clock, lambda year: season(year + later, number))


def quarter(groups: Groups, clock: Clock) -> Span:
    """Read "Q3 2024" and "the third quarter of 2024"."""
    word = _text(groups, "quarter")
    first = (_QUARTERS[word] if word in _QUARTERS else int(word)) * 3 - 2
    return _in_year(groups, clock, lambda year: months(year, first, 3))


def calendar_year(groups: Groups, clock: Clock) -> Span:
    """Read "2022" and "2019-2021"; a number in the far future is no year."""
    first = _number(groups, "year")
    last = int(_text(groups, "last") or first)
    if not first <= last <= clock.today.year + _FURTHEST_YEARS_AHEAD:
        raise ValueError("a number, not a year")
    return months(first, 1, 12 * (last - first + 1))


def decade(groups: Groups, _clock: Clock) -> Span:
    """Read "1990s" and "90s"."""
    first = _number(groups, "decade")
    return months(first if first > 100 else 1900 + first, 1, 120)


def numbers(groups: Groups, _clock: Clock) -> Span:
    """Read a date or a month that is written in numbers."""
    year, number = _number(groups, "year"), _number(groups, "month")
    if not groups.get("day"):
        return month(year, number)
    return day(date(year, number, _number(groups, "day")))


def month_first(groups: Groups, _clock: Clock) -> Span:
    """Read 5/8/2023 the American way, unless only the other way gives a date."""
    month_number, on = _number(groups, "first"), _number(groups, "second")
    if month_number > 12:
        month_number, on = on, month_number
    year = _number(groups, "year")
    return day(date(year if year > 100 else 2000 + year, month_number, on))


def day_word(groups: Groups, clock: Clock) -> Span:
    """Read "yesterday" and "yesterday morning"."""
    on = clock.today + timedelta(days=DAY_WORDS[_text(groups, "word")])
    part = _text(groups, "part")
    return hours(on, *PARTS_OF_DAY[part]) if part else day(on)


def part_of_day(groups: Groups, clock: Clock) -> Span:
    """Read "this morning", "tonight" and "last night"."""
    on = clock.today - timedelta(days=1 if groups.get("before") else 0)
    return hours(on, *PARTS_OF_DAY[_text(groups, "part") or "night"])


def weekday(groups: Groups, clock: Clock) -> Span:
    """Read "last Friday", "this Friday" and "Friday"."""
    number, which = WEEKDAYS[_text(groups, "weekday")], _text(groups, "which")
    if which == "this":
        return day(clock.today + timedelta(days=number - clock.today.weekday()))
    before = clock.today if which else clock.today + timedelta(days=1)
    return day(weekday_before(before, number))


def calendar_unit(groups: Groups, clock: Clock) -> Span:
    """Read "last week", and "the last week" and "past week" as seven days up to now."""
    unit, which = UNITS[_text(groups, "unit")], _text(groups, "which")
    rolls = which == "past" or _text(groups, "article") == "the"
    if rolls and which != "this" and unit != "weekend":
        return leading_to(clock, Amount(1, 1, unit))
    return _units_back(clock, 0 if which == "this" else 1, unit)


def foreign_unit(groups: Groups, clock: Clock) -> Span:
    """Read "last week" and its like in other languages."""
    return _units_back(clock, *CALENDAR_UNITS[_text(groups, "words")])


def _units_back(clock: Clock, count: int, unit: Unit) -> Span:
    return unit_around(shifted(clock.today, -count, unit), unit)


def ago(groups: Groups, clock: Clock) -> Span:
    """Read "two weeks ago" and "a few days ago"."""
    return back_from(clock, amount_of(_text(groups, "count") or "one", _text(groups, "unit")))


def lately(groups: Groups, clock: Clock) -> Span:
    """Read "the last ten days"."""
    return leading_to(clock, amount_of(_text(groups, "count") or "one", _text(groups, "unit")))


def recently(groups: Groups, clock: Clock) -> Span:
    """Read "recently" as some weeks, and "the other day" as one."""
    length = RECENTLY[_text(groups, "words")]
    return leading_to(clock, Amount(length, length, "day"))
