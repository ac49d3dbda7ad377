"""The tool that chooses the language model which reads for the knowledge graph."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.fakes import LANGUAGE_MODEL, CountingEmbedder, FakeOllama
from tests.folders import fresh_settings
from tests.zapomni_mcp.answers import refusal, structured, text_of
from zapomni_core import MemoryEngine
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio


@pytest.fixture
async def with_ollama(memory_folder: Path, ollama: FakeOllama) -> AsyncIterator[Client]:
    """A client of a server whose settings name an Ollama service, and no language model."""
    settings = fresh_settings(memory_folder, ollama_host=ollama.host, ollama_timeout_s=3.0)
    async with MemoryEngine(settings, embedder=CountingEmbedder()) as engine:
        server = MCPServer(engine)
        server.register_all_tools()
        async with Client(server.sdk_server) as client:
            yield client


async def set_model(client: Client, model: str | None) -> dict[str, Any]:
    return structured(await client.call_tool("set_model", {"model": model}))


async def test_the_answer_says_from_which_model_to_which(with_ollama: Client) -> None:
    first = await with_ollama.call_tool("set_model", {"model": LANGUAGE_MODEL})
    second = await set_model(with_ollama, "qwen3:4b")
    off = await set_model(with_ollama, None)

    assert structured(first)["before"] is None
    assert structured(first)["after"] == LANGUAGE_MODEL
    assert text_of(first).splitlines()[0] == (
        f"Facts are now read by {LANGUAGE_MODEL}, until now by the built-in rules alone."
    )
    assert (second["before"], second["after"]) == (LANGUAGE_MODEL, "qwen3:4b")
    assert (off["before"], off["after"]) == ("qwen3:4b", None)


async def test_choosing_the_same_model_again_changes_nothing(with_ollama: Client) -> None:
    await set_model(with_ollama, LANGUAGE_MODEL)

    again = await with_ollama.call_tool("set_model", {"model": f"{LANGUAGE_MODEL}:latest"})

    assert text_of(again) == f"Facts are read by {LANGUAGE_MODEL}, as before."


async def test_the_chosen_model_reads_what_is_remembered_afterwards(
    with_ollama: Client, ollama: FakeOllama
) -> None:
    ollama.facts = [("Anna Petrova", "works_at", "Siemens")]
    await set_model(with_ollama, LANGUAGE_MODEL)

    built = structured(
        await with_ollama.call_tool(
            "build_graph", {"text": "At Siemens, Anna Petrova runs the payroll."}
        )
    )

    assert (built["facts"], built["notice"]) == (1, None)
    assert [question["model"] for question in ollama.questions] == [LANGUAGE_MODEL]


async def test_a_reading_that_failed_is_told_in_words(
    with_ollama: Client, ollama: FakeOllama
) -> None:
    await set_model(with_ollama, LANGUAGE_MODEL)
    ollama.chat = "broken"

    built = await with_ollama.call_tool("build_graph", {"text": "Anna works at Siemens."})

    assert not built.is_error
    assert "Note: The language model did not read 1 memories" in text_of(built)


async def test_without_ollama_the_way_out_is_named(client: Client) -> None:
    refused = refusal(await client.call_tool("set_model", {"model": LANGUAGE_MODEL}))

    assert "set OLLAMA_HOST" in refused
    assert (await set_model(client, None))["after"] is None


async def test_a_model_that_is_missing_is_answered_with_those_that_exist(
    with_ollama: Client, ollama: FakeOllama
) -> None:
    refused = refusal(await with_ollama.call_tool("set_model", {"model": "mistral"}))

    assert all(name in refused for name in ollama.models)
    assert "`ollama pull mistral`" in refused


async def test_a_service_without_models_is_answered_with_how_to_get_one(
    with_ollama: Client, ollama: FakeOllama
) -> None:
    ollama.models = []

    assert "none yet" in refusal(await with_ollama.call_tool("set_model", {"model": "mistral"}))


@pytest.mark.parametrize(
    ("chat", "way_out"),
    [
        ("broken", "status 500"),
        ("garbage", "check the address"),
        ("silent", "ZAPOMNI_OLLAMA_TIMEOUT_S"),
    ],
)
async def test_a_failing_service_is_explained_and_nothing_is_changed(
    with_ollama: Client, ollama: FakeOllama, chat: str, way_out: str
) -> None:
    await set_model(with_ollama, LANGUAGE_MODEL)
    ollama.chat = chat  # type: ignore[assignment]

    assert way_out in refusal(await with_ollama.call_tool("set_model", {"model": "qwen3:4b"}))

    assert (await set_model(with_ollama, None))["before"] == LANGUAGE_MODEL


@pytest.mark.parametrize(
    "arguments",
    [{"model": ""}, {"model": 7}, {"model": "a b"}, {"model": "x", "keep": True}],
)
async def test_arguments_that_make_no_sense_are_refused(
    with_ollama: Client, arguments: dict[str, Any]
) -> None:
    refused = refusal(await with_ollama.call_tool("set_model", arguments))

    assert "model" in refused
    assert "internal error" not in refused
