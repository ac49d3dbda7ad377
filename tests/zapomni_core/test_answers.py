"""Answers: what says the same is shown once, and the size is bounded."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.answers import Answer, collapsed, item_of, within
from zapomni_core.retrieval import Hit
from zapomni_db import HitRecord

LONG = "The release of the billing service is planned for the third week of March next year"


def hit(text: str, score: float = 0.5) -> Hit:
    place = (uuid.uuid4().hex, uuid.uuid4().hex, 0, 0, len(text))
    return Hit(HitRecord(*place, text, "", (), 0, "{}"), score)


def count_words(text: str) -> int:
    return len(text.split())


def test_the_same_words_are_shown_once_and_the_other_memory_is_named() -> None:
    first, second, third = hit("Ann likes tea."), hit("ann likes TEA!"), hit("Bob likes coffee.")

    answers = collapsed([first, second, third], 10)

    assert [answer.hit for answer in answers] == [first, third]
    assert answers[0].also_in == (second.record.memory_id,)
    assert answers[1].also_in == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{LONG} or in April", f"{LONG} or in June"),
        ("Deploy of staging ✅", "Deploy of staging ❌"),
        ("Anna's favourite language is C++", "Anna's favourite language is C#"),
        ("Keep it at 5 °C", "Keep it at −5 °C"),
        ("Is the rent 1200?", "Is the rent 1200"),
        ("…", "!"),
    ],
)
def test_what_differs_in_a_word_or_a_sign_is_shown_twice(one: str, other: str) -> None:
    assert len(collapsed([hit(one), hit(other)], 10)) == 2


def test_two_chunks_of_one_memory_do_not_name_it_twice() -> None:
    one = hit(LONG)

    assert collapsed([one, one], 10) == [Answer(one)]


def test_no_more_than_the_limit_is_shown() -> None:
    assert len(collapsed([hit(f"fact number {i}") for i in range(9)], 4)) == 4


@given(st.lists(st.integers(1, 40), max_size=12), st.integers(16, 200))
def test_what_is_kept_fits_and_is_the_best(lengths: list[int], max_tokens: int) -> None:
    items = [item_of(Answer(hit("word " * length)), "word") for length in lengths]

    kept = within(items, max_tokens, count_words, "word")

    assert bool(kept) == bool(items)
    if len(kept) > 1:
        assert sum(count_words(item.text) for item in kept) <= max_tokens
    assert [item.chunk_id for item in kept] == [item.chunk_id for item in items[: len(kept)]]


def test_a_first_text_that_is_too_long_is_cut_around_the_match() -> None:
    text = "filler " * 200 + "the needle " + "filler " * 200

    (item,) = within([item_of(Answer(hit(text)), "needle")], 20, count_words, "needle")

    assert "needle" in item.text
    assert count_words(item.text) <= 20


def test_without_a_bound_everything_is_kept() -> None:
    items = [item_of(Answer(hit(text)), "q") for text in ("a", "b")]

    assert within(items, None, count_words, "q") == items
