"""Dates as documents state them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

__all__ = ["iso_date"]

_PDF: Final = re.compile(
    r"(?:D:)?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?.*",
    re.ASCII | re.DOTALL,
)
_PART: Final = re.compile(r"\d{4}(?:-\d\d)?", re.ASCII)


def iso_date(text: str) -> str:
    """Bring a date to ISO 8601; empty if it is none. A bare year or month stays one."""
    text = text.strip()[:60]
    if _PART.fullmatch(text):
        return text
    for parse in (_iso, _pdf, _mail):
        try:
            return parse(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return ""


def _iso(text: str) -> str:
    if len(text) == 10:
        return date.fromisoformat(text).isoformat()
    return datetime.fromisoformat(text).isoformat()


def _pdf(text: str) -> str:
    found = _PDF.fullmatch(text)
    if found is None:
        raise ValueError(text)
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups()[:6])
    stated = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    if found[7] is None:
        return stated.isoformat()
    zone = f"{found[7]}{found[8]}:{found[9] or '00'}"
    return datetime.fromisoformat(f"{stated:%Y-%m-%dT%H:%M:%S}{zone}").isoformat()


def _mail(text: str) -> str:
    return parsedate_to_datetime(text).isoformat()
