"""When a fact holds, as far as its sentence says so."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from zapomni_core.knowledge.facts.phrases import Aspect
from zapomni_core.retrieval.periods import Period, mentioned_period

__all__ = ["Bounds", "bounds_of", "milliseconds"]

type Bounds = tuple[int | None, int | None]

_NEVER: Final[Bounds] = (None, None)
_FOR: Final = re.compile(r"\bfor(?: the (?:last|past)| about| almost| over)? (?=[\w ]+ years?\b)")
_YEARS: Final = re.compile(r"(?<=years)\b|(?<=year)\b")
_OPEN: Final = re.compile(r"since|from|after", re.IGNORECASE)
_CLOSED: Final = re.compile(r"until|till|before|by", re.IGNORECASE)
_RANGE: Final = re.compile(r"\b(?:from|between)\b|[0-9]\s?[-–—]\s?[0-9]", re.IGNORECASE)
_NEW: Final = re.compile(r"\b(?:just|now|recently|today|new|finally)\b", re.IGNORECASE)


def bounds_of(clause: str, aspect: Aspect, said_at: datetime) -> Bounds:
    """Tell from when to when a fact holds that is said in a clause, in UTC milliseconds."""
    if aspect == "timeless":
        return _NEVER
    said_ms = milliseconds(said_at)
    period = mentioned_period(clause, said_at)
    match aspect:
        case "state":
            return _state(clause, period, said_at)
        case "past":
            return _past(period, said_ms)
        case "start":
            begun = None if period is None else period.start_ms
            return (said_ms if begun is None and _NEW.search(clause) else begun), None
        case "end":
            return _end(period, said_ms)
        case "event":
            return _NEVER if period is None else (period.start_ms, period.end_ms)


def milliseconds(moment: datetime) -> int:
    """Give a moment in milliseconds since 1970; without a time zone it is in UTC."""
    aware = moment.replace(tzinfo=UTC) if moment.utcoffset() is None else moment
    return round(aware.timestamp() * 1000)


def _state(clause: str, period: Period | None, said_at: datetime) -> Bounds:
    if period is None:
        return _since_years(clause, said_at)
    if _RANGE.search(period.phrase) and period.end_ms is not None:
        return period.start_ms, period.end_ms
    if _OPEN.match(period.phrase):
        return period.start_ms, None
    return (None, period.end_ms) if _CLOSED.match(period.phrase) else _NEVER


def _since_years(clause: str, said_at: datetime) -> Bounds:
    """Read "for five years" as the middle of what "five years ago" means."""
    found = _FOR.search(clause)
    end = _YEARS.search(clause, found.end()) if found else None
    if found is None or end is None:
        return _NEVER
    ago = mentioned_period(f"{clause[found.end() : end.start()]} ago", said_at)
    if ago is None or ago.start_ms is None or ago.end_ms is None:
        return _NEVER
    return (ago.start_ms + ago.end_ms) // 2, None


def _past(period: Period | None, said_ms: int) -> Bounds:
    """End what is over when the text says, or at the latest when it was said."""
    if period is None:
        return None, said_ms
    end_ms = said_ms if period.end_ms is None else min(period.end_ms, said_ms)
    return period.start_ms, end_ms


def _end(period: Period | None, said_ms: int) -> Bounds:
    if period is None or period.end_ms is None:
        return None, said_ms
    return None, min(period.end_ms, said_ms)
