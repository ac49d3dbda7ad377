"""Chains taken apart: `a.b[]().c` is a, attribute b, item, call, attribute c."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["CALL", "ITEM", "names_in", "steps_of"]

CALL: Final = "()"
ITEM: Final = "[]"
_STEP: Final = re.compile(r"\(\)|\[\]|\?|[^.()\[\]?]+")
_NAME: Final = re.compile(r"[^\W\d]\w*")


@lru_cache(maxsize=65536)
def steps_of(chain: str) -> tuple[str, ...]:
    """Return the links of a chain; a call and a subscript are links of their own."""
    return tuple(_STEP.findall(chain))


@lru_cache(maxsize=65536)
def names_in(text: str) -> tuple[str, ...]:
    """Return every name that a chain or a type mentions."""
    return tuple(_NAME.findall(text))
