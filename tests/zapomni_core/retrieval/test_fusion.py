"""Fusion: scores between 0 and 1 that never contradict both legs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from zapomni_core.retrieval.fusion import SimilarityScale, fuse, similarity_scale

type Scores = NDArray[np.float32]

SCALE = SimilarityScale(unrelated=0.2, same=0.9, vector_weight=0.7, foreign_weight=0.2)
LEGS = st.lists(
    st.tuples(st.floats(-1, 1, width=32), st.floats(0, 30, width=32)), min_size=1, max_size=30
)


def fused(legs: list[tuple[float, float]], best: float = 30.0, query: str = "why") -> Scores:
    similarities, words = np.array(legs, np.float32).T
    return fuse(similarities, words, best, SCALE, query)


@given(LEGS, st.floats(0, 100), st.sampled_from(["why", "почему", "", "42"]))
def test_every_score_is_between_0_and_1(
    legs: list[tuple[float, float]], best: float, query: str
) -> None:
    scores = fused(legs, best, query)

    assert scores.shape == (len(legs),)
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    assert (scores <= 1).all()


@given(LEGS)
def test_whoever_is_better_by_both_legs_is_not_ranked_lower(
    legs: list[tuple[float, float]],
) -> None:
    scores = fused(legs)

    for one, mine in zip(legs, scores, strict=True):
        for other, theirs in zip(legs, scores, strict=True):
            if one[0] >= other[0] and one[1] >= other[1]:
                assert mine >= theirs - 1e-5


@given(st.lists(st.floats(-1, 1, width=32), min_size=2, max_size=30))
def test_without_matching_words_the_vectors_decide(similarities: list[float]) -> None:
    scores = fused([(similarity, 0.0) for similarity in similarities])

    order = np.argsort(-np.array(similarities), kind="stable")
    assert (np.diff(scores[order]) <= 1e-6).all()


def test_words_decide_between_equal_vectors() -> None:
    scores = fused([(0.5, 1.0), (0.5, 9.0), (0.5, 0.0)])

    assert np.argsort(-scores).tolist() == [1, 0, 2]


def test_a_perfect_match_scores_1_and_nothing_related_scores_0() -> None:
    assert fused([(0.95, 12.0), (0.1, 0.0)], best=12.0)[0] == pytest.approx(1.0)
    assert fused([(0.1, 0.0), (0.0, 0.0)]).tolist() == [0.0, 0.0]


def test_words_count_more_in_a_script_that_the_model_cannot_read() -> None:
    legs = [(0.8, 0.0), (0.5, 20.0)]

    assert np.argmax(fused(legs, query="Where is the key?")) == 0
    assert np.argmax(fused(legs, query="Где лежит ключ?")) == 1


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_confidence_grows_with_similarity_within_0_and_1(one: float, other: float) -> None:
    low, high = sorted([one, other])

    assert 0 <= SCALE.confidence(low) <= SCALE.confidence(high) <= 1


def test_every_model_has_a_scale() -> None:
    for model_id in ("e5-small-8bit", "ollama-nomic-embed-text", "never heard of"):
        scale = similarity_scale(model_id)

        assert -1 <= scale.unrelated < scale.same <= 1
        assert 0 < scale.vector_weight < 1
