"""Count memories by day, tag and source out of the word index."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from zapomni_core.life.results import MemoryCounts
from zapomni_core.retrieval import Filters
from zapomni_core.retrieval.lexicon import Lexicon

__all__ = ["count_memories"]

_DAY_MS = 86_400_000
_MOST_NAMES = 100


def count_memories(lexicon: Lexicon, filters: Filters) -> MemoryCounts:
    """Count all memories that match; of tags and sources those that most memories have."""
    rows = lexicon.heads(filters)
    days, numbers = np.unique(lexicon.timestamps(rows) // _DAY_MS, return_counts=True)
    names = np.datetime_as_string(days.astype("datetime64[D]"))
    tags, sources = lexicon.spread(rows)
    return MemoryCounts(
        dict(zip(names.tolist(), numbers.tolist(), strict=True)), _largest(tags), _largest(sources)
    )


def _largest(counts: Mapping[str, int]) -> dict[str, int]:
    named = [(name, number) for name, number in counts.items() if name]
    return dict(sorted(named, key=lambda item: (-item[1], item[0]))[:_MOST_NAMES])
