"""How close points in time are to a period."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zapomni_core.retrieval.periods.mentions import Period

__all__ = ["closeness"]

_DAY_MS: Final = 86_400_000
_OPEN_REACH_MS: Final = 7.0 * _DAY_MS


def closeness(period: Period, timestamps_ms: NDArray[np.int64]) -> NDArray[np.float32]:
    """Give 1 inside the period, less outside, and 0 beyond its reach."""
    # As floats, because the distance of two integers need not fit into one.
    times = timestamps_ms.astype(np.float64)
    distance = np.zeros(times.shape)
    if period.start_ms is not None:
        np.maximum(distance, period.start_ms - times, out=distance)
    if period.end_ms is not None:
        np.maximum(distance, times - period.end_ms, out=distance)
    near = np.maximum(1 - distance / _reach(period), 0).astype(np.float32)
    return near * near * (3 - 2 * near)


def _reach(period: Period) -> float:
    """Reach out two days around a day, a week around a week, some weeks around a month."""
    if period.start_ms is None or period.end_ms is None:
        return _OPEN_REACH_MS
    days = max(period.end_ms - period.start_ms, 1) / _DAY_MS
    return float(2 * _DAY_MS * days ** (2 / 3))
