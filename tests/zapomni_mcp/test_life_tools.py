"""The tools for single memories: what they answer, and what they refuse."""

from typing import Any

import pytest
from mcp import Client

from tests.zapomni_mcp.answers import refusal, structured, text_of

pytestmark = pytest.mark.anyio

NOBODY = "00000000-0000-4000-8000-000000000000"
DESTRUCTIVE = {"update_memory", "delete_memory", "clear_all", "prune_memory"}


async def add(client: Client, text: str, **metadata: Any) -> dict[str, Any]:
    given = {"text": text, "metadata": metadata}
    return structured(await client.call_tool("add_memory", given))


async def memories(client: Client) -> int:
    listed = structured(await client.call_tool("list_memories", {}))
    total: int = listed["total"]
    return total


async def test_tools_that_take_something_away_say_so(client: Client) -> None:
    tools = (await client.list_tools()).tools
    hints = {tool.name: tool.annotations for tool in tools if tool.annotations is not None}

    for name in DESTRUCTIVE:
        assert hints[name].destructive_hint
        assert not hints[name].read_only_hint
    for name in ("get_memory", "list_memories"):
        assert hints[name].read_only_hint


async def test_a_duplicate_is_answered_with_the_id_of_the_first(client: Client) -> None:
    first = await add(client, "Anna plays the cello")

    result = await client.call_tool("add_memory", {"text": "Anna plays the cello"})

    second = structured(result)
    assert not first["deduplicated"]
    assert (second["memory_id"], second["deduplicated"]) == (first["memory_id"], True)
    assert text_of(result).splitlines() == [
        "This is a memory already; nothing was added.",
        f"ID: {first['memory_id']}",
        "Chunks created: 0",
        "Preview: Anna plays the cello",
    ]


async def test_the_answer_says_which_secrets_were_hidden(client: Client) -> None:
    result = await client.call_tool("add_memory", {"text": "My password is hunter22!"})

    assert structured(result)["secrets_hidden"] == {"password or key": 1}
    assert text_of(result).splitlines()[-1] == (
        "Secrets hidden: password or key (1). Only [redacted: …] was stored in their place."
    )


async def test_a_memory_is_shown_as_a_whole_with_its_history(client: Client) -> None:
    added = await add(client, "Anna plays the cello", tags=["music"], source="chat")
    call = {"memory_id": added["memory_id"], "text": "Anna plays the violin"}
    await client.call_tool("update_memory", call)

    result = await client.call_tool("get_memory", {"memory_id": added["memory_id"]})

    memory = structured(result)
    assert (memory["text"], memory["tags"]) == ("Anna plays the violin", ["music"])
    assert [version["text"] for version in memory["history"]] == ["Anna plays the cello"]
    assert "Anna plays the violin" in text_of(result)
    assert "it said:\nAnna plays the cello" in text_of(result)


async def test_a_long_text_and_its_history_are_cut_on_request(client: Client) -> None:
    added = await add(client, "long " * 100)
    await client.call_tool("update_memory", {"memory_id": added["memory_id"], "text": "w " * 500})
    call = {"memory_id": added["memory_id"]}

    cut = structured(await client.call_tool("get_memory", {**call, "max_chars": 10}))
    whole = structured(await client.call_tool("get_memory", {**call, "full_history": True}))

    assert (cut["text"], cut["length"]) == ("w w w w w ", 999)
    assert len(cut["history"][0]["text"]) == 200
    assert (len(whole["text"]), len(whole["history"][0]["text"])) == (999, 499)


async def test_a_list_is_paged_by_its_cursor(client: Client) -> None:
    for number in range(3):
        await add(client, f"note {number}", timestamp=f"2025-01-0{number + 1}")

    first = await client.call_tool("list_memories", {"limit": 2, "order": "oldest"})
    cursor = structured(first)["next_cursor"]
    call = {"limit": 2, "order": "oldest", "cursor": cursor}
    second = structured(await client.call_tool("list_memories", call))

    assert [each["text"] for each in structured(first)["memories"]] == ["note 0", "note 1"]
    assert text_of(first).startswith("2 of 3 memories:\n\n")
    assert text_of(first).endswith(f"More with cursor: {cursor}")
    assert [each["text"] for each in second["memories"]] == ["note 2"]
    assert second["next_cursor"] is None


async def test_an_empty_list_says_so(client: Client) -> None:
    assert text_of(await client.call_tool("list_memories", {})) == "No memories found."


async def test_metadata_alone_can_be_changed(client: Client) -> None:
    added = await add(client, "Anna plays the cello", tags=["music"], mood="good")
    call = {"memory_id": added["memory_id"], "metadata": {"tags": [], "mood": None}}

    result = await client.call_tool("update_memory", call)

    memory = structured(await client.call_tool("get_memory", {"memory_id": added["memory_id"]}))
    assert text_of(result).startswith("Memory updated; what it said before is in its history.")
    assert (memory["text"], memory["metadata"]) == ("Anna plays the cello", {"tags": []})


async def test_a_deletion_tells_what_went(client: Client) -> None:
    added = await add(client, "Anna plays the cello")
    call = {"memory_id": added["memory_id"], "confirm": True}

    result = await client.call_tool("delete_memory", call)
    again = await client.call_tool("delete_memory", call)

    assert text_of(result).startswith(f"Memory {added['memory_id']} was deleted.\nChunks: 1;")
    assert structured(result)["is_erased"] is False
    assert refusal(again).startswith("Error: memory_id names no memory")
    assert await memories(client) == 0


@pytest.mark.parametrize("confirm", [None, False, "true", 1, "yes"])
async def test_a_deletion_without_consent_is_refused(client: Client, confirm: Any) -> None:
    added = await add(client, "Anna plays the cello")
    call = {"memory_id": added["memory_id"], "confirm": confirm}

    answer = refusal(await client.call_tool("delete_memory", call))

    assert answer.startswith("Error: confirm must be true")
    assert await memories(client) == 1


async def test_everything_is_cleared_by_the_phrase_alone(client: Client) -> None:
    await add(client, "Anna plays the cello")

    answer = refusal(await client.call_tool("clear_all", {"phrase": "delete everything"}))
    missing = refusal(await client.call_tool("clear_all", {}))
    still = await memories(client)
    cleared = await client.call_tool("clear_all", {"phrase": "DELETE ALL MEMORIES"})

    assert answer == "Error: phrase must be exactly 'DELETE ALL MEMORIES'; nothing was deleted"
    assert missing == "Error: phrase field required"
    assert still == 1
    assert text_of(cleared).startswith("All memories were deleted: 1 with 1 chunks.")
    assert await memories(client) == 0


async def test_cleaning_up_is_a_dry_run_until_told_what_to_remove(client: Client) -> None:
    added = await add(client, "Anna plays the cello")
    change = {"memory_id": added["memory_id"], "text": "Anna rests"}
    await client.call_tool("update_memory", change)

    dry = await client.call_tool("prune_memory", {"older_than_days": 0})
    unnamed = await client.call_tool("prune_memory", {"dry_run": False, "older_than_days": 0})
    unclear = await client.call_tool("prune_memory", {"dry_run": "no", "kinds": ["history"]})
    call = {"dry_run": False, "older_than_days": 0, "kinds": ["history"]}
    wet = await client.call_tool("prune_memory", call)

    assert text_of(dry).startswith("Dry run: nothing was removed.")
    assert "- history: 1 old versions of memories" in text_of(dry)
    assert refusal(unnamed) == "Error: kinds must say what to remove; nothing was removed"
    assert refusal(unclear) == "Error: dry_run must be true or false"
    assert text_of(wet) == "Removed:\n- history: 1 old versions of memories"


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("get_memory", {"memory_id": "x"}, "memory_id must be one of the ids"),
        ("get_memory", {"memory_id": NOBODY}, "memory_id names no memory"),
        ("update_memory", {"memory_id": NOBODY}, "text or metadata must be given"),
        ("update_memory", {"memory_id": NOBODY, "text": " "}, "text cannot be empty"),
        ("update_memory", {"memory_id": NOBODY, "text": "x"}, "memory_id names no memory"),
        ("list_memories", {"cursor": "x"}, "cursor must be the next_cursor"),
        ("list_memories", {"order": "random"}, "order must be one of newest"),
        ("list_memories", {"limit": 101}, "limit must be at most 100"),
        ("prune_memory", {"kinds": ["all"]}, "kinds.0 must be one of expired"),
        ("prune_memory", {"older_than_days": -1}, "older_than_days must be at least 0"),
        ("add_memory", {"text": "x", "metadata": {"ttl": "soon"}}, "metadata.ttl must be an ISO"),
        ("add_memory", {"text": "x", "metadata": {"pinned": "very"}}, "metadata.pinned must be"),
    ],
)
async def test_what_cannot_be_done_is_refused_by_name(
    client: Client, tool: str, arguments: dict[str, Any], problem: str
) -> None:
    assert refusal(await client.call_tool(tool, arguments)).startswith(f"Error: {problem}")
