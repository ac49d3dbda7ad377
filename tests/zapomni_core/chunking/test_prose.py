"""Prose and Markdown are cut where their structure is strongest."""

import pytest

from zapomni_core.chunking import ChunkLimits, split_text


def count_words(text: str) -> int:
    return len(text.split())


def chunks_of(text: str, max_tokens: int, *, max_chars: int = 10_000) -> list[str]:
    spans = split_text(text, count_words, ChunkLimits(max_tokens, 0, max_chars))
    return [text[span.start : span.end] for span in spans]


def words(amount: int, word: str = "word") -> str:
    return " ".join([word] * amount)


def test_blank_text_has_no_chunks() -> None:
    assert chunks_of("", 10) == []
    assert chunks_of(" \r\n\t\u3000\x0c", 10) == []


def test_a_section_that_fits_stays_whole_below_its_heading() -> None:
    text = f"# One\n\n{words(8)}\n\n# Two\n\n{words(12)}\n\n{words(6)}"

    assert chunks_of(text, 20) == [f"# One\n\n{words(8)}", f"# Two\n\n{words(12)}\n\n{words(6)}"]


def test_a_heading_never_ends_a_chunk() -> None:
    text = f"{words(16)}.\n\n# Title here\n\n{words(10)}. {words(9)}."

    first, second = chunks_of(text, 22)

    assert first == f"{words(16)}."
    assert second.startswith("# Title here\n\nword")


def test_a_heading_never_ends_a_chunk_even_when_that_leaves_it_short() -> None:
    text = f"{words(3)}.\n\n# Title\n\n{words(17)}."

    assert chunks_of(text, 20) == [f"{words(3)}.", f"# Title\n\n{words(17)}."]


def test_a_chunk_ends_before_a_section_rather_than_between_its_paragraphs() -> None:
    first = f"# One\n\n{words(6)}"
    second = f"# Two\n\n{words(5)}\n\n{words(10)}"

    assert chunks_of(f"{first}\n\n{second}", 20) == [first, second]


def test_stacked_headings_stay_with_the_first_sentence_below_them() -> None:
    text = f"{words(14)}.\n\n# A\n\n## B\n\n### C\n\n{words(10)}. {words(9)}."

    assert chunks_of(text, 20) == [
        f"{words(14)}.",
        f"# A\n\n## B\n\n### C\n\n{words(10)}.",
        f"{words(9)}.",
    ]


def test_a_sentence_too_long_to_stand_below_its_heading_is_begun_there() -> None:
    text = f"# Title\n\n{words(20)}."

    first, _ = chunks_of(text, 20)

    assert first.startswith("# Title\n\nword word")


def test_an_underlined_title_is_a_heading() -> None:
    text = f"{words(14)}.\n\nThe Title\n=========\n\n{words(10)}."

    assert chunks_of(text, 20) == [f"{words(14)}.", f"The Title\n=========\n\n{words(10)}."]


def test_a_chunk_ends_with_a_paragraph_rather_than_in_the_next() -> None:
    text = f"{words(6)}. {words(6)}.\n\n{words(5)}. {words(5)}."

    assert chunks_of(text, 20) == [f"{words(6)}. {words(6)}.", f"{words(5)}. {words(5)}."]


def test_a_fenced_block_that_fits_is_not_cut() -> None:
    fence = "```python\na = 1\n\n# not a heading\nb = 2\n\nc = 3\n```"
    text = f"{words(9)}.\n\n{fence}\n\n{words(9)}."

    chunks = chunks_of(text, 18)

    assert [chunk for chunk in chunks if fence in chunk] != []
    assert sum("```" in chunk for chunk in chunks) == 1


def test_a_fenced_block_that_does_not_fit_is_cut_between_lines() -> None:
    lines = [f"call {number} done" for number in range(12)]
    text = "```\n" + "\n".join(lines) + "\n```"

    chunks = chunks_of(text, 10)

    assert [line for chunk in chunks for line in chunk.splitlines()] == ["```", *lines, "```"]


def test_a_fence_closes_only_with_its_own_mark() -> None:
    for opened, inside in (("~~~", "```"), ("````", "```")):
        fence = f"{opened}\n{inside}\n\n# in\n{opened}"

        assert chunks_of(f"{words(9)}.\n\n{fence}", 12) == [f"{words(9)}.", fence]


def test_a_list_is_cut_between_items_rather_than_inside_one() -> None:
    items = [f"- Item {number}. Two words." for number in "abcdef"]

    assert chunks_of("\n".join(items), 13) == ["\n".join(items[i : i + 2]) for i in (0, 2, 4)]


def test_a_table_is_cut_between_rows_even_of_equal_width() -> None:
    rows = [f"| the row {number} | a value that is wide | and one more |" for number in "abcdef"]

    assert chunks_of("\n".join(rows), 33) == ["\n".join(rows[i : i + 2]) for i in (0, 2, 4)]


def test_a_dialogue_is_cut_between_lines() -> None:
    turns = ["Ann: hi", "Bob: hello there my friend", "Ann: so how was it", "Bob: fine"]

    assert chunks_of("\n".join(turns), 9) == ["\n".join(turns[:2]), "\n".join(turns[2:])]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_wrapped_lines_do_not_cut_a_sentence(ending: str) -> None:
    lines = [
        "The quick brown fox jumps over the lazy dog and",
        "runs away from the hunter who has been waiting",
        "in Paris. Nobody knows where it went after that",
        "day, and nobody will ever tell.",
    ]
    text = ending.join(lines)

    assert chunks_of(text, 22) == [text[: text.index(" Nobody")], text[text.index("Nobody") :]]


def test_sentences_are_not_cut_when_they_fit() -> None:
    text = " ".join(f"{words(count)}." for count in (5, 9, 3, 7, 8, 2, 6))

    for chunk in chunks_of(text, 10):
        assert chunk.endswith(".")
        assert text.count(chunk) >= 1
    assert " ".join(chunks_of(text, 10)) == text


def test_a_sentence_too_long_is_cut_between_words() -> None:
    text = words(50)

    chunks = chunks_of(text, 20)

    assert " ".join(chunks) == text
    assert all(count_words(chunk) <= 20 for chunk in chunks)


def test_chinese_without_spaces_is_cut_after_its_full_stops() -> None:
    text = "今天天气很好。我们去公园散步吧！你觉得怎么样？好的。"
    limits = ChunkLimits(max_tokens=16, overlap_tokens=0)

    chunks = [text[s.start : s.end] for s in split_text(text, len, limits)]

    assert chunks == ["今天天气很好。我们去公园散步吧！", "你觉得怎么样？好的。"]


def test_carriage_returns_and_form_feeds_part_paragraphs_too() -> None:
    for blank in ("\r\n\r\n", "\r\r", "\n\x0c", "\u2029\u2029"):
        text = f"{words(6)}. {words(6)}.{blank}{words(5)}. {words(5)}."

        assert chunks_of(text, 20) == text.split(blank)


def test_a_wide_gap_is_never_inside_a_chunk_that_it_would_overfill() -> None:
    text = "left" + " " * 500 + "right"

    assert chunks_of(text, 10, max_chars=100) == ["left", "right"]
