"""What the tools refuse, in words that name the field and never repeat the input."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.fakes import FakeOllama
from tests.folders import fresh_settings
from tests.zapomni_mcp.answers import refusal, structured, text_of
from zapomni_core import MemoryEngine
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio


def nested(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {}
    for _ in range(levels):
        inner = {"deeper": inner}
    return inner


async def memories(client: Client) -> int:
    answer = structured(await client.call_tool("get_stats"))
    count: int = answer["statistics"]["total_memories"]
    return count


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"text": 42}, "text must be a string"),
        ({"text": None}, "text must be a string"),
        ({"text": "a\0b"}, "text must not contain NUL characters"),
        ({"text": "a \ud83d b"}, "text is not valid Unicode"),
        ({"content": "a"}, "text field required"),
        ({"text": "a", "tags": ["b"]}, "tags is unknown; what can be given: text, metadata"),
        ({"text": "a", "metadata": ["b"]}, "metadata must be an object"),
        ({"text": "a", "metadata": {"tags": "b"}}, "metadata.tags must be a list"),
        ({"text": "a", "metadata": {"tags": ["b", 1]}}, "metadata.tags.1 must be a string"),
        ({"text": "a", "metadata": {"tags": ["b", " "]}}, "metadata.tags must not contain empty"),
        ({"text": "a", "metadata": {"tags": ["b\0"]}}, "metadata must not contain NUL"),
        ({"text": "a", "metadata": {"source": 1}}, "metadata.source must be a string"),
        ({"text": "a", "metadata": {"language": []}}, "metadata.language must be a string"),
        ({"text": "a", "metadata": {"timestamp": "yesterday"}}, "metadata.timestamp must be an"),
        ({"text": "a", "metadata": {"own": "\ud83d"}}, "metadata must be plain JSON"),
        ({"text": "a", "metadata": {"own": 2**70}}, "metadata must be plain JSON"),
        ({"text": "a", "metadata": nested(100)}, "metadata is nested deeper than 32 levels"),
        ({"text": "a", "metadata": {"own": "x" * 1_000_001}}, "metadata exceeds 1,000,000"),
    ],
)
async def test_add_memory_refuses_and_stores_nothing(
    client: Client, arguments: dict[str, Any], reason: str
) -> None:
    answer = refusal(await client.call_tool("add_memory", arguments))

    assert answer.startswith(f"Error: {reason}")
    assert len(answer) < 300
    assert await memories(client) == 0


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "10000-01-01", "-1"]
)
async def test_a_time_that_no_calendar_can_show_is_refused(client: Client, moment: str) -> None:
    result = await client.call_tool("add_memory", {"text": "a", "metadata": {"timestamp": moment}})

    assert refusal(result).startswith("Error: metadata.timestamp must be an ISO 8601")
    assert await memories(client) == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"query": ""}, "query: query cannot be empty or contain only whitespace"),
        ({"query": " \t"}, "query: query cannot be empty or contain only whitespace"),
        ({"query": "q" * 1001}, "query: query exceeds maximum length of 1,000 characters"),
        ({"query": "a\0b"}, "query: query must not contain NUL characters"),
        ({"limit": 5}, "query: query field required"),
        ({"query": "q", "limit": 0}, "limit: limit must be at least 1"),
        ({"query": "q", "limit": 101}, "limit: limit must be at most 100"),
        ({"query": "q", "limit": 2.5}, "limit: limit must be an integer"),
        ({"query": "q", "limit": "many"}, "limit: limit must be an integer"),
        ({"query": "q", "filters": "none"}, "filters: filters must be an object"),
        ({"query": "q", "filters": {"tags": "a"}}, "filters.tags: filters.tags must be a list"),
        ({"query": "q", "top_k": 5}, "top_k: top_k is unknown; what can be given: query, limit"),
    ],
)
async def test_search_memory_refuses(
    client: Client, arguments: dict[str, Any], reason: str
) -> None:
    answer = refusal(await client.call_tool("search_memory", arguments))

    assert answer.startswith(f"Error: Invalid input - {reason}")
    assert len(answer) < 300


async def test_get_stats_takes_a_workspace_alone(client: Client) -> None:
    answer = refusal(await client.call_tool("get_stats", {"verbose": True}))

    assert answer == "Error: verbose is unknown; what can be given: workspace"


async def test_every_wrong_argument_is_named_at_once(client: Client) -> None:
    arguments = {"query": "q", "limit": 0, "filters": {"source": 1}}
    answer = refusal(await client.call_tool("search_memory", arguments))

    assert "limit must be at least 1" in answer
    assert "filters.source must be a string" in answer


async def test_the_longest_query_is_answered(client: Client) -> None:
    assert structured(await client.call_tool("search_memory", {"query": "why " * 250}))


@pytest.mark.parametrize("query", ["???", "the", "🎻", "a" * 1000, "MATCH (n) RETURN n", "%s {0}"])
async def test_any_query_with_a_character_in_it_is_answered(client: Client, query: str) -> None:
    await client.call_tool("add_memory", {"text": "The violin 🎻 is in the attic."})

    found = structured(await client.call_tool("search_memory", {"query": query}))

    assert found["count"] == 1


async def test_metadata_that_looks_like_cypher_comes_back_as_it_was(client: Client) -> None:
    metadata = {
        "}) DETACH DELETE n //": "x",
        "$id": {"`back`tick`": ["'", '"', "\\"]},
        "m.text": None,
        "": "an empty key",
        "a literal \\u0000": 1.5,
        "model_config": True,
        "большой": 2**53,
    }
    structured(
        await client.call_tool("add_memory", {"text": "Bobby Tables", "metadata": metadata})
    )

    (found,) = structured(await client.call_tool("search_memory", {"query": "Bobby"}))["results"]

    assert found["metadata"] == metadata


async def test_a_text_over_the_limit_gets_a_small_answer(client: Client) -> None:
    result = await client.call_tool("add_memory", {"text": "secret" * 2_000_000})

    assert refusal(result) == "Error: text exceeds maximum length of 10,000,000 characters"


async def test_the_longest_text_is_stored(memory_folder: Path, ollama: FakeOllama) -> None:
    """With the fake's short vectors, because the database takes its time with long ones."""
    async with MemoryEngine(fresh_settings(memory_folder, ollama_host=ollama.host)) as engine:
        server = MCPServer(engine)
        server.register_all_tools()
        async with Client(server.sdk_server) as client:
            result = await client.call_tool("add_memory", {"text": "x" * 10_000_000})

            assert structured(result)["text_preview"] == "x" * 100
            assert len(text_of(result)) < 300
            assert await memories(client) == 1


async def test_a_call_that_takes_too_long_is_stopped_and_changes_nothing(
    memory_folder: Path,
) -> None:
    settings = fresh_settings(memory_folder, request_timeout_s=0.05)
    async with MemoryEngine(settings) as engine:
        server = MCPServer(engine)
        server.register_all_tools()
        text = " ".join(f"word{i}" for i in range(100_000))

        answer = await server._handle_request("add_memory", {"text": text})

        assert answer["isError"]
        assert answer["content"][0]["text"].startswith(
            "Error: The call took too long and was stopped."
        )
        assert (await engine.get_stats()).total_memories == 0
