"""Memories are counted by day, tag and source, after filters, forgetting and a restart."""

from typing import Any

import pytest
from mcp import Client

from zapomni_core import MemoryEngine, Settings

pytestmark = pytest.mark.anyio

NOTES: tuple[tuple[str, str, list[str], str], ...] = (
    ("Tea at ten.", "2026-03-01", ["home", "habit"], "user"),
    ("Coffee at four.", "2026-03-01", ["habit"], "chat"),
    ("The train leaves at six.", "1969-12-31", [], "chat"),
)


async def counts(client: Client, **arguments: Any) -> dict[str, dict[str, int]]:
    answer = await client.call_tool("list_memories", {"with_counts": True, **arguments})
    assert answer.structured_content is not None
    found: dict[str, dict[str, int]] = answer.structured_content["counts"]
    return found


async def store(client: Client) -> list[str]:
    ids = []
    for text, day, tags, source in NOTES:
        metadata = {"tags": tags, "source": source, "timestamp": f"{day}T12:00:00Z"}
        answer = await client.call_tool("add_memory", {"text": text, "metadata": metadata})
        assert answer.structured_content is not None
        ids.append(str(answer.structured_content["memory_id"]))
    return ids


async def test_all_memories_are_counted_by_day_tag_and_source(client: Client) -> None:
    await store(client)

    assert await counts(client) == {
        "by_day": {"1969-12-31": 1, "2026-03-01": 2},
        "by_tag": {"habit": 2, "home": 1},
        "by_source": {"chat": 2, "user": 1},
    }


async def test_only_what_passes_the_filters_is_counted(client: Client) -> None:
    await store(client)

    assert await counts(client, filters={"source": "user"}) == {
        "by_day": {"2026-03-01": 1},
        "by_tag": {"habit": 1, "home": 1},
        "by_source": {"user": 1},
    }


async def test_a_forgotten_memory_is_not_counted(client: Client) -> None:
    ids = await store(client)
    await client.call_tool("delete_memory", {"memory_id": ids[0], "confirm": True})

    assert (await counts(client))["by_tag"] == {"habit": 1}


async def test_nothing_is_counted_unless_asked_for(client: Client) -> None:
    answer = await client.call_tool("list_memories", {})

    assert answer.structured_content is not None
    assert answer.structured_content["counts"] is None


async def test_counts_survive_a_restart(settings: Settings) -> None:
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("Tea at ten.", {"tags": ["home"], "source": "user"})
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("Coffee at four.", {"tags": ["home"], "source": "chat"})
        page = await engine.list_memories(with_counts=True)

    assert page.counts is not None
    assert (page.counts.by_tag, page.counts.by_source) == ({"home": 2}, {"chat": 1, "user": 1})
