"""How good an answer is, and how sure one can be of a mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Interval",
    "area_under_curve",
    "interval_of_mean",
    "ndcg",
    "precision",
    "recall",
    "reciprocal_rank",
]

_RESAMPLES = 1_000
_SEED = 20_240_131


@dataclass(frozen=True, slots=True)
class Interval:
    """The bounds within which the mean lies with a chance of 95 %."""

    low: float
    high: float


def recall(ranked: Sequence[str], relevant: Mapping[str, float], depth: int) -> float:
    """Return which share of the relevant documents is among the first `depth`."""
    return len(relevant.keys() & set(ranked[:depth])) / len(relevant)


def reciprocal_rank(ranked: Sequence[str], relevant: Mapping[str, float]) -> float:
    """Return one over the rank of the first relevant document, 0 if there is none."""
    ranks = (rank for rank, document in enumerate(ranked, start=1) if document in relevant)
    first = next(ranks, None)
    return 0.0 if first is None else 1 / first


def ndcg(ranked: Sequence[str], relevant: Mapping[str, float], depth: int) -> float:
    """Discount the gain of each document by its rank, relative to the best possible order."""
    best = sorted(relevant.values(), reverse=True)[:depth]
    return _discounted(relevant.get(document, 0.0) for document in ranked[:depth]) / (
        _discounted(best)
    )


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def interval_of_mean(values: Sequence[float]) -> Interval:
    """Bound the mean by drawing the same number of values again and again, always alike."""
    drawn = np.asarray(values, np.float64)
    chance = np.random.default_rng(_SEED)
    places = chance.integers(0, len(drawn), (_RESAMPLES, len(drawn)), dtype=np.int32)
    low, high = np.percentile(drawn[places].mean(axis=1), (2.5, 97.5))
    return Interval(float(low), float(high))


def area_under_curve(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Return how likely a positive scores above a negative; a tie counts half."""
    below = np.sort(np.asarray(negatives, np.float64))
    above: NDArray[np.float64] = np.asarray(positives, np.float64)
    beaten = np.searchsorted(below, above, "left") + np.searchsorted(below, above, "right")
    return float(beaten.sum() / (2 * len(below) * len(above)))


def precision(right: int, wrong: int) -> float:
    """Return which share was right; nothing claimed is nothing wrong."""
    return right / (right + wrong) if right + wrong else 1.0
