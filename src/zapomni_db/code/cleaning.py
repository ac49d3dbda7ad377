"""Keep out what no text of the database can hold: NUL, and halves of surrogate pairs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    # It brings numpy, which those who read files do without.
    from zapomni_db.cypher import Value

__all__ = ["can_be_stored", "cleaned", "cleaned_value", "dumped"]

_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


def can_be_stored(path: str) -> bool:
    """Tell whether a path can name a file of the index; writes leave others out."""
    return _UNWRITABLE.search(path) is None


def cleaned(text: str) -> str:
    """Put U+FFFD in the place of what cannot be written."""
    return _UNWRITABLE.sub("\ufffd", text)


def cleaned_value(value: Value) -> Value:
    """Clean every text in nested lists."""
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, Sequence):
        return [cleaned_value(one) for one in value]
    return value


def dumped(value: Value) -> bytes:
    """Write lists of texts, numbers and booleans as JSON, cleaned only if need be."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return orjson.dumps(cleaned_value(value))
