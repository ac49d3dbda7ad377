"""Count the terms of many symbols at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zapomni_core.code.searching.terms import word_terms
from zapomni_core.retrieval.postings import Counted, counted, numbered

__all__ = ["counted_terms"]

_MAX_REPEATS: Final = 4
# Django has 100,000 different words, but these are most of what it says.
_CACHE_ENTRIES: Final = 1 << 14

_known_terms = lru_cache(_CACHE_ENTRIES)(word_terms)


def counted_terms(texts: Sequence[str]) -> Counted:
    """Count the terms of texts that hold words; one that is repeated counts so often only."""
    words = counted([text.split() for text in texts])
    # Every word is cut once, and what it is cut into is put in the place of its number.
    cut = [*map(_known_terms, words.keys)]
    terms, numbers = numbered(chain.from_iterable(cut))
    sizes = np.array([*map(len, cut)], np.int64)
    starts = np.cumsum(sizes) - sizes
    repeats = sizes[words.numbers]
    first = np.cumsum(repeats) - repeats
    within = np.arange(repeats.sum()) - np.repeat(first, repeats)
    found = numbers[np.repeat(starts[words.numbers], repeats) + within]
    rows = np.repeat(words.rows, repeats)
    counts = np.repeat(np.minimum(words.counts, _MAX_REPEATS), repeats)
    return _summed(terms, found, rows, counts)


def _summed(
    keys: Sequence[str],
    numbers: NDArray[np.uint64],
    rows: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> Counted:
    """Add up what the same row holds of the same key."""
    places = numbers << np.uint64(32) | rows.astype(np.uint64)
    order = np.argsort(places)
    places = places[order]
    firsts = np.flatnonzero(np.diff(places, prepend=~places[:1]))
    sums = np.add.reduceat(counts[order], firsts) if len(firsts) else counts[:0]
    return Counted(keys, places[firsts], sums)
