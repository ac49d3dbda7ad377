"""What the recall benchmark computes, and what it keeps between runs."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.recall.embeddings import StoredEmbedder
from benchmarks.recall.measures import (
    area_under_curve,
    interval_of_mean,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
)
from benchmarks.recall.sets import Document, Group, Memory, memories_of, moment_of
from benchmarks.recall.stores import decisive_files
from tests.fakes import CountingEmbedder

pytestmark = pytest.mark.anyio

documents = st.lists(st.integers(0, 30).map(str), unique=True, max_size=20)
relevances = st.dictionaries(
    st.integers(0, 30).map(str), st.sampled_from([1.0, 2.0, 3.0]), min_size=1, max_size=12
)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=40)
TURN = Document("D1:3", "I went hiking.", "Caroline", "1:56 pm on 8 May, 2023", 4)


def cut_short(folder: Path) -> None:
    """Take the last bytes from the only file of a folder."""
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:-10])


def test_recall_is_the_share_of_relevant_documents_within_the_depth() -> None:
    relevant = {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}

    assert recall(["x", "a", "b", "y", "c"], relevant, 3) == 0.5
    assert recall(["x", "a", "b", "y", "c"], relevant, 5) == 0.75


def test_reciprocal_rank_looks_at_the_first_relevant_document_only() -> None:
    assert reciprocal_rank(["x", "y", "b", "a"], {"a": 1.0, "b": 1.0}) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x", "y"], {"a": 1.0}) == 0.0


def test_ndcg_gains_linearly_and_discounts_by_the_logarithm_of_the_rank() -> None:
    relevant = {"a": 3.0, "b": 1.0}

    found = ndcg(["x", "b", "a"], relevant, 10)

    assert found == pytest.approx((1 / math.log2(3) + 3 / 2) / (3 + 1 / math.log2(3)))


def test_ndcg_asks_for_no_more_documents_than_the_depth_holds() -> None:
    relevant = dict.fromkeys("abcdef", 1.0)

    assert ndcg(["a", "b"], relevant, 2) == pytest.approx(1.0)


@given(documents, relevances, st.integers(1, 20))
def test_measures_are_shares(ranked: list[str], relevant: dict[str, float], depth: int) -> None:
    assert 0 <= recall(ranked, relevant, depth) <= 1
    assert 0 <= reciprocal_rank(ranked, relevant) <= 1
    assert 0 <= ndcg(ranked, relevant, depth) <= 1 + 1e-9


@given(documents, relevances, st.integers(1, 19))
def test_recall_never_falls_with_the_depth(
    ranked: list[str], relevant: dict[str, float], depth: int
) -> None:
    assert recall(ranked, relevant, depth) <= recall(ranked, relevant, depth + 1)


@given(relevances, st.integers(1, 20))
def test_the_best_order_has_full_ndcg(relevant: dict[str, float], depth: int) -> None:
    best = sorted(relevant, key=lambda document: -relevant[document])

    assert ndcg(best, relevant, depth) == pytest.approx(1.0)


@given(documents, relevances)
def test_moving_relevant_documents_upwards_never_lowers_ndcg(
    ranked: list[str], relevant: dict[str, float]
) -> None:
    moved = sorted(ranked, key=lambda document: -relevant.get(document, 0.0))

    assert ndcg(moved, relevant, 10) >= ndcg(ranked, relevant, 10) - 1e-9


@given(shares)
def test_an_interval_holds_within_the_values_and_is_the_same_every_time(
    values: list[float],
) -> None:
    interval = interval_of_mean(values)

    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9
    assert interval == interval_of_mean(values)


def test_an_interval_is_as_wide_as_the_theory_of_a_fair_coin_says() -> None:
    interval = interval_of_mean([0.0, 1.0] * 200)

    assert interval.low == pytest.approx(0.5 - 1.96 * 0.5 / math.sqrt(400), abs=0.006)
    assert interval.high == pytest.approx(0.5 + 1.96 * 0.5 / math.sqrt(400), abs=0.006)


def test_area_under_curve_counts_a_tie_half() -> None:
    assert area_under_curve([0.9, 0.5], [0.5, 0.1]) == (1 + 1 + 0.5 + 1) / 4


@given(shares, shares)
def test_area_under_curve_is_the_share_of_pairs_in_the_right_order(
    positives: list[float], negatives: list[float]
) -> None:
    pairs = [(p > n) + (p == n) / 2 for p in positives for n in negatives]

    assert area_under_curve(positives, negatives) == pytest.approx(sum(pairs) / len(pairs))


def test_precision_is_full_where_nothing_was_claimed() -> None:
    assert precision(3, 1) == 0.75
    assert precision(0, 0) == 1.0


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9, tzinfo=UTC)),
        ("March-15-2024", datetime(2024, 3, 15, tzinfo=UTC)),
        ("some day", None),
        ("", None),
        (None, None),
    ],
)
def test_dates_are_read_as_the_sets_write_them(date: str | None, moment: datetime | None) -> None:
    assert moment_of(date) == moment


def test_a_turn_is_stored_with_its_circumstances_in_the_metadata() -> None:
    circumstances = {"timestamp": "2023-05-08T13:56:00+00:00", "source": "session_4", "session": 4}

    assert memories_of(Group("g", (TURN,), ()), "metadata") == [
        Memory("D1:3", "Caroline: I went hiking.", circumstances)
    ]
    assert memories_of(Group("g", (TURN,), ()), "plain") == [
        Memory("D1:3", "I went hiking.", {"speaker": "Caroline", **circumstances})
    ]


def test_a_turn_can_be_stored_with_its_circumstances_in_the_text() -> None:
    assert memories_of(Group("g", (TURN,), ()), "text") == [
        Memory("D1:3", "[1:56 pm on 8 May, 2023] Caroline: I went hiking.", None)
    ]


def test_a_document_without_speaker_is_stored_as_it_is_and_an_empty_one_not_at_all() -> None:
    group = Group("g", (Document("1", "def f(): ..."), Document("2", " \n")), ())

    assert memories_of(group, "metadata") == [Memory("1", "def f(): ...", None)]


async def test_a_stored_embedding_is_not_computed_again_by_the_next_process(
    tmp_path: Path,
) -> None:
    first, second = CountingEmbedder(), CountingEmbedder()
    vectors = await StoredEmbedder(first, tmp_path).embed(["a b", "c"], "passage")

    again = await StoredEmbedder(second, tmp_path).embed(["c", "new", "a b"], "passage")

    assert second.batches == [(["new"], "passage")]
    assert np.array_equal(again[[2, 0]], vectors)


async def test_the_same_text_is_embedded_apart_as_question_and_as_passage(tmp_path: Path) -> None:
    inner = CountingEmbedder()
    embedder = StoredEmbedder(inner, tmp_path)

    await embedder.embed(["a"], "passage")
    await embedder.embed(["a"], "query")

    assert inner.batches == [(["a"], "passage"), (["a"], "query")]


async def test_what_a_killed_process_left_half_written_spoils_nothing(tmp_path: Path) -> None:
    vectors = await StoredEmbedder(CountingEmbedder(), tmp_path).embed(["a", "b"], "passage")
    cut_short(tmp_path)
    await StoredEmbedder(CountingEmbedder(), tmp_path).embed(["b", "c"], "passage")

    unneeded = CountingEmbedder()
    again = await StoredEmbedder(unneeded, tmp_path).embed(["a", "b"], "passage")

    assert unneeded.batches == []
    assert np.array_equal(again, vectors)


def test_a_change_of_splitting_stemming_or_storing_makes_a_store_stale() -> None:
    names = {"/".join(path.parts[-2:]) for path in decisive_files()}

    assert names >= {
        "chunking/splitting.py",
        "retrieval/stemming.py",
        "retrieval/terms.py",
        "zapomni_core/setting.py",
        "zapomni_db/memories.py",
    }
    assert not names & {"retrieval/ranking.py", "retrieval/recipe.py", "zapomni_core/engine.py"}
