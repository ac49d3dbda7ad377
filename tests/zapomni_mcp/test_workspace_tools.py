"""Workspaces as clients use them: by argument, by session, and never each other's."""

import asyncio
import json
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client

from tests.zapomni_mcp.answers import refusal, structured, text_of
from zapomni_core import MemoryEngine
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio

# Of the tools that work in a workspace, each with arguments that are valid anywhere.
CALLS: dict[str, dict[str, Any]] = {
    "add_memory": {"text": "x"},
    "search_memory": {"query": "x"},
    "get_stats": {},
    "list_memories": {},
    "get_memory": {"memory_id": str(uuid.uuid4())},
    "graph_status": {},
    "get_related": {"entity": "x"},
    "code_status": {},
    "search_code": {"query": "x"},
}


@pytest.fixture
def name() -> str:
    return f"w-{uuid.uuid4().hex[:8]}"


@pytest.fixture(params=["in memory", "stdio", "stdio, modern", "sse", "streamable http"])
async def pair(
    request: pytest.FixtureRequest, server: MCPServer, environment: dict[str, str]
) -> AsyncIterator[list[Client]]:
    """Two clients of one memory, each with a session of its own."""

    def client() -> Client:
        match request.param:
            case "in memory":
                return Client(server.sdk_server, mode="legacy")
            case "stdio" | "stdio, modern":
                mode = "legacy" if request.param == "stdio" else "auto"
                arguments = ["-m", "zapomni_mcp", "--transport", "stdio"]
                return Client(
                    StdioServerParameters(command=sys.executable, args=arguments, env=environment),
                    mode=mode,
                )
            case "sse":
                return Client(sse_client(f"{request.getfixturevalue('http_address')}/sse"))
            case _:
                return Client(f"{request.getfixturevalue('http_address')}/mcp", mode="legacy")

    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(client()) for _ in range(2)]


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    return structured(await client.call_tool(tool, arguments))


async def texts(client: Client, **arguments: Any) -> set[str]:
    found = await call(client, "list_memories", **arguments)
    return {each["text"] for each in found["memories"]}


async def current(client: Client) -> str:
    statistics = (await call(client, "get_stats"))["statistics"]
    return str(statistics["workspace"])


async def test_each_session_has_a_current_workspace_of_its_own(
    pair: list[Client], name: str
) -> None:
    one, other = pair
    await call(one, "create_workspace", name=name, description="for tests")

    chosen = await call(one, "set_current_workspace", name=name)
    for client, text in ((one, f"{name} here"), (other, f"{name} there")):
        await call(client, "add_memory", text=text)

    assert (chosen["current"], chosen["before"], chosen["memories"]) == (name, "default", 0)
    assert (await current(one), await current(other)) == (name, "default")
    assert await texts(one) == {f"{name} here"}
    assert f"{name} here" not in await texts(other)
    assert await texts(other, workspace=name) == {f"{name} here"}
    assert f"{name} there" in await texts(one, workspace="default")
    listed = {each["name"]: each for each in (await call(one, "list_workspaces"))["workspaces"]}
    assert (listed[name]["is_current"], listed["default"]["is_current"]) == (True, False)
    assert (listed[name]["memories"], listed[name]["description"]) == (1, "for tests")


async def test_sessions_that_call_at_the_same_time_do_not_mix(
    pair: list[Client], name: str
) -> None:
    names = [f"{name}-a", f"{name}-b"]
    for client, own in zip(pair, names, strict=True):
        await call(client, "create_workspace", name=own)
        await call(client, "set_current_workspace", name=own)

    async def remember(client: Client, own: str) -> None:
        for number in range(5):
            await call(client, "add_memory", text=f"{own}: the number {number}")
            found = await call(client, "search_memory", query="the number")
            assert {each["text"].partition(":")[0] for each in found["results"]} == {own}

    await asyncio.gather(*map(remember, pair, names))

    for client, own in zip(pair, names, strict=True):
        assert await texts(client) == {f"{own}: the number {number}" for number in range(5)}


async def test_deleting_the_current_workspace_leads_back_to_the_default_one(
    pair: list[Client], name: str
) -> None:
    one, other = pair
    await call(one, "create_workspace", name=name)
    for client in pair:
        await call(client, "set_current_workspace", name=name)
    await call(other, "add_memory", text="soon gone")

    refused = await one.call_tool("delete_workspace", {"name": name, "confirm": name.upper()})
    gone = await call(one, "delete_workspace", name=name, confirm=name)

    assert "confirm must repeat" in refusal(refused)
    assert (gone["memories"], gone["current"]) == (1, "default")
    assert "It was the current workspace; default is now." in gone["notice"]
    assert await current(one) == "default"
    lost = refusal(await other.call_tool("search_memory", {"query": "soon"}))
    assert f"workspace '{name}'" in lost
    await call(other, "set_current_workspace", name="default")
    assert await current(other) == "default"


async def test_a_client_without_a_session_is_told_to_pass_the_workspace(
    http_address: str, name: str
) -> None:
    async with Client(f"{http_address}/mcp") as client:
        await call(client, "create_workspace", name=name)
        refused = await client.call_tool("set_current_workspace", {"name": name})
        await call(client, "add_memory", text="by argument", workspace=name)

        assert "Pass workspace with each call instead" in refusal(refused)
        assert await texts(client, workspace=name) == {"by argument"}
        assert await current(client) == "default"


@pytest.mark.parametrize(("tool", "arguments"), CALLS.items())
async def test_every_tool_refuses_a_workspace_that_does_not_exist(
    client: Client, engine: MemoryEngine, tool: str, arguments: dict[str, Any]
) -> None:
    await engine.create_workspace("work")

    near = await client.call_tool(tool, arguments | {"workspace": "wrok"})
    hostile = await client.call_tool(tool, arguments | {"workspace": "../{a}*"})
    number = await client.call_tool(tool, arguments | {"workspace": 7})

    assert "workspace 'wrok' does not exist; did you mean work?" in refusal(near)
    assert "workspace takes 1 to 64" in refusal(hostile)
    assert "workspace takes 1 to 64" in refusal(number)
    assert [each.memories for each in await engine.list_workspaces()] == [0, 0]


async def test_null_is_no_workspace(client: Client) -> None:
    assert await texts(client, workspace=None) == set()


async def test_every_tool_but_those_for_workspaces_takes_a_workspace(client: Client) -> None:
    tools = (await client.list_tools()).tools

    without = {tool.name for tool in tools if "workspace" not in tool.input_schema["properties"]}
    assert without == {
        "list_workspaces",
        "create_workspace",
        "set_current_workspace",
        "delete_workspace",
    }


async def test_a_workspace_that_is_in_the_way_is_refused_with_the_way_out(
    client: Client, engine: MemoryEngine
) -> None:
    await engine.create_workspace("work")

    answers = [
        await client.call_tool("create_workspace", {"name": "work"}),
        await client.call_tool("create_workspace", {"name": "a b"}),
        await client.call_tool("create_workspace", {"name": "x", "description": "d" * 501}),
        await client.call_tool("delete_workspace", {"name": "default", "confirm": "default"}),
        await client.call_tool("delete_workspace", {"name": "wrok", "confirm": "wrok"}),
        await client.call_tool("delete_workspace", {"name": "work"}),
    ]

    told = [refusal(answer) for answer in answers]
    assert "is taken" in told[0]
    assert "name takes 1 to 64" in told[1]
    assert "description exceeds maximum length of 500" in told[2]
    assert "clear_all empties it" in told[3]
    assert "did you mean work?" in told[4]
    assert told[5] == "Error: confirm field required"
    assert [each.name for each in await engine.list_workspaces()] == ["default", "work"]


async def test_the_answers_say_what_happened(client: Client) -> None:
    made = await client.call_tool("create_workspace", {"name": "work", "description": "my job"})
    await client.call_tool("add_memory", {"text": "x", "workspace": "work"})
    listed = await client.call_tool("list_workspaces", {})
    counted = await client.call_tool("get_stats", {"workspace": "work"})
    gone = await client.call_tool("delete_workspace", {"name": "work", "confirm": "work"})

    assert "Workspace work was created" in text_of(made)
    assert text_of(listed).splitlines() == [
        "- default (current), memories: 0",
        "- work, memories: 1: my job",
    ]
    assert "Workspace: work" in text_of(counted)
    assert "Workspace work was deleted with 1 memories." in text_of(gone)
    assert "Backups" in text_of(gone)


async def test_code_is_indexed_where_the_client_says(
    client: Client, engine: MemoryEngine, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("def encode_session():\n    pass\n")
    await engine.create_workspace("work")
    await engine.within("work").allow_code([tmp_path], is_lasting=False)

    await call(client, "index_codebase", path=str(tmp_path), workspace="work")

    assert (await call(client, "code_status"))["repositories"] == []
    (repository,) = (await call(client, "code_status", workspace="work"))["repositories"]
    assert repository["root"].endswith(tmp_path.name)


async def test_what_the_argument_costs_every_client_is_small(client: Client) -> None:
    tools = (await client.list_tools()).tools

    shared = [t.input_schema["properties"].get("workspace") for t in tools]
    written = {json.dumps(each) for each in shared if each is not None}
    assert len(written) == 1
    assert len(written.pop()) < 80
