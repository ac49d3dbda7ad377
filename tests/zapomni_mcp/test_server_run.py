"""The tests of MCPServer.run(), with real pipes, real signals and a real engine."""

import json
import os
import signal
import sys
import tracemalloc
from io import BytesIO, StringIO, TextIOWrapper

import anyio
import pytest

from tests.zapomni_mcp.answers import entries, logged
from tests.zapomni_mcp.hosts import Host, serving
from tests.zapomni_mcp.toys import BuggyTool, EchoTool
from zapomni_core import MemoryEngine
from zapomni_mcp import MCPServer
from zapomni_mcp.tools import TOOLS

pytestmark = pytest.mark.anyio


@pytest.fixture
def echoing(engine: MemoryEngine) -> MCPServer:
    server = MCPServer(engine)
    server.register_tool(EchoTool())
    return server


async def test_run_starts_successfully(server: MCPServer, host: Host, log: StringIO) -> None:
    async with serving(server, host):
        assert server.get_stats().running
        assert server._start_time > 0
        host.hang_up()

    start = logged(log, "server_starting")
    assert start["tools"] == [tool.name for tool in TOOLS]
    assert start["tool_count"] == len(TOOLS)


async def test_run_processes_valid_request(server: MCPServer, host: Host) -> None:
    async with serving(server, host):
        number = host.call("add_memory", {"text": "test"})
        answer = await host.receive()
        host.hang_up()

    assert answer["id"] == number
    assert answer["result"]["content"][0]["text"].startswith("Memory stored successfully.\nID: ")
    assert (server._request_count, server._error_count) == (1, 0)


async def test_run_exits_on_stdin_eof(server: MCPServer, host: Host, log: StringIO) -> None:
    host.attach()
    host.hang_up()

    with anyio.fail_after(30):
        await server.run()

    assert not server.get_stats().running
    assert server._request_count == 0
    assert {entry["level"] for entry in entries(log)} <= {"info", "debug"}
    assert logged(log, "stdin_ended")


async def test_run_sigint_graceful_shutdown(echoing: MCPServer, host: Host, log: StringIO) -> None:
    async with serving(echoing, host):
        os.kill(os.getpid(), signal.SIGINT)

    assert not echoing.get_stats().running
    assert logged(log, "shutdown_requested")
    assert logged(log, "server_stopped")


async def test_run_sigterm_graceful_shutdown(
    echoing: MCPServer, host: Host, log: StringIO
) -> None:
    async with serving(echoing, host):
        os.kill(os.getpid(), signal.SIGTERM)

    assert not echoing.get_stats().running
    assert logged(log, "server_stopped")


async def test_run_no_tools_registered_raises(engine: MemoryEngine) -> None:
    with pytest.raises(ValueError, match=r"zero tools registered\. Call register_all_tools\(\)"):
        await MCPServer(engine).run()


async def test_run_already_running_raises(echoing: MCPServer, host: Host) -> None:
    async with serving(echoing, host):
        with pytest.raises(RuntimeError, match=r"^Server is already running$"):
            await echoing.run()
        echoing.shutdown()

    assert not echoing.get_stats().running


@pytest.mark.parametrize("name", ["stdin", "stdout"])
async def test_run_stdin_unavailable_raises(
    echoing: MCPServer, monkeypatch: pytest.MonkeyPatch, host: Host, name: str
) -> None:
    host.attach()
    monkeypatch.setattr(sys, name, StringIO())

    with pytest.raises(ConnectionError, match=f"^{name} not available in binary mode$"):
        await echoing.run()
    assert not echoing.get_stats().running


@pytest.mark.parametrize("name", ["stdin", "stdout"])
async def test_run_stdout_closed_raises(
    echoing: MCPServer, monkeypatch: pytest.MonkeyPatch, host: Host, name: str
) -> None:
    host.attach()
    stream = TextIOWrapper(BytesIO())
    stream.close()
    monkeypatch.setattr(sys, name, stream)

    with pytest.raises(ConnectionError, match=f"^{name} is closed$"):
        await echoing.run()


async def test_run_tool_exception_continues(echoing: MCPServer, host: Host, log: StringIO) -> None:
    echoing.register_tool(BuggyTool())

    async with serving(echoing, host):
        host.call("buggy", {})
        failed = (await host.receive())["result"]
        host.call("echo", {})
        answered = (await host.receive())["result"]
        assert echoing.get_stats().running
        host.hang_up()

    failure = logged(log, "tool_failed")
    assert failed["isError"]
    assert failed["content"][0]["text"].startswith("Error: An internal error occurred")
    assert failure["reference"] in failed["content"][0]["text"]
    assert failure["exception"][0]["exc_type"] == "RuntimeError"
    assert "secret" not in json.dumps(failed)
    assert answered["content"][0]["text"] == "here"
    assert (echoing._request_count, echoing._error_count) == (2, 1)


async def test_run_full_request_cycle(server: MCPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    requests = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "add_memory", "arguments": {"text": "Python is great"}},
        },
    ]
    lines = b"".join(json.dumps(request).encode() + b"\n" for request in requests)
    written = BytesIO()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(lines)))
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(written))

    await server.run()

    answers = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["text_preview"] == "Python is great"


async def test_run_multiple_requests_sequential(server: MCPServer, host: Host) -> None:
    async with serving(server, host):
        numbers = [host.call("add_memory", {"text": f"test {i}"}) for i in range(5)]
        host.hang_up()

    answers = await host.rest()
    assert sorted(answer["id"] for answer in answers) == numbers
    assert not any(answer["result"]["isError"] for answer in answers)
    assert server._request_count == 5


async def test_run_overhead_within_target(echoing: MCPServer, log: StringIO) -> None:
    """A call is counted and logged with its duration; how long it takes is a benchmark."""
    await echoing._handle_request("echo", {})

    processed = logged(log, "request_processed")
    assert echoing.get_stats().total_requests == 1
    assert processed["tool"] == "echo"
    assert processed["is_error"] is False
    assert isinstance(processed["duration_ms"], float)


async def test_run_large_payload_rejected(server: MCPServer) -> None:
    answer = await server._handle_request("add_memory", {"text": "x" * 10_000_001})

    assert answer["isError"]
    assert "text exceeds maximum length" in answer["content"][0]["text"]
    assert len(json.dumps(answer)) < 1024


async def test_run_memory_usage_stable(server: MCPServer) -> None:
    tracemalloc.start()
    try:
        for i in range(100):
            answer = await server._handle_request("add_memory", {"text": f"test {i}"})
            assert not answer["isError"]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 50 * 1024 * 1024
