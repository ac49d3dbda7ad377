"""Excerpts: short, cut between words, and around what was asked for."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.retrieval import excerpt

WORDS = st.lists(st.text("abcdeé", min_size=1, max_size=12), min_size=1, max_size=120)
FILLER = "The committee met and talked about many usual things. " * 12


@given(st.text(max_size=200), st.text(max_size=50))
def test_a_short_text_is_shown_whole(text: str, query: str) -> None:
    assert excerpt(text, query) == text


@given(st.text(max_size=600), st.text(max_size=50), st.integers(20, 300))
def test_an_excerpt_is_a_piece_of_the_text_about_as_long_as_asked(
    text: str, query: str, width: int
) -> None:
    shown = excerpt(text, query, width)

    assert len(shown) <= width + 2 or shown == text
    assert shown.removeprefix("…").removesuffix("…") in text


@given(WORDS, WORDS)
def test_no_word_is_cut(words: list[str], asked: list[str]) -> None:
    shown = excerpt(" ".join(words), " ".join(asked), 60)

    assert set(re.findall(r"\w+", shown)) <= set(words)


@given(WORDS, st.sampled_from("abc"))
def test_most_of_the_width_is_used(words: list[str], asked: str) -> None:
    text = " ".join(words)

    assert len(excerpt(text, asked * 3, 100)) >= min(len(text), 60)


@pytest.mark.parametrize("place", [0, 100, 300, len(FILLER)])
@pytest.mark.parametrize("query", ["giraffe", "Where are the GIRAFFES?", "giraffe's (neck)*"])
def test_the_excerpt_shows_what_was_asked_for(place: int, query: str) -> None:
    place = FILLER.rfind(" ", 0, place) + 1
    text = f"{FILLER[:place]}A giraffe stood by. {FILLER[place:]}".strip()

    assert "giraffe" in excerpt(text, query)


def test_the_place_with_most_of_the_words_is_shown() -> None:
    text = f"A blue door. {FILLER}The blue giraffe sleeps. {FILLER}A giraffe."

    assert "The blue giraffe sleeps." in excerpt(text, "blue giraffe")


@pytest.mark.parametrize("text", ["x" * 500, f"{'x' * 250}giraffe{'y' * 250}", "\n" * 500])
def test_a_text_without_spaces_is_cut_all_the_same(text: str) -> None:
    assert 100 < len(excerpt(text, "giraffe")) <= 202


def test_dots_stand_only_where_something_was_left_out() -> None:
    start, end = excerpt(FILLER.strip(), "nothing"), excerpt(f"{FILLER}giraffe", "giraffe")

    assert (start.startswith("The committee"), start.endswith("…")) == (True, True)
    assert (end.startswith("…"), end.endswith("giraffe")) == (True, True)
