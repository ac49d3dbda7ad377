"""Ranking: both legs, who speaks, when, and what stands around; scores between 0 and 1."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.retrieval.lexicon import Filters, Lexicon
from zapomni_core.retrieval.periods import mentioned_period
from zapomni_core.retrieval.ranking import Question, Ranked, rank
from zapomni_core.retrieval.recipe import recipe_for
from zapomni_core.retrieval.strands import Context
from zapomni_core.retrieval.terms import document_terms, query_terms
from zapomni_db import IndexEntry

NOW = datetime(2024, 6, 1, tzinfo=UTC)
NO_CONTEXT = Context(0.0, 0.0, 0.0, 0.0)
LEGS_ONLY = replace(recipe_for("any"), context=NO_CONTEXT, speaker=0.0, asker=0.0, period=0.0)
LEGS = st.lists(st.tuples(st.floats(-1, 1, width=32), st.integers(0, 5)), min_size=1, max_size=20)


def entry(text: str, **details: object) -> IndexEntry:
    given_details = {"timestamp_ms": 0, "source": "", "tags": (), **details}
    words = " ".join(document_terms(text))
    return IndexEntry(uuid.uuid4().hex, uuid.uuid4().hex, words, **given_details)  # type: ignore[arg-type]


def question(text: str, limit: int = 100, filters: Filters | None = None) -> Question:
    period = mentioned_period(text, NOW)
    return Question(text, query_terms(text), limit, filters or Filters(), period, ())


def ranked(
    entries: list[IndexEntry],
    similarities: list[float],
    text: str,
    recipe: object = LEGS_ONLY,
    filters: Filters | None = None,
) -> list[Ranked]:
    lexicon = Lexicon()
    lexicon.add(entries)
    near = {entry.chunk_id: s for entry, s in zip(entries, similarities, strict=True)}
    return rank(lexicon, question(text, filters=filters), near, {}, recipe)  # type: ignore[arg-type]


def places(entries: list[IndexEntry], found: list[Ranked]) -> list[int]:
    order = [one.chunk_id for one in entries]
    return [order.index(one.chunk_id) for one in found]


@given(LEGS)
def test_scores_are_probabilities_in_descending_order(legs: list[tuple[float, int]]) -> None:
    entries = [entry("lamp " * count + "filler") for _, count in legs]

    scores = [one.score for one in ranked(entries, [s for s, _ in legs], "lamp")]

    assert all(0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)


@given(st.lists(st.integers(-100, 100), min_size=1, max_size=20, unique=True))
def test_without_matching_words_the_vectors_decide(hundredths: list[int]) -> None:
    entries = [entry("filler") for _ in hundredths]

    found = places(entries, ranked(entries, [h / 100 for h in hundredths], "unheard"))

    assert found == np.argsort(-np.array(hundredths), kind="stable").tolist()


def test_words_decide_between_equal_vectors() -> None:
    entries = [entry("one lamp"), entry("lamp lamp"), entry("nothing else")]

    assert places(entries, ranked(entries, [0.5, 0.5, 0.5], "lamp"))[0] == 1


def test_a_turn_is_raised_by_what_is_said_around_it() -> None:
    turns = [
        entry("where did you go on holiday", thread="t", place=1),
        entry("to the coast", thread="t", place=2),
        entry("to the mall", thread="other", place=1),
        entry("a long story", thread="other", place=2),
    ]
    recipe = replace(LEGS_ONLY, context=Context(0.3, 0.3, 0.0, 0.0))

    found = places(turns, ranked(turns, [0.9, 0.5, 0.5, 0.1], "holiday", recipe))

    assert found.index(1) < found.index(2)


def test_a_neighbour_that_no_leg_brought_up_is_found_too() -> None:
    turns = [entry("holiday plans", thread="t", place=1), entry("the coast", thread="t", place=2)]
    lexicon = Lexicon()
    lexicon.add(turns)
    recipe = replace(LEGS_ONLY, context=Context(0.3, 0.3, 0.0, 0.0))

    found = rank(lexicon, question("holiday"), {turns[0].chunk_id: 0.9}, {}, recipe)

    assert [one.chunk_id for one in found] == [turn.chunk_id for turn in turns]
    assert found[1].evidence.similarity is None
    assert found[1].before == turns[0].chunk_id
    assert found[0].after == turns[1].chunk_id
    assert found[0].before is None


@pytest.mark.parametrize(
    ("query", "first"),
    [("What did Ann say?", 0), ("What about Bob's plan?", 1), ("What did I say?", 2)],
)
def test_whom_the_question_names_is_heard_first(query: str, first: int) -> None:
    turns = [entry("hello", speaker=name) for name in ("Ann", "Bob Miller", "user")]
    recipe = replace(LEGS_ONLY, speaker=0.5, asker=0.5)

    assert places(turns, ranked(turns, [0.5, 0.5, 0.5], query, recipe))[0] == first


def test_a_time_in_the_question_raises_what_was_said_then_but_hides_nothing() -> None:
    march, may = (int(datetime(2023, month, 9, tzinfo=UTC).timestamp() * 1000) for month in (3, 5))
    notes = [entry("the trip", timestamp_ms=moment) for moment in (march, may)]
    recipe = replace(LEGS_ONLY, period=0.3)

    for month, first in (("March", 0), ("May", 1)):
        found = places(notes, ranked(notes, [0.5, 0.5], f"the trip in {month} 2023", recipe))
        assert found == [first, 1 - first]


def test_filters_hide_results_and_not_their_effect_on_neighbours() -> None:
    turns = [
        entry("holiday plans", thread="t", place=1, source="a"),
        entry("the coast", thread="t", place=2, source="b"),
    ]
    recipe = replace(LEGS_ONLY, context=Context(0.3, 0.3, 0.0, 0.0))

    found = ranked(turns, [0.9, 0.1], "holiday", recipe, Filters(source="b"))

    assert places(turns, found) == [1]
    assert found[0].evidence.context > 0


def test_a_script_the_model_cannot_read_is_left_to_the_words() -> None:
    recipe = recipe_for("zapomni-small-2")

    foreign, plain = recipe.weight("где мой паспорт", 0.0, 0.0), recipe.weight("where", 0.0, 0.0)
    assert foreign < plain


def test_among_turns_of_a_conversation_the_vectors_count_more() -> None:
    texts = ["we went sailing", "and it rained"]
    turns = [entry(text, thread="t", place=place) for place, text in enumerate(texts)]

    talk, notes = (
        ranked(one, [0.5, 0.6], "sailing") for one in (turns, [entry(text) for text in texts])
    )

    assert max(one.evidence.words for one in talk) < max(one.evidence.words for one in notes)


def test_among_code_the_vectors_count_more() -> None:
    texts = ["def sort list", "def walk tree"]
    entries = [entry(text, is_code=True) for text in texts], [entry(text) for text in texts]

    code, prose = (ranked(one, [0.5, 0.6], "sort list") for one in entries)

    assert max(one.evidence.words for one in code) < max(one.evidence.words for one in prose)
