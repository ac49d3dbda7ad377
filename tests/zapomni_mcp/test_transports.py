"""The same tool calls over every transport: in memory, stdio, SSE and streamable HTTP."""

import json
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client

from tests.zapomni_mcp.answers import refusal, structured, text_of
from zapomni_core import MAX_TEXT_CHARS
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio

NAMES = ["add_memory", "search_memory", "get_stats"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"ZAPOMNI_DATA_DIR": str(tmp_path_factory.mktemp("transports") / "memory")}


@pytest.fixture(scope="module")
def http_address(environment: dict[str, str]) -> Iterator[str]:
    command = [sys.executable, "-m", "zapomni_mcp", "--port", "0"]
    server = subprocess.Popen(
        command, env=environment, cwd=Path(sys.prefix), stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    for line in server.stderr:
        entry = json.loads(line)
        if entry["event"] == "http_listening":
            break
    yield f"http://127.0.0.1:{entry['port']}"
    server.terminate()
    server.communicate(timeout=20)


@pytest.fixture(params=["in memory", "stdio", "sse", "streamable http"])
async def connected(
    request: pytest.FixtureRequest, server: MCPServer, environment: dict[str, str]
) -> AsyncIterator[Client]:
    """A client that is connected to a server over each of the transports."""
    match request.param:
        case "in memory":
            client = Client(server.sdk_server)
        case "stdio":
            arguments = ["-m", "zapomni_mcp", "--transport", "stdio"]
            client = Client(
                StdioServerParameters(command=sys.executable, args=arguments, env=environment)
            )
        case "sse":
            client = Client(sse_client(f"{request.getfixturevalue('http_address')}/sse"))
        case _:
            client = Client(f"{request.getfixturevalue('http_address')}/mcp")
    async with client:
        yield client


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
