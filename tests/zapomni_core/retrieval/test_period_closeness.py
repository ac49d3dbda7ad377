"""Closeness: how close a memory is to the time that a query speaks of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.retrieval.periods import Period, closeness

DAY_MS = 86_400_000
PERIODS = st.builds(
    lambda start, length: Period(start, start + length, ""),
    st.integers(-(2**41), 2**42),
    st.integers(1, 4000 * DAY_MS),
)
MOMENTS = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20)


def close(period: Period, *moments: int) -> list[float]:
    return [float(score) for score in closeness(period, np.array(moments, np.int64))]


@given(PERIODS, MOMENTS)
def test_closeness_is_1_inside_and_between_0_and_1_elsewhere(
    period: Period, moments: list[int]
) -> None:
    assert period.start_ms is not None
    assert period.end_ms is not None
    scores = closeness(period, np.array(moments, np.int64))

    assert scores.dtype == np.float32
    assert scores.shape == (len(moments),)
    assert close(period, period.start_ms, period.end_ms - 1) == [1.0, 1.0]
    for moment, score in zip(moments, scores, strict=True):
        assert 0 <= score <= 1
        assert score == 1 or not period.start_ms <= moment < period.end_ms


@given(PERIODS, st.integers(0, 4000 * DAY_MS), st.integers(0, 4000 * DAY_MS))
def test_closeness_falls_with_the_distance_alike_on_both_sides(
    period: Period, one: int, other: int
) -> None:
    assert period.start_ms is not None
    assert period.end_ms is not None
    near, far = sorted([one, other])
    after = close(period, period.end_ms + near, period.end_ms + far)

    assert after[0] >= after[1]
    assert after == pytest.approx(close(period, period.start_ms - near, period.start_ms - far))


@pytest.mark.parametrize(
    ("days_long", "days_near", "days_far"), [(1, 1, 3), (7, 4, 9), (31, 12, 25), (365, 60, 120)]
)
def test_closeness_reaches_further_around_a_longer_period(
    days_long: int, days_near: int, days_far: int
) -> None:
    length = days_long * DAY_MS
    period = Period(0, length, "")

    near, far = length + days_near * DAY_MS, length + days_far * DAY_MS
    near_score, far_score = close(period, near, far)
    assert 0.1 < near_score < 0.9
    assert far_score == 0


def test_an_open_period_has_no_end_on_that_side() -> None:
    since, before = Period(0, None, ""), Period(None, 0, "")

    assert close(since, -9999 * DAY_MS, 9999 * DAY_MS) == [0.0, 1.0]
    assert close(before, -9999 * DAY_MS, 9999 * DAY_MS) == [1.0, 0.0]
    assert 0 < close(since, -DAY_MS)[0] < 1
