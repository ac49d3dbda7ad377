"""What the tools answer: exact texts, whole chunks, and every field of the structured part."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from mcp import Client

from tests.zapomni_mcp.answers import refusal, structured, text_of
from tests.zapomni_mcp.engines import without_database
from zapomni_core import MemoryEngine
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio

LONG = " ".join(f"Sentence number {i} speaks of harbours, ships and weather." for i in range(40))


async def remember(client: Client, text: str, **metadata: Any) -> str:
    answer = structured(await client.call_tool("add_memory", {"text": text, "metadata": metadata}))
    memory_id: str = answer["memory_id"]
    return memory_id


async def results(client: Client, query: str, **arguments: Any) -> list[dict[str, Any]]:
    answer = structured(await client.call_tool("search_memory", {"query": query, **arguments}))
    found: list[dict[str, Any]] = answer["results"]
    return found


async def test_add_memory_answers_in_four_lines(client: Client) -> None:
    result = await client.call_tool("add_memory", {"text": f"  {LONG}\n"})

    stored = structured(result)
    assert text_of(result).split("\n") == [
        "Memory stored successfully.",
        f"ID: {stored['memory_id']}",
        f"Chunks created: {stored['chunks_created']}",
        f"Preview: {LONG[:100]}",
    ]
    assert stored["chunks_created"] > 1
    assert UUID(stored["memory_id"]).version == 4


async def test_search_memory_answers_in_numbered_blocks(client: Client) -> None:
    await remember(client, "Python was created by Guido van Rossum in 1991.")
    await remember(client, "The cello has four strings.")

    result = await client.call_tool("search_memory", {"query": "Who created Python?"})

    first, second = structured(result)["results"]
    assert text_of(result) == (
        "Found 2 results:\n\n"
        f"1. [Score: {first['similarity_score']:.2f}]\n"
        "Python was created by Guido van Rossum in 1991.\n\n"
        f"2. [Score: {second['similarity_score']:.2f}]\n"
        "The cello has four strings."
    )


async def test_search_memory_says_when_nothing_was_found(client: Client) -> None:
    result = await client.call_tool("search_memory", {"query": "anything"})

    assert text_of(result) == "No results found matching your query."
    assert structured(result) == {
        "status": "success",
        "count": 0,
        "results": [],
        "is_confident": False,
        "notice": None,
        "error": None,
    }


async def test_a_result_carries_everything_that_is_known(client: Client) -> None:
    metadata = {"source": "diary", "tags": ["sea"], "timestamp": "2024-05-06T07:08:09.123Z"}
    memory_id = await remember(client, "The ferry leaves at noon.", **metadata, mood="calm")

    (found,) = await results(client, "ferry")

    assert UUID(found.pop("chunk_id"))
    assert 0 < found.pop("similarity_score") <= 1
    assert found == {
        "memory_id": memory_id,
        "text": "The ferry leaves at noon.",
        "tags": ["sea"],
        "source": "diary",
        "timestamp": "2024-05-06T07:08:09.123000Z",
        "highlight": "The ferry leaves at noon.",
        "chunk_index": 0,
        "start_char": 0,
        "end_char": 25,
        "metadata": {**metadata, "mood": "calm"},
        "also_in": [],
        "why": None,
        "code": [],
    }


async def test_a_result_shows_the_whole_chunk_and_a_short_highlight(client: Client) -> None:
    await remember(client, LONG)

    found = await results(client, "harbours and ships", limit=3)

    for result in found:
        assert result["text"] == LONG[result["start_char"] : result["end_char"]]
        assert len(result["text"]) > 250
        assert len(result["highlight"]) <= 202
        assert result["highlight"].strip("…") in result["text"]
        assert set(re.findall(r"\w+", result["highlight"])) <= set(re.findall(r"\w+", LONG))


async def test_results_come_best_first_with_scores_between_0_and_1(client: Client) -> None:
    for i in range(12):
        await remember(client, f"Note {i}: the {'cat' if i % 3 else 'dog'} sleeps on shelf {i}.")

    scores = [r["similarity_score"] for r in await results(client, "Where does the dog sleep?")]

    assert len(scores) == 10
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_the_limit_bounds_the_results(client: Client, limit: int) -> None:
    for i in range(4):
        await remember(client, f"Birthday number {i}")

    assert len(await results(client, "birthday", limit=limit)) == min(limit, 4)


async def test_get_stats_answers_in_the_lines_of_the_specification(client: Client) -> None:
    await remember(client, "One")
    await remember(client, LONG)
    await results(client, "One")

    result = await client.call_tool("get_stats")

    found = structured(result)["statistics"]
    assert text_of(result).split("\n")[:7] == [
        "Memory System Statistics:",
        "Total Memories: 2",
        f"Total Chunks: {found['total_chunks']}",
        f"Database Size: {found['database_size_mb']:.2f} MB",
        f"Average Chunks per Memory: {found['total_chunks'] / 2:.1f}",
        f"Cache Hit Rate: {100 * found['cache_hit_rate']:.1f}%",
        f"Avg Query Latency: {found['avg_query_latency_ms']:.0f} ms",
    ]
    assert found["total_chunks"] > 2
    assert found["database_size_mb"] > 0
    assert found["embedding_dimension"] == 384


async def test_get_stats_of_an_empty_memory_divides_by_nothing(client: Client) -> None:
    lines = text_of(await client.call_tool("get_stats")).split("\n")

    assert "Average Chunks per Memory: 0.0" in lines
    assert "Cache Hit Rate: n/a" in lines
    assert "Avg Query Latency: n/a" in lines


async def test_null_counts_as_left_out(client: Client) -> None:
    nothing = {"source": None, "tags": None, "timestamp": None, "language": None}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("add_memory", {"text": "Remember me", "metadata": None}),
        ("add_memory", {"text": "Remember me too", "metadata": nothing}),
        ("search_memory", {"query": "remember", "limit": None, "filters": None}),
        (
            "search_memory",
            {
                "query": "remember",
                "filters": {"tags": None, "source": None, "date_from": None, "date_to": None},
            },
        ),
    ]

    for name, arguments in calls:
        structured(await client.call_tool(name, arguments))

    assert [r["metadata"] for r in await results(client, "remember")] == [{}, {}]


@pytest.mark.parametrize(
    "moment", ["1815-12-10T00:00:00Z", "1969-12-31T23:59:59.999Z", "2999-01-01T12:00:00+02:00"]
)
async def test_times_long_ago_and_to_come_are_kept(client: Client, moment: str) -> None:
    await remember(client, "Ada Lovelace was born.", timestamp=moment)

    (found,) = await results(client, "Ada Lovelace")

    shown = datetime.fromisoformat(found["timestamp"])
    assert shown == datetime.fromisoformat(moment).astimezone(UTC)
    assert found["metadata"] == {"timestamp": moment}


async def test_a_memory_without_a_time_gets_the_current_one(client: Client) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    await remember(client, "It happened just now.")
    after = datetime.now(UTC)

    (found,) = await results(client, "just now")

    assert before <= datetime.fromisoformat(found["timestamp"]) <= after


async def test_an_unknown_tool_is_named_with_the_known_ones(client: Client) -> None:
    answer = refusal(await client.call_tool("forget_everything", {}))

    known = ", ".join(tool.name for tool in (await client.list_tools()).tools)
    assert answer == f"Error: Unknown tool. The tools are: {known}."


async def test_every_call_is_counted(client: Client, server: MCPServer) -> None:
    await client.call_tool("get_stats")
    await client.call_tool("search_memory", {"query": " "})

    stats = server.get_stats()
    assert (stats.total_requests, stats.total_errors) == (2, 1)


async def test_a_search_while_the_index_loads_says_so(
    client: Client, engine: MemoryEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_core.workspace._PATIENCE_S", 0.01)
    await remember(client, "The ferry leaves at noon.")
    assert engine._workspace is not None
    index = engine._workspace._index

    async with index._lock:  # a load in progress holds it
        index.is_ready = False
        result = await client.call_tool("search_memory", {"query": "ferry"})

    notice = structured(result)["notice"]
    assert "may be incomplete" in notice
    assert text_of(result).endswith(f"The ferry leaves at noon.\n\nNote: {notice}")


@pytest.mark.parametrize(
    ("tool", "arguments", "prefix"),
    [
        ("add_memory", {"text": "a"}, "Error: "),
        ("search_memory", {"query": "a"}, "Error: "),
        ("get_stats", {}, "Error: Failed to retrieve statistics - "),
        ("build_graph", {}, "Error: "),
        ("get_related", {"entity": "a"}, "Error: "),
        ("graph_status", {}, "Error: "),
        ("export_graph", {}, "Error: "),
        ("keep_fact", {"fact_id": "a"}, "Error: "),
    ],
)
async def test_a_lost_database_is_called_temporary(
    memory_folder: Path, tool: str, arguments: dict[str, Any], prefix: str
) -> None:
    server = MCPServer(without_database(memory_folder))
    server.register_all_tools()

    async with Client(server.sdk_server) as client:
        answer = refusal(await client.call_tool(tool, arguments))

    retry = "Database temporarily unavailable. Please retry in a few seconds."
    assert answer == prefix + retry
