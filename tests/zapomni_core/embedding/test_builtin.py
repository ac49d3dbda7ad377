"""Built-in model: unit vectors that depend on the text alone and keep its meaning."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zapomni_model_small import DIMENSION, LABELS, MAX_TOKENS, MODEL_PATH, SHA256

from zapomni_core.embedding.builtin import BuiltinModel, Tokens
from zapomni_core.embedding.bundled import bundled_model

SMALL = bundled_model()
MODEL = BuiltinModel(SMALL, threads=2)
SHORT = "The cat sleeps."
MEDIUM = "Anna moved to Lisbon in March and works from a small office by the river. " * 3
LONG = "Every release is tagged, built twice and compared byte by byte before it ships. " * 16

# Questions with their answers; the answer to one is unrelated to all others.
ANSWERS = {
    "where does Anna keep the spare key?": "Anna hides a second one under the flower pot.",
    "when must a customer pay?": "Invoices are due thirty days after delivery.",
    "read a whole file as text": "def load(path):\n    return path.open().read()",
    "What did Tom think of the concert?": "Tom: It was far too loud for me, honestly.",
    "effect of heat on wings at high speed": "Aerodynamic heating weakens a supersonic aerofoil.",
}


def test_shipped_model_is_the_one_whose_hash_is_published() -> None:
    assert hashlib.sha256(MODEL_PATH.read_bytes()).hexdigest() == SHA256


def test_no_texts_give_an_empty_matrix() -> None:
    assert MODEL.encode([], "passage").shape == (0, DIMENSION)


def test_texts_of_any_length_give_unit_vectors() -> None:
    vectors = MODEL.encode([LONG, "", SHORT, MEDIUM], "passage")

    assert vectors.shape == (4, DIMENSION)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others() -> None:
    texts = [LONG, *[SHORT, MEDIUM, "", "one", "two words", SHORT * 5] * 3]

    together = MODEL.encode(texts, "passage")

    alone = np.concatenate([MODEL.encode([text], "passage") for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_threads_that_share_a_fresh_model_get_the_vectors_of_one_thread() -> None:
    texts = [f"{SHORT} Number {number}." for number in range(8)]
    shared = BuiltinModel(SMALL, threads=1)

    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: shared.encode([text], "query")[0], texts))

    np.testing.assert_allclose(rows, MODEL.encode(texts, "query"), atol=1e-5)


def test_text_beyond_the_longest_input_does_not_change_the_vector() -> None:
    full = "word " * MAX_TOKENS

    vectors = MODEL.encode([full, full + "and an unrelated end about sailing"], "passage")

    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)


@pytest.mark.parametrize("question", ANSWERS)
def test_a_question_is_nearest_to_its_answer(question: str) -> None:
    answers = list(ANSWERS.values())

    cosines = MODEL.encode(answers, "passage") @ MODEL.encode([question], "query")[0]

    assert answers[int(np.argmax(cosines))] == ANSWERS[question]


def test_two_ways_to_say_a_thing_are_nearer_than_two_things() -> None:
    one, same, other = MODEL.encode(
        ["The meeting was moved to Friday.", "They meet on Friday instead.", "Rust never sleeps."],
        "passage",
    )

    assert one @ same > max(one @ other, same @ other)


def test_a_text_is_embedded_for_its_role() -> None:
    plain = BuiltinModel(replace(SMALL, query_prefix="", passage_prefix=""), threads=2)

    np.testing.assert_allclose(
        MODEL.encode([SHORT], "query"), plain.encode([f"query: {SHORT}"], "query"), atol=1e-6
    )
    np.testing.assert_allclose(
        MODEL.encode([SHORT], "passage"), plain.encode([f"passage: {SHORT}"], "query"), atol=1e-6
    )
    np.testing.assert_array_equal(plain.encode([SHORT], "query"), plain.encode([SHORT], "passage"))


def test_a_model_with_a_shorter_window_reads_less() -> None:
    narrow = BuiltinModel(replace(SMALL, max_tokens=16), threads=2)
    ends = ["with an end about sailing", "and another about tax law"]
    texts = [f"{SHORT * 8} {end}" for end in ends]

    seen, cut = MODEL.encode(texts, "passage"), narrow.encode(texts, "passage")

    np.testing.assert_allclose(cut[0], cut[1], atol=1e-6)
    assert seen[0] @ seen[1] < 0.999


def test_a_warm_model_gives_the_vectors_of_a_cold_one() -> None:
    warm = BuiltinModel(SMALL, threads=2)
    warm.warm()

    expected = BuiltinModel(SMALL, threads=2).encode([SHORT], "query")

    np.testing.assert_allclose(warm.encode([SHORT], "query"), expected, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(st.characters(codec=None, exclude_categories=())), max_size=4))
def test_any_unicode_gives_finite_unit_vectors(texts: list[str]) -> None:
    vectors = MODEL.encode(texts, "query")

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_labels_are_probabilities_and_tell_a_name_from_other_words() -> None:
    tokenizer = MODEL.tokenizer
    ids = tokenizer.encode("passage: maria lives in lisbon", MAX_TOKENS)
    texts = [Tokens(ids, [0] * len(ids)), Tokens(ids * 2, [0] * 2 * len(ids))]

    short, long = MODEL.label(texts)

    assert short.shape == (len(ids), len(LABELS))
    assert long.shape == (2 * len(ids), len(LABELS))
    np.testing.assert_allclose(short.sum(axis=1), 1, atol=1e-5)
    told = [LABELS[number] for number in short.argmax(axis=1)]
    maria, lives, _, lisbon = told[3:-1]
    assert (maria, lives, lisbon) == ("B-person", "O", "B-place")


def test_how_words_are_written_does_not_change_the_vector_of_a_text() -> None:
    ids = MODEL.tokenizer.encode(f"passage: {SHORT}", MAX_TOKENS)
    before = MODEL.encode([SHORT], "passage")

    MODEL.label([Tokens(ids, [2] * len(ids))])

    np.testing.assert_array_equal(MODEL.encode([SHORT], "passage"), before)
