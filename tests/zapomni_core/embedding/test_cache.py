"""The embedding cache: it answers with the same vectors, counts, and stays within its bound."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import DIMENSION, CountingEmbedder
from zapomni_core.embedding import CachedEmbedder, Role, Vectors

pytestmark = pytest.mark.anyio


async def test_a_known_text_is_not_embedded_again() -> None:
    embedder = CountingEmbedder()
    cache = CachedEmbedder(embedder, 10)

    first = await cache.embed(["cat", "dog"], "passage")
    second = await cache.embed(["dog", "bird", "cat"], "passage")

    assert embedder.batches == [(["cat", "dog"], "passage"), (["bird"], "passage")]
    np.testing.assert_array_equal(second[[2, 0]], first)


async def test_a_question_and_a_passage_with_the_same_words_are_two_things() -> None:
    cache = CachedEmbedder(CountingEmbedder(), 10)

    passage = await cache.embed(["cat"], "passage")
    question = await cache.embed(["cat"], "query")

    assert (cache.hits, cache.misses) == (0, 2)
    assert not np.array_equal(passage, question)


async def test_the_hit_rate_is_the_share_of_texts_that_were_known() -> None:
    cache = CachedEmbedder(CountingEmbedder(), 10)
    before = cache.hit_rate

    await cache.embed(["a", "b", "c"], "passage")
    await cache.embed(["a"], "passage")

    assert before is None
    assert cache.hit_rate == pytest.approx(1 / 4)


async def test_a_text_that_comes_twice_in_a_batch_is_embedded_once() -> None:
    embedder = CountingEmbedder()

    vectors = await CachedEmbedder(embedder, 10).embed(["a", "a", "b", "a"], "passage")

    assert embedder.batches == [(["a", "b"], "passage")]
    assert vectors.shape == (4, DIMENSION)
    np.testing.assert_array_equal(vectors[0], vectors[3])


async def test_the_least_recently_used_text_is_forgotten_first() -> None:
    embedder = CountingEmbedder()
    cache = CachedEmbedder(embedder, 2)

    for text in ["a", "b", "a", "c", "a", "b"]:
        await cache.embed([text], "passage")

    assert [texts for texts, _ in embedder.batches] == [["a"], ["b"], ["c"], ["b"]]


@given(st.integers(0, 5), st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1), max_size=8))
async def test_any_use_gives_the_right_vectors_within_the_bound(
    capacity: int, batches: list[list[str]]
) -> None:
    cache = CachedEmbedder(CountingEmbedder(), capacity)

    for texts in batches:
        expected = await CountingEmbedder().embed(texts, "passage")
        np.testing.assert_array_equal(await cache.embed(texts, "passage"), expected)
        assert len(cache._vectors) <= capacity

    assert cache.hits + cache.misses == sum(map(len, batches))


async def test_calls_at_the_same_time_get_their_own_answers() -> None:
    embedder = CountingEmbedder()
    cache = CachedEmbedder(embedder, 3)
    texts = [[f"text {i}", f"text {i + 1}"] for i in range(20)]

    answers = await asyncio.gather(*[cache.embed(pair, "query") for pair in texts])

    for pair, answer in zip(texts, answers, strict=True):
        np.testing.assert_array_equal(answer, await CountingEmbedder().embed(pair, "query"))
    assert len(cache._vectors) == 3


async def test_an_embedding_that_fails_is_not_remembered() -> None:
    class Failing(CountingEmbedder):
        async def embed(self, _texts: Sequence[str], _role: Role) -> Vectors:
            raise RuntimeError("no luck")

    cache = CachedEmbedder(Failing(), 10)

    with pytest.raises(RuntimeError):
        await cache.embed(["a"], "passage")

    assert (cache.hit_rate, len(cache._vectors)) == (None, 0)


async def test_a_cached_vector_does_not_keep_its_batch_in_memory() -> None:
    cache = CachedEmbedder(CountingEmbedder(), 10)

    await cache.embed([f"text {i}" for i in range(8)], "passage")

    assert all(vector.base is None for vector in cache._vectors.values())


async def test_closing_forgets_and_closes_the_embedder() -> None:
    embedder = CountingEmbedder()
    cache = CachedEmbedder(embedder, 10)
    await cache.embed(["a"], "passage")

    await cache.close()

    assert embedder.is_closed
    assert not cache._vectors
