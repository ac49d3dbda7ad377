"""Built-in model: unit vectors that depend on the text alone and keep its meaning."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zapomni_model_e5_small import DIMENSION, MAX_TOKENS, MODEL_PATH, SHA256

from zapomni_core.embedding.builtin import PASSAGE_PREFIX, QUERY_PREFIX, BuiltinModel

MODEL = BuiltinModel(threads=2)
SHORT = "The cat sleeps."
MEDIUM = "Anna moved to Lisbon in March and works from a small office by the river. " * 3
LONG = "Every release is tagged, built twice and compared byte by byte before it ships. " * 16

QUESTION = "where does Anna keep the spare key?"
# Cosines between the question and a passage, computed with the full-precision weights.
FULL_PRECISION = [
    ("Anna hides a second key under the flower pot by the door.", 0.843),
    ("The spare tyre is in the trunk of the car.", 0.753),
    ("Invoices are due thirty days after delivery.", 0.687),
    ("Привет, мир! 😀", 0.727),
]


def test_shipped_model_is_the_one_whose_hash_is_published() -> None:
    assert hashlib.sha256(MODEL_PATH.read_bytes()).hexdigest() == SHA256


def test_no_texts_give_an_empty_matrix() -> None:
    assert MODEL.encode([], PASSAGE_PREFIX).shape == (0, DIMENSION)


def test_texts_of_any_length_give_unit_vectors() -> None:
    vectors = MODEL.encode([LONG, "", SHORT, MEDIUM], PASSAGE_PREFIX)

    assert vectors.shape == (4, DIMENSION)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others() -> None:
    texts = [LONG, *[SHORT, MEDIUM, "", "one", "two words", SHORT * 5] * 3]

    together = MODEL.encode(texts, PASSAGE_PREFIX)

    alone = np.concatenate([MODEL.encode([text], PASSAGE_PREFIX) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_threads_that_share_a_fresh_model_get_the_vectors_of_one_thread() -> None:
    texts = [f"{SHORT} Number {number}." for number in range(8)]
    shared = BuiltinModel(threads=1)

    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: shared.encode([text], QUERY_PREFIX)[0], texts))

    np.testing.assert_allclose(rows, MODEL.encode(texts, QUERY_PREFIX), atol=1e-5)


def test_text_beyond_the_longest_input_does_not_change_the_vector() -> None:
    full = "word " * MAX_TOKENS

    vectors = MODEL.encode([full, full + "and an unrelated end about sailing"], PASSAGE_PREFIX)

    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)


@pytest.mark.parametrize(("passage", "cosine"), FULL_PRECISION)
def test_cosines_are_those_of_the_full_precision_model(passage: str, cosine: float) -> None:
    question = MODEL.encode([QUESTION], QUERY_PREFIX)[0]
    answer = MODEL.encode([passage], PASSAGE_PREFIX)[0]

    assert question @ answer == pytest.approx(cosine, abs=0.005)


def test_a_question_is_nearest_to_its_answer() -> None:
    passages = [passage for passage, _ in FULL_PRECISION]

    cosines = MODEL.encode(passages, PASSAGE_PREFIX) @ MODEL.encode([QUESTION], QUERY_PREFIX)[0]

    assert int(np.argmax(cosines)) == 0


def test_a_warm_model_gives_the_vectors_of_a_cold_one() -> None:
    warm = BuiltinModel(threads=2)
    warm.warm()

    expected = BuiltinModel(threads=2).encode([SHORT], QUERY_PREFIX)

    np.testing.assert_allclose(warm.encode([SHORT], QUERY_PREFIX), expected, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(st.characters(codec=None, exclude_categories=())), max_size=4))
def test_any_unicode_gives_finite_unit_vectors(texts: list[str]) -> None:
    vectors = MODEL.encode(texts, QUERY_PREFIX)

    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
