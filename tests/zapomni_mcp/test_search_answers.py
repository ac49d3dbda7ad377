"""search_memory answers: bounded, explained, aware of conversations, honest about nothing."""

from typing import Any

import pytest
from mcp import Client

from tests.zapomni_mcp.answers import refusal, structured

pytestmark = pytest.mark.anyio

TURNS = (
    ("Maria", "Did you find a place for the workshop?"),
    ("Tom", "Yes, the old boathouse by the lake. It holds forty people."),
    ("Maria", "Lovely, then I will print the posters."),
)


async def remember(client: Client, text: str, **metadata: object) -> str:
    result = await client.call_tool("add_memory", {"text": text, "metadata": metadata})
    return str(structured(result)["memory_id"])


async def search(client: Client, query: str, **arguments: object) -> dict[str, Any]:
    return structured(await client.call_tool("search_memory", {"query": query, **arguments}))


async def converse(client: Client) -> list[str]:
    return [
        await remember(client, text, speaker=speaker, session="s1", position=position)
        for position, (speaker, text) in enumerate(TURNS)
    ]


async def test_an_explanation_shows_why_and_what_stands_around(client: Client) -> None:
    ids = await converse(client)

    answer = await search(client, "Where is the workshop held?", explain=True)

    why = {result["memory_id"]: result["why"] for result in answer["results"]}[ids[1]]
    assert why["before"] == TURNS[0][1]
    assert why["after"] == TURNS[2][1]
    assert why["vector_rank"] >= 1
    assert why["added"]["context"] > 0


async def test_a_turn_without_the_words_is_found_through_its_conversation(client: Client) -> None:
    ids = await converse(client)
    for number in range(30):
        await remember(client, f"Invoice {number} was paid in full by the tenant of flat {number}")

    answer = await search(client, "place of the workshop", limit=3)

    assert ids[1] in [result["memory_id"] for result in answer["results"]]


async def test_what_nobody_has_told_is_not_claimed_to_be_known(client: Client) -> None:
    await converse(client)

    unknown = await search(client, "blood pressure medication dosage")
    known = await search(client, "Which building did Tom find for the workshop?")

    assert not unknown["is_confident"]
    assert "Nothing that is stored" in unknown["notice"]
    assert known["is_confident"]
    assert known["results"][0]["similarity_score"] > unknown["results"][0]["similarity_score"]


async def test_min_score_leaves_out_what_is_unlikely(client: Client) -> None:
    await converse(client)

    answer = await search(client, "blood pressure medication dosage", min_score=0.5)

    assert answer["results"] == []


async def test_max_tokens_bounds_the_answer_and_says_so(client: Client) -> None:
    await converse(client)

    answer = await search(client, "workshop", max_tokens=16)

    assert answer["count"] < len(TURNS)
    assert "max_tokens" in answer["notice"]


async def test_the_same_memory_told_twice_is_shown_once(client: Client) -> None:
    first = await remember(client, "The spare key hangs behind the cellar door.")
    second = await remember(client, "the spare key hangs behind the cellar door")

    (result,) = (await search(client, "spare key"))["results"]

    assert {result["memory_id"], *result["also_in"]} == {first, second}


@pytest.mark.parametrize(
    ("argument", "value"),
    [("min_score", 1.5), ("min_score", "high"), ("max_tokens", 3), ("explain", "perhaps")],
)
async def test_a_wrong_option_is_named(client: Client, argument: str, value: object) -> None:
    result = await client.call_tool("search_memory", {"query": "key", argument: value})

    assert argument in refusal(result)


async def test_null_means_the_default(client: Client) -> None:
    await converse(client)

    answer = await search(client, "workshop", min_score=None, max_tokens=None, explain=None)

    assert answer["count"] == len(TURNS)
    assert answer["results"][0]["why"] is None
