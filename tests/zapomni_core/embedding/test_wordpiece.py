"""Word pieces: the ids of the reference implementation, additivity and bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zapomni_model_small import VOCAB_PATH

from zapomni_core.embedding.wordpiece import WordPiece

START, END, UNKNOWN = 101, 102, 100
TOKENIZER = WordPiece(VOCAB_PATH)

# Ids given by the `tokenizers` library 0.23.3 (WordPiece model, BertNormalizer,
# BertPreTokenizer) with the same vocabulary.
REFERENCE = [
    ("", []),
    ("   ", []),
    ("Hello, world!", [7592, 1010, 2088, 999]),
    ("unaffable embeddings", [14477, 20961, 3468, 7861, 8270, 4667, 2015]),
    ("Привет, мир!", [1194, 16856, 10325, 25529, 15290, 22919, 1010, 1191, 10325, 16856, 999]),
    ("naïve café — “quotes” …", [15743, 7668, 1517, 1523, 16614, 1524, 1529]),
    ("中文字符 test 東京タワー", [1746, 1861, 100, 100, 3231, 1879, 1755, 1709, 30262, 30265]),
    ("한국어", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]),
    ("Ο ΟΔΥΣΣΕΥΣ", [1169, 1169, 29722, 29735, 29733, 29733, 29723, 29735, 29733]),
    ("İstanbul ŞÇ", [9960, 8040]),
    ("return x**2  # comment", [2709, 1060, 1008, 1008, 1016, 1001, 7615]),
    ("C#; foo_bar()", [1039, 1001, 1025, 29379, 1035, 3347, 1006, 1007]),
    ("emoji 😀 and\tTabs\nnew line", [7861, 29147, 2072, 100, 1998, 21628, 2015, 2047, 2240]),
    ("e\u0301a\u0323\u0302 combining", [19413, 11566]),
    ("ﬁ ligature x²", [1984, 8018, 11244, 1060, 10701]),
    ("zero\u200bwidth\u00adhyphen", [5717, 9148, 11927, 23644, 22571, 10222]),
    ("nul\x00bell\x07end", [16371, 20850, 14774, 4859]),
    ("line\u2028separator\u00a0space", [2240, 19802, 25879, 2953, 2686]),
    ("\ufffd replaced", [2999]),
    ("عربى १२३ ไทย", [1288, 17149, 29816, 29837, 100, 100]),
    ("a" * 101, [100]),
    ("snow☃man ™ €5", [100, 1580, 1574, 2629]),
    ("\u1fef\u037e", [1036, 1025]),
    ("\uf900\U0002f800 ideographs", [100, 100, 8909, 8780, 27341]),
    ("\u0378 unassigned \ue000 private", [100, 14477, 18719, 19225, 2797]),
]

any_text = st.text(st.characters(codec=None, exclude_categories=()))
mixed_text = st.text(st.sampled_from("aZ9éΣ中й😀\u0301\u200b.,_-#\x00\x0c\x1c\x85\u2028 \t\n"))
every_text = any_text | mixed_text


@pytest.mark.parametrize(("text", "ids"), REFERENCE)
def test_ids_are_those_of_the_reference_implementation(text: str, ids: list[int]) -> None:
    assert TOKENIZER.encode(text, max_tokens=512) == [START, *ids, END]


def test_names_of_special_pieces_in_a_text_are_plain_text() -> None:
    ids = TOKENIZER.encode("[CLS] [SEP] [PAD]", max_tokens=512)

    assert ids.count(START) == 1
    assert ids.count(END) == 1


def test_a_form_feed_ends_a_word() -> None:
    assert TOKENIZER.encode("page\x0cnext", 512) == TOKENIZER.encode("page next", 512)


@given(every_text)
def test_count_is_the_sum_over_whitespace_separated_runs(text: str) -> None:
    assert TOKENIZER.count(text) == sum(map(TOKENIZER.count, text.split()))


@given(every_text, every_text)
def test_count_of_texts_joined_by_whitespace_is_the_sum_of_counts(left: str, right: str) -> None:
    joined = TOKENIZER.count(f"{left}\n{right}")

    assert joined == TOKENIZER.count(left) + TOKENIZER.count(right)


@given(every_text)
def test_encode_has_the_counted_pieces_between_start_and_end(text: str) -> None:
    ids = TOKENIZER.encode(text, max_tokens=10_000)

    assert len(ids) == TOKENIZER.count(text) + 2
    assert (ids[0], ids[-1]) == (START, END)


@given(every_text, st.integers(min_value=2, max_value=40))
def test_a_cut_encoding_is_the_beginning_of_the_whole_one(text: str, max_tokens: int) -> None:
    whole = TOKENIZER.encode(text, max_tokens=10_000)

    cut = TOKENIZER.encode(text, max_tokens)

    assert cut == [*whole[:-1][: max_tokens - 1], END]


@given(st.text(st.characters(categories=["Cs"]), min_size=1))
def test_lone_surrogates_are_dropped(surrogates: str) -> None:
    assert TOKENIZER.encode(f"data{surrogates}base", 512) == TOKENIZER.encode("database", 512)


@given(st.text(st.characters(categories=["Ll", "Lu", "Nd"], max_codepoint=0x7F), min_size=101))
def test_a_word_too_long_to_be_a_word_is_one_unknown_piece(word: str) -> None:
    assert TOKENIZER.encode(word, 512) == [START, UNKNOWN, END]


def test_a_repeated_run_gives_the_same_ids_as_the_first_time() -> None:
    fresh = WordPiece(VOCAB_PATH)

    first, second = fresh.encode("Zapomni remembers", 512), fresh.encode("Zapomni remembers", 512)

    assert first == second == TOKENIZER.encode("Zapomni remembers", 512)


@given(st.text())
def test_the_words_of_a_text_hold_its_pieces_in_order(text: str) -> None:
    words = list(TOKENIZER.words(text))

    start, *pieces, end = TOKENIZER.encode(text, max_tokens=10**6)
    assert [number for word in words for number in word.ids] == pieces
    assert TOKENIZER.special_ids() == (start, end)


@given(st.text())
def test_words_stand_where_they_say_and_do_not_overlap(text: str) -> None:
    words = list(TOKENIZER.words(text))

    places = [place for word in words for place in (word.start, word.end)]
    assert places == sorted(places)
    assert all(text[word.start : word.end].strip() for word in words)


def test_a_word_keeps_its_place_behind_what_is_dropped() -> None:
    text = "Zoë\u200b's cafe\u0301, isn't it?"

    found = [text[word.start : word.end] for word in TOKENIZER.words(text)]

    assert found == ["Zoë", "'", "s", "cafe\u0301", ",", "isn", "'", "t", "it", "?"]
