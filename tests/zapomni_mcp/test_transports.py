"""The same tool calls over every transport: in memory, stdio, SSE and streamable HTTP."""

import uuid

import pytest
from mcp import Client

from tests.zapomni_mcp.answers import refusal, structured, text_of
from zapomni_core import MAX_TEXT_CHARS

pytestmark = pytest.mark.anyio

NAMES = [
    "add_memory",
    "search_memory",
    "get_stats",
    "get_memory",
    "list_memories",
    "update_memory",
    "delete_memory",
    "clear_all",
    "prune_memory",
    "add_document",
    "build_graph",
    "get_related",
    "graph_status",
    "export_graph",
    "keep_fact",
    "set_model",
    "index_codebase",
    "search_code",
    "get_symbol",
    "get_call_graph",
    "code_overview",
    "code_status",
    "list_jobs",
    "control_job",
    "list_workspaces",
    "create_workspace",
    "set_current_workspace",
    "delete_workspace",
]


async def test_the_tools_are_listed_in_the_same_order(connected: Client) -> None:
    listed = await connected.list_tools()

    assert [tool.name for tool in listed.tools] == NAMES


async def test_what_is_added_is_found_and_counted(connected: Client) -> None:
    word = f"w{uuid.uuid4().hex}"
    text = f"The lighthouse keeper wrote {word} — «ünïcode» — into the log.\nTwice."

    added = structured(await connected.call_tool("add_memory", {"text": text}))
    found = await connected.call_tool("search_memory", {"query": word, "limit": 1})
    counted = structured(await connected.call_tool("get_stats", {}))

    (best,) = structured(found)["results"]
    assert (best["memory_id"], best["text"]) == (added["memory_id"], text)
    assert text_of(found).startswith("Found 1 results:\n\n1. [Score: ")
    assert counted["statistics"]["total_memories"] >= 1


async def test_bad_arguments_are_refused_in_the_same_words(connected: Client) -> None:
    empty = await connected.call_tool("add_memory", {"text": "  "})
    long = await connected.call_tool("add_memory", {"text": "x" * (MAX_TEXT_CHARS + 1)})
    unknown = await connected.call_tool("search_memory", {"query": "x", "colour": "red"})

    assert refusal(empty) == "Error: text cannot be empty or contain only whitespace"
    assert refusal(long).startswith("Error: text exceeds maximum length")
    assert "colour" in refusal(unknown)
