"""The edge cases of MCPServer.run(): interruptions, broken pipes, lost databases, bad lines."""

import os
import signal
import sys
from io import StringIO
from pathlib import Path

import anyio
import anyio.lowlevel
import psutil
import pytest

from tests.folders import fresh_settings
from tests.zapomni_db.servers import WITH_GRAPHS, running_server
from tests.zapomni_mcp.answers import entries, logged
from tests.zapomni_mcp.engines import without_database
from tests.zapomni_mcp.hosts import Host, serving
from tests.zapomni_mcp.toys import EchoTool, SlowTool
from zapomni_core import MemoryEngine
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def slow() -> SlowTool:
    return SlowTool()


@pytest.fixture
def toys(engine: MemoryEngine, slow: SlowTool) -> MCPServer:
    server = MCPServer(engine)
    server.register_tool(EchoTool())
    server.register_tool(slow)
    return server


async def until_stopping(server: MCPServer) -> None:
    while server.get_stats().running:
        await anyio.lowlevel.checkpoint()


async def test_run_stdin_eof_exits_cleanly(toys: MCPServer, host: Host, log: StringIO) -> None:
    host.attach()
    host.send(b"")
    host.hang_up()

    with anyio.fail_after(30):
        await toys.run()

    assert await host.rest() == []
    assert logged(log, "server_stopped")["total_requests"] == 0


async def test_run_concurrent_calls_raises(toys: MCPServer, host: Host) -> None:
    async with serving(toys, host):
        with pytest.raises(RuntimeError, match="already running"):
            await toys.run()
        host.call("echo", {})
        answer = await host.receive()
        host.hang_up()

    assert answer["result"]["content"][0]["text"] == "here"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_lets_the_request_in_flight_finish(
    toys: MCPServer, slow: SlowTool, host: Host, number: signal.Signals
) -> None:
    async with serving(toys, host):
        host.call("slow", {})
        await slow.started.wait()
        os.kill(os.getpid(), number)
        await until_stopping(toys)
        slow.allowed.set()

    assert [a["result"]["content"][0]["text"] for a in await host.rest()] == ["at last"]


async def test_a_signal_ends_the_server_though_a_request_hangs(
    toys: MCPServer, slow: SlowTool, host: Host, log: StringIO
) -> None:
    async with serving(toys, host):
        number = host.call("slow", {})
        await slow.started.wait()
        os.kill(os.getpid(), signal.SIGINT)

    (answer,) = await host.rest()
    assert answer["id"] == number
    assert "error" in answer
    assert logged(log, "server_stopped")["total_requests"] == 1


async def test_requests_in_flight_are_answered_after_the_end_of_input(
    toys: MCPServer, slow: SlowTool, host: Host
) -> None:
    async with serving(toys, host):
        number = host.call("slow", {})
        host.hang_up()
        await slow.started.wait()
        for _ in range(100):  # turns of the event loop in which the end of input is noticed
            await anyio.lowlevel.checkpoint()
        slow.allowed.set()

    (answer,) = await host.rest()
    assert answer["id"] == number
    assert answer["result"]["content"][0]["text"] == "at last"


async def test_a_cancelled_request_does_not_hold_up_the_end(
    toys: MCPServer, slow: SlowTool, host: Host
) -> None:
    async with serving(toys, host):
        number = host.call("slow", {})
        await slow.started.wait()
        cancelled = {"requestId": number}
        host.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})
        host.hang_up()

    assert not slow.allowed.is_set()


async def test_a_quick_call_is_answered_while_a_slow_one_runs(
    toys: MCPServer, slow: SlowTool, host: Host
) -> None:
    async with serving(toys, host):
        first = host.call("slow", {})
        await slow.started.wait()
        second = host.call("echo", {})
        answers = [(await host.receive())["id"]]
        slow.allowed.set()
        answers.append((await host.receive())["id"])
        host.hang_up()

    assert answers == [second, first]


@pytest.mark.parametrize("is_busy", [True, False])
async def test_cancelling_run_stops_the_server(
    toys: MCPServer, slow: SlowTool, host: Host, log: StringIO, is_busy: bool
) -> None:
    host.attach()
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(toys.run)
            await host.shake_hands()
            if is_busy:
                host.call("slow", {})
                await slow.started.wait()
            tasks.cancel_scope.cancel()

    assert not toys.get_stats().running
    assert logged(log, "server_stopped")


async def test_run_broken_pipe_exits(toys: MCPServer, host: Host, log: StringIO) -> None:
    async with serving(toys, host):
        host.stop_listening()
        host.call("echo", {})

    assert logged(log, "client_closed_stdout")
    assert logged(log, "server_stopped")["total_errors"] == 1
    assert not [entry for entry in entries(log) if entry["level"] in ("error", "critical")]


async def test_run_core_unavailable_returns_error(memory_folder: Path, host: Host) -> None:
    server = MCPServer(without_database(memory_folder))
    server.register_all_tools()
    server.register_tool(EchoTool())

    async with serving(server, host):
        host.call("add_memory", {"text": "test"})
        failed = (await host.receive())["result"]
        host.call("echo", {})
        answered = (await host.receive())["result"]
        assert server.get_stats().running
        host.hang_up()

    assert failed["isError"]
    assert failed["content"][0]["text"] == (
        "Error: Database temporarily unavailable. Please retry in a few seconds."
    )
    assert answered["isError"] is False


async def test_a_database_that_comes_back_is_used_again(tmp_path: Path) -> None:
    with running_server(tmp_path, *WITH_GRAPHS, "--appendonly", "yes") as database:
        settings = fresh_settings(tmp_path, falkordb_host="127.0.0.1", falkordb_port=database.port)
        async with MemoryEngine(settings) as engine:
            server = MCPServer(engine)
            server.register_all_tools()
            first = await server._handle_request("add_memory", {"text": "Before the outage"})
            database.kill()
            during = await server._handle_request("add_memory", {"text": "During the outage"})
            database.start()
            after = await server._handle_request("search_memory", {"query": "outage"})

    assert [first["isError"], during["isError"], after["isError"]] == [False, True, False]
    assert [r["text"] for r in after["structuredContent"]["results"]] == ["Before the outage"]


async def test_closing_an_engine_whose_database_is_gone_does_not_fail(tmp_path: Path) -> None:
    with running_server(tmp_path, *WITH_GRAPHS) as database:
        engine = MemoryEngine(
            fresh_settings(tmp_path, falkordb_host="127.0.0.1", falkordb_port=database.port)
        )
        await engine.add_memory("Before the outage")
        database.kill()

        await engine.close()


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"this is not JSON", None, -32700),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call"', None, -32700),
        (b"\xff\xfe", None, -32700),
        (b'{"id": 7, "method": "tools/list"}', 7, -32600),
        (b'{"jsonrpc": "2.0", "id": "seven", "method": 8}', "seven", -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": 8}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": 8}', "\ud800", -32600),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "\\ud800"}', 7, -32601),
        (b"[" * 30_000, None, -32700),
        (b"[]", None, -32600),
        (b"42", None, -32600),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "no/such/method"}', 7, -32601),
    ],
)
async def test_an_unreadable_line_is_answered_and_the_server_goes_on(
    toys: MCPServer, host: Host, line: bytes, number: str | int | None, code: int
) -> None:
    async with serving(toys, host):
        host.send(line)
        refused = await host.receive()
        host.call("echo", {})
        answer = await host.receive()
        host.hang_up()

    assert (refused["id"], refused["error"]["code"]) == (number, code)
    assert answer["result"]["isError"] is False


@pytest.mark.parametrize(
    "params",
    [
        r'{"name": "\ud800", "arguments": {}}',
        r'{"name": "echo", "arguments": {"\ud800": "\udfff"}}',
        r'{"name": "echo", "arguments": "\ud800"}',
        r'{"name": "echo", "arguments": {}, "_meta": {"progressToken": "\ud800"}}',
    ],
)
async def test_an_unpaired_surrogate_anywhere_in_a_call_gets_an_answer(
    toys: MCPServer, host: Host, params: str
) -> None:
    async with serving(toys, host):
        call = f'{{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {params}}}'
        host.send(call.encode())
        first = await host.receive()
        host.call("echo", {})
        second = await host.receive()
        host.hang_up()

    assert first["id"] == 9
    assert second["result"]["isError"] is False


async def test_run_leaves_nothing_open(toys: MCPServer, host: Host, log: StringIO) -> None:
    async with serving(toys, host):
        host.call("echo", {})
        await host.receive()
        before = psutil.Process().num_fds()
        host.hang_up()

    stopped = logged(log, "server_stopped")
    assert sys.stdin.closed
    assert psutil.Process().num_fds() < before
    assert (stopped["total_requests"], stopped["total_errors"]) == (1, 0)
    assert stopped["uptime_seconds"] > 0


async def test_a_tool_is_registered_once(toys: MCPServer) -> None:
    with pytest.raises(ValueError, match="Tool 'echo' is already registered"):
        toys.register_tool(EchoTool())
