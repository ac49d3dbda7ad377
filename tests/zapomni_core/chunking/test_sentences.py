"""Sentences end where a reader would say so."""

import pytest

from zapomni_core.chunking.sentences import split_sentences


def sentences_of(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, 0, len(text))]


@pytest.mark.parametrize(
    "sentences",
    [
        ["It works.", "Does it?", "Yes!", "Good…", "Fine."],
        ["He said “Stop!”", "Then he left."],
        ["(It was late.)", "We slept."],
        ["it rained all day.", "we stayed in."],
        ["Wait...", "What?!", "No."],
        ["The year was 1999.", "Nobody knew."],
        ["Пришёл домой.", "Лёг спать!"],
        ["هل أنت بخير؟", "نعم."],
    ],
)
def test_a_mark_before_a_space_ends_a_sentence(sentences: list[str]) -> None:
    assert sentences_of(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Smith met Mrs. Jones and Prof. Li.",
        "J. R. R. Tolkien wrote it.",
        "See Fig. 3 and no. 7 on p. 12.",
        "Bring fruit, e.g. apples, pears etc. and nuts.",
        "The U.S. Army came at 5 p.m. sharp.",
        "Version 3.12.1 costs 4.50 at example.org today.",
        "1. Open the door.",
        "“Really?” he asked.",
        "Well... maybe.",
        "Это было в г. Москва, т.е. далеко, и т.д. и т.п. вместе.",
    ],
)
def test_a_mark_inside_a_sentence_does_not_end_it(sentence: str) -> None:
    assert sentences_of(sentence) == [sentence]


def test_an_abbreviation_may_end_a_sentence_before_a_capital() -> None:
    assert sentences_of("We sell fruit, nuts etc. Come in.") == [
        "We sell fruit, nuts etc.",
        "Come in.",
    ]


def test_east_asian_marks_need_no_space() -> None:
    assert sentences_of("好的。「走吧！」他说？是的.对") == [
        "好的。",
        "「走吧！」",
        "他说？",
        "是的.",
        "对",
    ]


def test_bounds_leave_out_the_space_between_sentences() -> None:
    assert list(split_sentences("A b.  \n C d.", 0, 12)) == [(0, 4), (8, 12)]
