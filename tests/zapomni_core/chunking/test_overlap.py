"""Chunks of prose repeat a little of what came before; code does not."""

from itertools import pairwise

from zapomni_core.chunking import ChunkLimits, split_text


def count_words(text: str) -> int:
    return len(text.split())


def repeated(text: str, limits: ChunkLimits, language: str | None = None) -> list[str]:
    spans = split_text(text, count_words, limits, language)
    assert len(spans) > 1
    return [text[after.start : before.end] for before, after in pairwise(spans)]


def sentences(amount: int) -> list[str]:
    return [f"Sentence number {number} is here." for number in range(amount)]


def test_the_overlap_is_whole_sentences() -> None:
    known = sentences(12)

    overlaps = repeated(" ".join(known), ChunkLimits(22, 10))

    assert all(overlap in [f"{a} {b}" for a, b in pairwise(known)] for overlap in overlaps)


def test_the_overlap_shrinks_when_the_next_sentence_needs_the_room() -> None:
    known = sentences(4)
    long = "This goes on for " + "so " * 9 + "long."
    text = " ".join([*known, long])

    _, second = split_text(text, count_words, ChunkLimits(21, 10))

    assert text[second.start : second.end] == f"{known[-1]} {long}"


def test_the_overlap_shrinks_when_the_next_sentence_needs_the_characters() -> None:
    text = "We walked and walked home slowly in the rain. Afterwards everybody slept rather well."
    limits = ChunkLimits(max_tokens=100, overlap_tokens=4, max_chars=46)

    _, second = split_text(text, count_words, limits)

    assert text[second.start : second.end] == "rain. Afterwards everybody slept rather well."


def test_a_long_sentence_is_overlapped_by_its_last_words() -> None:
    text = "We walked and " + "walked " * 12 + "home late. " + "Then we slept " * 4 + "well."

    assert repeated(text, ChunkLimits(18, 3)) == ["walked home late."]


def test_a_cut_between_paragraphs_repeats_no_part_of_a_sentence() -> None:
    text = f"{'walked ' * 15}home.\n\n{'slept ' * 15}well."

    assert repeated(text, ChunkLimits(20, 3)) == [""]


def test_no_overlap_crosses_a_heading() -> None:
    body = " ".join(sentences(3))
    text = f"# One\n\n{body}\n\n# Two\n\n{body}"

    assert repeated(text, ChunkLimits(20, 8)) == [""]


def test_a_part_of_a_word_is_never_repeated() -> None:
    assert set(repeated("x" * 1_000, ChunkLimits(10, 4, max_chars=100))) == {""}


def test_headings_are_never_repeated() -> None:
    text = "\n".join(f"# Title {number}" for number in range(30))

    assert set(repeated(text, ChunkLimits(12, 5))) == {""}


def test_functions_do_not_overlap() -> None:
    text = "\n\n".join(f"def f{number}(a, b):\n    return a + b" for number in range(6))

    assert set(repeated(text, ChunkLimits(16, 7), "python")) == {""}


def test_a_function_cut_in_the_middle_repeats_whole_lines() -> None:
    lines = [f"    x{number} = {number}" for number in range(30)]
    text = "def f():\n" + "\n".join(lines)

    for overlap in repeated(text, ChunkLimits(20, 7), "python"):
        assert [f"    {line.strip()}" in lines for line in overlap.splitlines()] == [True, True]


def test_a_function_after_one_that_was_cut_repeats_nothing_of_it() -> None:
    lines = [f"    x{number} = {number}" for number in range(8)]
    text = "def f():\n" + "\n".join(lines) + "\n\n\ndef g(a):\n    return a + a + a + a + a"

    spans = split_text(text, count_words, ChunkLimits(16, 7), "python")

    assert spans[-1].start == text.index("def g")


def test_zero_overlap_repeats_nothing() -> None:
    assert set(repeated(" ".join(sentences(20)), ChunkLimits(22, 0))) == {""}
