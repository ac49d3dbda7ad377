"""Limits refuse values that no chunk could satisfy."""

import pytest

from zapomni_core.chunking import ChunkLimits


@pytest.mark.parametrize(
    ("max_tokens", "overlap_tokens", "max_chars"),
    [(0, 0, 100), (-1, 0, 100), (10, -1, 100), (10, 5, 100), (1, 1, 100), (10, 2, 0)],
)
def test_limits_that_cannot_hold_are_refused(
    max_tokens: int, overlap_tokens: int, max_chars: int
) -> None:
    with pytest.raises(ValueError, match=r"must be at least"):
        ChunkLimits(max_tokens, overlap_tokens, max_chars)


def test_overlap_may_be_none_or_just_under_half() -> None:
    assert ChunkLimits(1, 0).overlap_tokens == 0
    assert ChunkLimits(11, 5).overlap_tokens == 5
