"""The stdio server as a process: how it starts, serves, is interrupted and ends."""

import json
import signal
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from tests.e2e.processes import (
    SERVER,
    STDIO,
    ServerProcess,
    environment,
    running,
    wait_until,
)
from tests.folders import fresh_settings, processes_of
from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

PATIENCE_S = 20


async def memories_in(folder: Path) -> int:
    async with MemoryEngine(fresh_settings(folder, graph_name="zapomni")) as engine:
        return (await engine.get_stats()).total_memories


def wait_until_database_is_gone(folder: Path) -> None:
    wait_until(lambda: not processes_of(folder))


async def test_a_client_of_the_sdk_stores_and_finds_also_after_a_restart(folder: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=list(STDIO), env=environment(folder)
    )
    async with Client(server) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        await client.call_tool("add_memory", {"text": "Guido created Python"})
        found = await client.call_tool("search_memory", {"query": "Who created Python?"})

    assert names[:3] == ["add_memory", "search_memory", "get_stats"]
    assert found.structured_content is not None
    assert found.structured_content["results"][0]["text"] == "Guido created Python"
    wait_until_database_is_gone(folder)
    with running(folder) as again:
        assert again.search("Who created Python?") == ["Guido created Python"]


@pytest.mark.parametrize("entry", [STDIO, SERVER])
def test_standard_error_has_json_lines_without_a_word_of_the_memory(
    folder: Path, entry: tuple[str, ...]
) -> None:
    (folder.parent / ".env").write_text("GRAPH_NAME=from-dotenv\n")

    with running(folder, *entry, LOG_LEVEL="DEBUG", FALKORDB_PASSWORD="hunter2") as server:
        server.remember("The word is xylograph")
        server.search("xylograph")
        server.ask("add_memory", text="xylograph\0")
        server.hang_up()
        code = server.process.wait(timeout=20)

    lines = {line["event"]: line for line in map(json.loads, server.log().splitlines())}
    assert code == 0
    assert {"server_starting", "memory_added", "server_stopped"} <= set(lines)
    assert lines["server_starting"]["config"]["graph_name"] == "from-dotenv"
    assert "xylograph" not in server.log()
    assert "hunter2" not in server.log()


async def test_what_was_sent_before_the_end_of_input_is_answered(folder: Path) -> None:
    with running(folder) as server:
        numbers = [server.call("add_memory", text=f"Memory number {i}") for i in range(5)]
        server.hang_up()
        answers = server.rest()
        code = server.process.wait(timeout=20)

    assert code == 0
    assert sorted(answer["id"] for answer in answers) == numbers
    assert not any(answer["result"]["isError"] for answer in answers)
    wait_until_database_is_gone(folder)
    assert await memories_in(folder) == 5


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_server_and_its_database_and_nothing_is_lost(
    folder: Path, number: signal.Signals
) -> None:
    with running(folder) as server:
        server.remember("Kept through the signal")
        server.process.send_signal(number)
        code = server.process.wait(timeout=PATIENCE_S)

    assert code == 0
    wait_until_database_is_gone(folder)
    assert await memories_in(folder) == 1


async def test_a_signal_ends_the_server_in_the_middle_of_a_long_text(folder: Path) -> None:
    with running(folder) as server:
        server.ask("search_memory", query="is the model loaded?")
        server.call("add_memory", text=" ".join(f"Ship {i} left." for i in range(20_000)))
        server.process.send_signal(signal.SIGTERM)
        code = server.process.wait(timeout=PATIENCE_S)

    assert code == 0
    wait_until_database_is_gone(folder)
    assert await memories_in(folder) == 0


def test_a_client_that_closes_its_ear_ends_the_server_quietly(folder: Path) -> None:
    with running(folder) as server:
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.call("get_stats")
        code = server.process.wait(timeout=20)

    assert code == 0
    assert "Traceback" not in server.log()
    assert '"level": "error"' not in server.log()
    wait_until_database_is_gone(folder)


def test_a_wrong_setting_ends_the_start_with_one_clear_line(folder: Path) -> None:
    server = ServerProcess([sys.executable, *STDIO], folder, FALKORDB_URL="http://anna:pw9@host")
    code = server.process.wait(timeout=20)
    server.close()

    (line,) = server.log().splitlines()
    assert code == 1
    assert line.startswith("zapomni: Wrong setting: FALKORDB_URL")
    assert "pw9" not in line
