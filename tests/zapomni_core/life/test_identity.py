"""When two texts are one memory."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.life.identity import Echoes, holds, identity_of
from zapomni_core.validation import parse_metadata

PLAIN = parse_metadata({})
WORDS = st.text(min_size=1).filter(lambda text: text.strip() != "")


@given(WORDS)
def test_spelling_in_unicode_and_space_around_do_not_matter(text: str) -> None:
    decomposed = f"  {unicodedata.normalize('NFD', text)}\n"
    composed = unicodedata.normalize("NFC", text)

    assert identity_of(decomposed, PLAIN) == identity_of(composed, PLAIN)


@given(WORDS, WORDS)
def test_texts_that_differ_are_two_memories(one: str, other: str) -> None:
    is_same = (
        unicodedata.normalize("NFC", one).strip() == unicodedata.normalize("NFC", other).strip()
    )

    assert (identity_of(one, PLAIN) == identity_of(other, PLAIN)) == is_same


@pytest.mark.parametrize(
    "metadata",
    [
        {"speaker": "Maria"},
        {"session": "monday"},
        {"position": 3},
        {"timestamp": "2025-01-01T10:00:00Z"},
        {"source": "a.md"},
    ],
)
def test_the_same_words_in_another_place_are_another_memory(metadata: dict[str, object]) -> None:
    assert identity_of("Yes!", parse_metadata(metadata)) != identity_of("Yes!", PLAIN)


def test_tags_and_other_fields_make_no_other_memory() -> None:
    tagged = parse_metadata({"tags": ["a"], "mood": "good", "ttl": "P1D", "pinned": True})

    assert identity_of("Yes!", tagged) == identity_of("Yes!", PLAIN)


def test_what_was_told_is_known_whatever_its_line_breaks() -> None:
    echoes = Echoes()
    echoes.note("The red kite\nflies high", "m1")

    told = echoes.memory_of("The red kite flies  high ", PLAIN)
    assert told is not None
    assert told.memory_id == "m1"
    assert echoes.memory_of("The red kite flies low", PLAIN) is None


@pytest.mark.parametrize("field", ["speaker", "session", "position", "timestamp"])
def test_a_turn_of_a_conversation_is_no_echo(field: str) -> None:
    values = {"position": 3, "timestamp": "2025-01-01"}
    echoes = Echoes()
    echoes.note("Yes!", "m1")

    assert echoes.memory_of("Yes!", parse_metadata({field: values.get(field, "x")})) is None


def test_only_the_latest_texts_are_remembered() -> None:
    echoes = Echoes()
    for number in range(5000):
        echoes.note(f"text {number}", "m1")

    assert echoes.memory_of("text 0", PLAIN) is None
    assert echoes.memory_of("text 4999", PLAIN) is not None


@given(WORDS, WORDS, WORDS)
def test_a_text_holds_its_parts(before: str, part: str, after: str) -> None:
    assert holds(f"{before} {part} {after}", f"  {part}\n")
