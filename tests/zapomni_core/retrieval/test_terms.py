"""How text becomes search terms."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zapomni_core.retrieval.terms import document_terms, query_terms, tokenize

unhurried = settings(deadline=None)
any_text = st.text(st.characters())
identifier_like = st.text("aZ9.@_-':/ T,é", max_size=200)
any_latin_text = st.text("aeiou'äöüßñéèçœæ nrst", max_size=200)
# Letters that make no function word, so that neither text tells the other's language.
vowelless = st.text("qZ9.@_-':/ T,ý", max_size=200)
without_latin_letters = st.text(st.characters(min_codepoint=0x370, max_codepoint=0xFFFF))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("running", "runs"),
        ("CAFÉ", "cafe"),
        ("Straße", "strasse"),
        ("Ørsted Łódź", "orsted lodz"),
        ("ﬁne", "fine"),
        ("\uff30ython", "python"),
        ("ёлка", "елки"),
        ("москве", "МОСКВА"),
        ("за\u0301мок", "замок"),
        ("Ελλάδα", "ελλαδα"),
        ("٣٤", "34"),
        ("Caroline’s", "Caroline"),
        ("dogs'", "dog"),
        ("GPUs", "gpu"),
        ("v3.12.1", "3.12.1"),
        ("1,000,000", "1000000"),
    ],
)
def test_spellings_of_one_word_give_the_same_terms(one: str, other: str) -> None:
    terms = tokenize(one)

    assert terms
    assert terms == tokenize(other)


@pytest.mark.parametrize("name", ["maxTokens", "max_tokens", "MAX-TOKENS", "__max_tokens__"])
def test_an_identifier_is_found_by_its_words_and_by_other_ways_to_write_it(name: str) -> None:
    terms = tokenize(name)

    assert {"max", "token"} < set(terms)
    assert sorted(terms) == sorted(tokenize("MaxTokens"))


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("HTTPServer2", "httpserver2", {"http", "server", "2"}),
        ("3.12.1", "3.12.1", {"3", "12", "1"}),
        ("2023-05-08", "2023-05-08", {"2023", "05", "08"}),
        ("12/25/2023", "12/25/2023", {"12", "25", "2023"}),
        ("1:56", "1:56", {"1", "56"}),
        ("ann.lee@mail.net", "ann.lee@mail.net", {"ann", "lee", "mail.net", "mail", "net"}),
        ("db-1.mail.net", "db-1.mail.net", {"db", "1", "mail", "net"}),
        ("os.path", "os.path", {"os", "path"}),
        ("O'Brien", "obrien", {"o", "brien"}),
    ],
)
def test_a_compound_is_found_whole_and_in_parts(text: str, whole: str, parts: set[str]) -> None:
    terms = set(tokenize(f"see {text}, then"))

    assert whole in terms
    assert parts <= terms


def test_a_timestamp_is_found_by_its_date_and_by_its_time() -> None:
    assert {"2023-05-08", "10:30"} <= set(tokenize("2023-05-08T10:30"))


def test_a_short_code_is_not_broken_into_letters() -> None:
    assert tokenize("k8s x86") == ["k8s", "x86"]


def test_text_without_spaces_gives_overlapping_pairs() -> None:
    assert tokenize("日本語 猫 한국어") == ["日本", "本語", "猫", "한국", "국어"]


def test_scripts_in_one_run_are_told_apart() -> None:
    assert tokenize("Pythonで書く") == ["python", "で書", "書く"]


def test_vowel_signs_do_not_break_a_word() -> None:
    assert tokenize("हिन्दी") == ["हिन्दी"]


@pytest.mark.parametrize("text", ["What did she have when it was?", "won’t can't I'm", "что это"])
def test_stop_words_are_left_out(text: str) -> None:
    assert tokenize(text) == []


def test_a_query_of_stop_words_keeps_them() -> None:
    assert query_terms("Who are you?") == ["who", "are", "you"]
    assert query_terms("Who is Ann?") == tokenize("Ann")


def test_a_text_of_stop_words_is_found_by_them() -> None:
    assert document_terms("To be, or not to be") == ["to", "be", "or", "not", "to", "be"]
    assert document_terms("Ann is here") == tokenize("Ann")


def test_a_text_without_words_has_no_terms() -> None:
    assert query_terms(" \0 … 🙂 \ud800 _ ") == []
    assert document_terms(" \0 … 🙂 \ud800 _ ") == []


@unhurried
@given(any_text | identifier_like | any_latin_text)
def test_any_text_gives_short_terms_that_a_space_can_join(text: str) -> None:
    terms = document_terms(text) + query_terms(text)

    assert " ".join(terms).split() == terms
    assert all(len(term) <= 64 for term in terms)
    assert all(term.encode() for term in terms)


@unhurried
@given(without_latin_letters | vowelless, without_latin_letters | vowelless)
def test_texts_side_by_side_give_the_terms_of_both(one: str, other: str) -> None:
    assert tokenize(f"{one} {other}") == tokenize(one) + tokenize(other)


@unhurried
@given(any_text | any_latin_text)
def test_the_way_accents_are_encoded_makes_no_difference(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))

    assert tokenize(composed) == tokenize(decomposed)
    assert query_terms(composed) == query_terms(decomposed)


@unhurried
@given(st.sampled_from(["word ", "a@", "b.", "c_", "D", "日", "x1", "é-"]))
def test_a_long_run_is_read_to_its_end(unit: str) -> None:
    assert tokenize(unit * 5000 + " zebra")[-1] == tokenize("zebra")[0]
