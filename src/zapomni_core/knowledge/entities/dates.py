"""Dates that stand on their own: which day, month or year they name."""

import re
from datetime import date

from zapomni_core.retrieval.periods.words import MONTHS, any_of

__all__ = ["DATE", "date_value"]

_MONTH = any_of(MONTHS)
_YEAR = r"(?:1[0-9]|20)[0-9]{2}"
_NO_DIGIT_BEFORE = r"(?<![\w.,/:$€£#+-])"
_END = r"(?![\w/-]|[.,:][0-9])"
# Names that begin with a digit, or with a month; a year alone only where a word says so.
DATE = (
    rf"{_NO_DIGIT_BEFORE}(?:"
    rf"(?P<iso>{_YEAR}(?P<iso_sign>[-/.])[0-9]{{1,2}}(?P=iso_sign)[0-9]{{1,2}})(?=T[0-9]|{_END})"
    rf"|(?P<iso_month>{_YEAR}-(?:0[1-9]|1[0-2])){_END}"
    rf"|(?P<numbers>[0-9]{{1,2}}(?P<sign>[./])[0-9]{{1,2}}(?P=sign){_YEAR}){_END}"
    rf"|(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<month>{_MONTH})\.?,?\s+"
    rf"(?:de\s+)?(?P<year>{_YEAR}){_END}"
    rf"|(?:(?P<alone>(?:(?:in|since|until|till|by|during|from|before|after|year|of|late|early"
    rf"|mid|to|between|circa|around|im|seit|en|depuis|desde|в|с|до)\s+|\()))(?P<bare>{_YEAR}){_END}"
    rf"|(?P<named>{_MONTH})\.?,?\s+(?:(?P<named_day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?\s+)?"
    rf"(?:of\s+)?(?P<named_year>{_YEAR}){_END})"
)


def date_value(match: re.Match[str]) -> tuple[int, int, str] | None:
    """Return place and value of a match of DATE; None if there is no such day."""
    groups = match.groupdict()
    start, end = (match.span("bare")) if groups["bare"] else match.span()
    value = _value(groups)
    return None if value is None else (start, end, value)


def _value(groups: dict[str, str | None]) -> str | None:
    if iso := groups["iso"]:
        return _day(*re.split(r"[-/.]", iso))
    if numbers := groups["numbers"]:
        return _from_numbers(*re.split(r"[./]", numbers), is_dotted=groups["sign"] == ".")
    if month := groups["month"]:
        return _day(groups["year"], MONTHS[month.lower()], groups["day"])
    if named := groups["named"]:
        number = MONTHS[named.lower()]
        if day := groups["named_day"]:
            return _day(groups["named_year"], number, day)
        return f"{groups['named_year']}-{number:02}"
    return groups["iso_month"] or groups["bare"]


def _from_numbers(first: str, second: str, year: str, *, is_dotted: bool) -> str | None:
    """Read 8.5.2023; with slashes it depends on the country, unless one number is no month."""
    if is_dotted or int(first) > 12:
        return _day(year, second, first)
    return _day(year, first, second) if int(second) > 12 else None


def _day(year: str | None, month: str | int, day: str | None) -> str | None:
    try:
        return date(int(year or 0), int(month), int(day or 0)).isoformat()
    except ValueError:
        return None
