"""Ollama as the embedder, against a real HTTP service on loopback that speaks `/api/embed`."""

import socket
from collections.abc import AsyncIterator

import numpy as np
import pytest

from tests.fakes import DIMENSION, FakeOllama
from zapomni_core import EmbedderUnavailable
from zapomni_core.embedding.ollama import OllamaEmbedder

pytestmark = pytest.mark.anyio


@pytest.fixture
async def embedder(ollama: FakeOllama) -> AsyncIterator[OllamaEmbedder]:
    embedder = OllamaEmbedder(ollama.host, "nomic-embed-text", timeout_s=5.0)
    yield embedder
    await embedder.close()


async def test_texts_become_unit_vectors_in_order(embedder: OllamaEmbedder) -> None:
    together = await embedder.embed(["cats purr", "dogs bark"], "passage")
    alone = await embedder.embed(["dogs bark"], "passage")

    assert together.shape == (2, DIMENSION)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1.0, rtol=1e-5)
    np.testing.assert_array_equal(together[1], alone[0])


async def test_many_texts_are_sent_in_batches(
    embedder: OllamaEmbedder, ollama: FakeOllama
) -> None:
    vectors = await embedder.embed([f"text {i}" for i in range(70)], "passage")

    assert len(vectors) == 70
    assert [len(request["input"]) for request in ollama.requests] == [32, 32, 6]


async def test_the_model_is_told_what_a_text_is_for(
    embedder: OllamaEmbedder, ollama: FakeOllama
) -> None:
    await embedder.embed(["cats"], "passage")
    await embedder.embed(["cats"], "query")

    assert [request["input"] for request in ollama.requests] == [
        ["search_document: cats"],
        ["search_query: cats"],
    ]


async def test_another_model_gets_the_text_as_it_is(ollama: FakeOllama) -> None:
    embedder = OllamaEmbedder(ollama.host, "bge-m3")
    await embedder.embed(["cats"], "query")
    await embedder.close()

    assert [(r["model"], r["input"]) for r in ollama.requests] == [("bge-m3", ["cats"])]


async def test_the_dimension_is_asked_for_once(
    embedder: OllamaEmbedder, ollama: FakeOllama
) -> None:
    assert await embedder.dimension() == DIMENSION
    assert await embedder.dimension() == DIMENSION
    assert len(ollama.requests) == 1


@pytest.mark.parametrize(
    ("behaviour", "way_out"),
    [
        ("no_model", r"does not have the model 'nomic-embed-text'.*`ollama pull"),
        ("garbage", "is it an embedding model"),
        ("wrong_count", "vectors that cannot be used"),
        ("zero", "vectors that cannot be used"),
    ],
)
async def test_a_bad_answer_is_explained(
    embedder: OllamaEmbedder, ollama: FakeOllama, behaviour: str, way_out: str
) -> None:
    ollama.behaviour = behaviour  # type: ignore[assignment]

    with pytest.raises(EmbedderUnavailable, match=way_out) as failed:
        await embedder.embed(["my diary"], "passage")

    assert "diary" not in str(failed.value)
    assert ollama.host not in str(failed.value)


async def test_a_service_that_does_not_answer_in_time_is_given_up(ollama: FakeOllama) -> None:
    ollama.behaviour = "silent"
    embedder = OllamaEmbedder(ollama.host, "nomic-embed-text", timeout_s=0.05)

    with pytest.raises(EmbedderUnavailable, match="ZAPOMNI_OLLAMA_TIMEOUT_S"):
        await embedder.embed(["a"], "passage")
    await embedder.close()


async def test_a_service_that_is_down_is_named_with_the_way_out() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        embedder = OllamaEmbedder(f"127.0.0.1:{probe.getsockname()[1]}", "nomic-embed-text")
        with pytest.raises(EmbedderUnavailable, match=r"ollama serve.*unset OLLAMA_HOST"):
            await embedder.embed(["a"], "passage")
        await embedder.close()


async def test_a_service_that_recovers_is_used_again(
    embedder: OllamaEmbedder, ollama: FakeOllama
) -> None:
    ollama.behaviour = "garbage"
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed(["a"], "passage")
    ollama.behaviour = "normal"

    assert (await embedder.embed(["a"], "passage")).shape == (1, DIMENSION)


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("gpu", "http://gpu:11434"),
        ("gpu:8080", "http://gpu:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("http://gpu:8080/", "http://gpu:8080"),
        ("https://gpu", "https://gpu"),
    ],
)
async def test_an_address_is_read_as_ollama_reads_it(written: str, address: str) -> None:
    embedder = OllamaEmbedder(written, "nomic-embed-text")

    assert str(embedder._client.base_url).rstrip("/") == address
    await embedder.close()


@pytest.mark.parametrize("model", ["bge-m3", "bge-m3:latest"])
def test_a_model_has_one_name_with_and_without_its_default_tag(model: str) -> None:
    assert OllamaEmbedder("gpu", model).model_id == "ollama-bge-m3"
    assert OllamaEmbedder("gpu", "bge-m3:567m").model_id == "ollama-bge-m3:567m"


def test_tokens_are_estimated_from_above() -> None:
    embedder = OllamaEmbedder("gpu", "bge-m3")

    assert [embedder.count_tokens("x" * n) for n in (0, 1, 3, 4)] == [0, 1, 1, 2]
