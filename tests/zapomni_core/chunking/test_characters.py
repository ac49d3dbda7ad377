"""Runs without spaces are cut, but not through what a reader sees as one character."""

import pytest

from zapomni_core.chunking import ChunkLimits, split_text


def chunks_of(text: str, max_chars: int) -> list[str]:
    spans = split_text(text, len, ChunkLimits(10_000, 0, max_chars))
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301\u0302",
        "か\u3099",
        "👨\u200d👩\u200d👧\u200d👦",
        "👍🏽",
        "🇫🇷",
        "\ud83d\ude00",
        "❤\ufe0f",
        "🏴\U000e0067\U000e0062\U000e007f",
        "\u1112\u1161\u11ab",
        "क\u093f",
        "-\u0301",
        "。\ufe00",
    ],
)
def test_a_cluster_is_never_cut_when_it_fits(cluster: str) -> None:
    text = "x" + cluster * 300

    for max_chars in (len(cluster), 10, 37, 100):
        for chunk in chunks_of(text, max(max_chars, len(cluster))):
            clusters = chunk.removeprefix("x")
            assert clusters == cluster * (len(clusters) // len(cluster))


def test_a_cluster_larger_than_a_chunk_is_cut_anyway() -> None:
    text = "e" + "\u0301" * 500

    assert "".join(chunks_of(text, 40)) == text


def test_one_endless_word_becomes_full_chunks() -> None:
    text = "a" * 1_000_000

    chunks = chunks_of(text, 10_000)

    assert "".join(chunks) == text
    assert len(chunks) <= 102


def test_a_long_address_is_cut_after_its_punctuation() -> None:
    text = "https://example.org" + "/segment-of-a-path" * 40

    chunks = chunks_of(text, 64)

    assert "".join(chunks) == text
    assert all(chunk[-1] in "/-" for chunk in chunks[:-1])


def test_lone_surrogates_and_nulls_are_kept() -> None:
    text = "\ud800\x00\udfff" * 100

    assert "".join(chunks_of(text, 16)) == text
