"""Take values of known types out of JSON that nobody has checked."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import orjson

from zapomni_core.models import Metadata

__all__ = [
    "as_list",
    "as_object",
    "as_text",
    "cleaned",
    "is_storable",
    "iso_of",
    "label",
    "plain",
    "tags_of",
]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_MAX_LABEL_CHARS = 500
_MAX_TAGS = 100
_MAX_NESTING = 8
_MAX_PLAIN_BYTES = 100_000


def as_object(value: object) -> dict[str, object]:
    """Return a JSON object, an empty one where there is none."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return a JSON array, an empty one where there is none."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str | None:
    """Return a string that says something."""
    return value if isinstance(value, str) and value.strip() else None


def is_storable(text: str) -> bool:
    """Tell whether a text is free of NUL and of halves of surrogate pairs."""
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def cleaned(text: str) -> str:
    """Replace what cannot be stored by the replacement character."""
    return text if is_storable(text) else _UNSTORABLE.sub("\ufffd", text)


def label(value: object) -> str | None:
    """Return a short name or id as it can be stored."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 64:
        value = str(value)
    if not isinstance(value, str):
        return None
    return cleaned(value[:_MAX_LABEL_CHARS]).strip() or None


def tags_of(value: object) -> list[str]:
    """Return tags given as a list or separated by commas, each once."""
    given = value.split(",") if isinstance(value, str) else as_list(value)
    tags = (label(tag) for tag in given[:_MAX_TAGS])
    return list(dict.fromkeys(tag for tag in tags if tag))


def iso_of(value: object) -> str | None:
    """Return a moment as ISO 8601: strings as they are, seconds since 1970 in UTC."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            # An offset can lead out of the years that a result can show.
            _ = moment.astimezone(UTC) if moment.tzinfo else moment
            return value if is_storable(value) else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return (_EPOCH + timedelta(seconds=value)).isoformat()
    except (ValueError, OverflowError):
        return None
    return None


def plain(value: object) -> Metadata | None:
    """Return foreign metadata as it can be stored, or None where it is too much."""
    try:
        copy = _copied(value, _MAX_NESTING)
        fits = len(orjson.dumps(copy)) <= _MAX_PLAIN_BYTES
    except (ValueError, TypeError):
        return None
    return copy if fits and isinstance(copy, dict) and copy else None


def _copied(value: object, levels: int) -> object:
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, dict | list) and not levels:
        raise ValueError
    if isinstance(value, dict):
        return {cleaned(str(key)): _copied(each, levels - 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_copied(each, levels - 1) for each in value]
    return value
