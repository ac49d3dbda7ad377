"""Places within places, as in "in Lyon, France"."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

from zapomni_core.knowledge.facts.masking import number_of

__all__ = ["place_chains"]

# In a longer row, or in one that ends with "and", the places are side by side.
_CHAIN: Final = re.compile(
    r"(?<!\w)(?:in|at|from)\s+(?:the\s+)?(?P<chain>⟪L\d+⟫(?:\s*,\s*⟪L\d+⟫){1,2})"
    r"(?!\s*,?\s*(?:the\s+)?⟪L)(?!\s*,?\s*(?:and|or|&)(?!\s+\w+ed\b))"
    r"(?=\s*(?:[.,;:!?()\"]|$|(?:in|on|at|to|and|where|when|who|with|from|by|for|as|after|before"
    r"|since|until|while|during|last|this)(?!\w)))"
)
_PLACE: Final = re.compile(r"⟪L\d+⟫")


def place_chains(masked: str) -> Iterator[tuple[int, int]]:
    """Give the numbers of the places that are written before the place they lie in."""
    for found in _CHAIN.finditer(masked):
        places = [number_of(mark) for mark in _PLACE.findall(found["chain"])]
        yield from itertools.pairwise(places)
