"""Promises of the chunker that hold for any text, any counter and any limits."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zapomni_core.chunking import ChunkLimits, split_text

Counter = Callable[[str], int]


def count_words(text: str) -> int:
    return len(text.split())


def count_subwords(text: str) -> int:
    """Count like WordPiece: marks alone, words in parts, additive over whitespace."""
    return sum(1 + (len(part) - 1) // 4 for part in re.findall(r"\w+|[^\w\s]", text))


def estimate_by_quarters(text: str) -> int:
    return -(-len(text) // 4)


def estimate_rounding_down(text: str) -> int:
    return len(text) // 4


def count_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


COUNTERS = [
    count_words,
    count_subwords,
    estimate_by_quarters,
    estimate_rounding_down,
    count_bytes,
]
SNIPPETS = [
    "# Title\n",
    "## Part\r\n\r\n",
    "Title\n=====\n",
    "\n\n",
    "\n",
    "\r",
    "\r\n",
    "\x0c",
    "\x0b",
    "\x85",
    "\u2028",
    " ",
    "\u3000",
    "\t",
    "        ",
    "```\n",
    "~~~python\n",
    "- item ",
    "1. first ",
    "| a | b |\n",
    "> quoted ",
    "A sentence. ",
    "Dr. Who said so! ",
    "(e.g. this) ",
    "Wait... what?! ",
    "word ",
    "supercalifragilisticexpialidocious",
    "今天天气很好。",
    "すごい！",
    "か\u3099",
    "e\u0301\u0302",
    "👨\u200d👩\u200d👧\u200d👦",
    "👍🏽",
    "🇫🇷🇩🇪",
    "שלום עולם. ",
    "\u202eمرحبا؟ ",
    "\ud83d",
    "\ude00",
    "\x00",
    "\ufeff",
    "\u200b",
    "def f(a):\n    return a\n",
    "    x = 1;\n",
    "}\n",
    "else:\n",
    "....",
    "https://example.org/a/b?c=d&e=f",
]
texts = st.one_of(
    st.lists(st.sampled_from(SNIPPETS), max_size=60).map("".join),
    st.text(alphabet=st.characters(), max_size=200),
    st.lists(st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=20)), max_size=30).map("".join),
    st.builds(lambda unit, times: unit * times, st.sampled_from(SNIPPETS), st.integers(1, 80)),
)
counters = st.sampled_from(COUNTERS)
languages = st.sampled_from([None, "python", "markdown", "en"])


@st.composite
def limits_of_any_size(draw: st.DrawFn) -> ChunkLimits:
    max_tokens = draw(st.integers(1, 60))
    overlap_tokens = draw(st.integers(0, (max_tokens - 1) // 2))
    return ChunkLimits(max_tokens, overlap_tokens, max_chars=draw(st.integers(1, 300)))


@given(texts, counters, limits_of_any_size(), languages)
@settings(max_examples=150, deadline=None)
def test_every_visible_character_lies_in_a_span(
    text: str, counter: Counter, limits: ChunkLimits, language: str | None
) -> None:
    covered = set[int]()
    for span in split_text(text, counter, limits, language):
        covered.update(range(span.start, span.end))

    assert {place for place, character in enumerate(text) if not character.isspace()} <= covered


@given(texts, counters, limits_of_any_size(), languages)
@settings(max_examples=150, deadline=None)
def test_spans_lie_in_the_text_and_begin_and_end_with_a_visible_character(
    text: str, counter: Counter, limits: ChunkLimits, language: str | None
) -> None:
    for span in split_text(text, counter, limits, language):
        assert 0 <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == text[span.start : span.end].strip()


@given(texts, counters, limits_of_any_size(), languages)
@settings(max_examples=150, deadline=None)
def test_starts_and_ends_strictly_increase(
    text: str, counter: Counter, limits: ChunkLimits, language: str | None
) -> None:
    for before, after in pairwise(split_text(text, counter, limits, language)):
        assert before.start < after.start
        assert before.end < after.end


@given(texts, counters, limits_of_any_size(), languages)
@settings(max_examples=150, deadline=None)
def test_every_span_of_more_than_one_character_is_within_both_limits(
    text: str, counter: Counter, limits: ChunkLimits, language: str | None
) -> None:
    for span in split_text(text, counter, limits, language):
        assert span.end - span.start <= limits.max_chars
        if span.end - span.start > 1:
            assert counter(text[span.start : span.end]) <= limits.max_tokens


@given(texts, limits_of_any_size(), languages)
@settings(max_examples=120, deadline=None)
def test_repeated_text_stays_within_the_overlap_for_an_additive_counter(
    text: str, limits: ChunkLimits, language: str | None
) -> None:
    for before, after in pairwise(split_text(text, count_subwords, limits, language)):
        repeated = text[after.start : max(after.start, before.end)]

        assert count_subwords(repeated) <= limits.overlap_tokens


@given(texts, counters, limits_of_any_size(), languages)
@settings(max_examples=100, deadline=None)
def test_the_same_input_gives_the_same_spans(
    text: str, counter: Counter, limits: ChunkLimits, language: str | None
) -> None:
    first = split_text(text, counter, limits, language)

    assert split_text(text, counter, limits, language) == first


@given(texts, counters, languages)
@settings(max_examples=120, deadline=None)
def test_a_text_that_just_fits_is_one_span_without_its_outer_whitespace(
    text: str, counter: Counter, language: str | None
) -> None:
    content = text.strip()
    limits = ChunkLimits(max(1, counter(content)), 0, max_chars=max(1, len(content)))

    chunks = [text[s.start : s.end] for s in split_text(text, counter, limits, language)]

    assert chunks == ([content] if content else [])


@given(texts, counters, limits_of_any_size())
@settings(max_examples=120, deadline=None)
def test_the_counter_never_sees_more_than_a_chunk_may_hold(
    text: str, counter: Counter, limits: ChunkLimits
) -> None:
    sizes = list[int]()

    def recording(piece: str) -> int:
        sizes.append(len(piece))
        return counter(piece)

    split_text(text, recording, limits)

    assert max(sizes, default=0) <= limits.max_chars


@pytest.mark.parametrize("language", [None, "python"])
@pytest.mark.parametrize("unit", SNIPPETS)
def test_the_counter_reads_a_long_text_a_bounded_number_of_times(
    unit: str, language: str | None
) -> None:
    text = unit * 500
    seen = 0

    def recording(piece: str) -> int:
        nonlocal seen
        seen += len(piece)
        return count_subwords(piece)

    split_text(text, recording, ChunkLimits(64, 16), language)

    assert seen <= 10 * len(text)
