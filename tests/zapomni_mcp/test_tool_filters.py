"""Filters are exact: all tags, the source, and UTC days with both ends included."""

from typing import Any

import pytest
from mcp import Client

from tests.zapomni_mcp.answers import refusal, structured

pytestmark = pytest.mark.anyio

ODD_TAGS = [
    "with spaces",
    'with "quotes"',
    "it's",
    "emoji 🎻",
    "back\\slash",
    "{curly: $param}",
    "a,b|c",
    "naïve ёж",
    "'; MATCH (n) DETACH DELETE n //",
]


async def remember(client: Client, text: str, **metadata: Any) -> None:
    structured(await client.call_tool("add_memory", {"text": text, "metadata": metadata}))


async def texts(client: Client, **filters: Any) -> list[str]:
    arguments = {"query": "concert", "limit": 100, "filters": filters}
    answer = structured(await client.call_tool("search_memory", arguments))
    return sorted(result["text"] for result in answer["results"])


async def test_a_memory_must_have_all_tags(client: Client) -> None:
    await remember(client, "concert a", tags=["music", "berlin"])
    await remember(client, "concert b", tags=["music"])
    await remember(client, "concert c", tags=["berlin", "opera", "music"])
    await remember(client, "concert d")

    assert await texts(client, tags=["music"]) == ["concert a", "concert b", "concert c"]
    assert await texts(client, tags=["music", "berlin"]) == ["concert a", "concert c"]
    assert await texts(client, tags=["music", "paris"]) == []
    assert len(await texts(client, tags=[])) == 4


async def test_odd_tags_filter_exactly(client: Client) -> None:
    for tag in ODD_TAGS:
        await remember(client, f"concert {tag}", tags=[tag])

    for tag in ODD_TAGS:
        assert await texts(client, tags=[tag]) == [f"concert {tag}"]
    assert await texts(client, tags=["with"]) == []
    assert await texts(client, tags=["With Spaces"]) == []


async def test_the_source_must_be_the_same(client: Client) -> None:
    await remember(client, "concert a", source="github:user/repo")
    await remember(client, "concert b", source="github:user")
    await remember(client, "concert c")

    assert await texts(client, source="github:user/repo") == ["concert a"]
    assert await texts(client, source="github:user") == ["concert b"]
    assert await texts(client, source="GITHUB:USER") == []


async def test_days_are_utc_and_both_ends_are_included(client: Client) -> None:
    moments = {
        "before": "2025-02-28T23:59:59.999Z",
        "first": "2025-03-01T00:00:00.000Z",
        "last": "2025-03-02T23:59:59.999Z",
        "after": "2025-03-03T00:00:00.000Z",
        "zoned": "2025-03-03T01:30:00+02:00",
        "naive": "2025-03-02T12:00:00",
        "date only": "2025-03-02",
    }
    for name, moment in moments.items():
        await remember(client, name, timestamp=moment)

    assert await texts(client, date_from="2025-03-01", date_to="2025-03-02") == sorted(
        ["first", "last", "zoned", "naive", "date only"]
    )
    assert await texts(client, date_to="2025-02-28") == ["before"]
    assert await texts(client, date_from="2025-03-03") == ["after"]
    assert await texts(client, date_from="2025-03-01", date_to="2025-03-01") == ["first"]


async def test_days_before_1970_filter_too(client: Client) -> None:
    await remember(client, "concert in the war", timestamp="1943-06-07T20:00:00Z")
    await remember(client, "concert today")

    found = await texts(client, date_from="1943-06-07", date_to="1943-06-07")
    assert found == ["concert in the war"]


async def test_filters_are_combined(client: Client) -> None:
    await remember(client, "right", tags=["a"], source="s", timestamp="2025-01-01")
    await remember(client, "other tag", tags=["b"], source="s", timestamp="2025-01-01")
    await remember(client, "other source", tags=["a"], source="t", timestamp="2025-01-01")
    await remember(client, "other day", tags=["a"], source="s", timestamp="2025-01-02")

    found = await texts(
        client, tags=["a"], source="s", date_from="2025-01-01", date_to="2025-01-01"
    )
    assert found == ["right"]


@pytest.mark.parametrize("day", ["2025-1-1", "01.02.2025", "2025-02-30", "2025-01-01T00:00", ""])
async def test_a_date_must_be_a_calendar_day(client: Client, day: str) -> None:
    arguments = {"query": "concert", "filters": {"date_from": day}}

    assert refusal(await client.call_tool("search_memory", arguments)) == (
        "Error: Invalid input - filters.date_from: "
        "filters.date_from must be a date of the form YYYY-MM-DD"
    )


async def test_the_first_day_must_not_be_after_the_last(client: Client) -> None:
    filters = {"date_from": "2025-03-02", "date_to": "2025-03-01"}
    result = await client.call_tool("search_memory", {"query": "concert", "filters": filters})

    assert "date_from must not be after date_to" in refusal(result)


async def test_an_unknown_filter_is_refused_with_the_known_ones(client: Client) -> None:
    arguments = {"query": "concert", "filters": {"tag": "music"}}

    assert refusal(await client.call_tool("search_memory", arguments)) == (
        "Error: Invalid input - filters.tag: "
        "filters.tag is unknown; what can be given: tags, source, date_from, date_to"
    )
