"""Clients that come and go without a word leave nothing behind."""

import socket
import struct

import anyio
import pytest

from tests.zapomni_mcp_http.running import LOOPBACK, HttpServer
from tests.zapomni_mcp_http.sessions import open_session
from tests.zapomni_mcp_http.wire import HOST

pytestmark = pytest.mark.anyio

ABORT = struct.pack("ii", 1, 0)


async def connect_and_abort(port: int) -> None:
    """Open a session, read where to post, and cut the connection without closing it."""
    async with await anyio.connect_tcp(LOOPBACK, port) as stream:
        await stream.send(b"GET /sse HTTP/1.1\r\n" + HOST + b"\r\n")
        heard = b""
        while b"/messages/" not in heard:
            heard += await stream.receive()
        raw = stream.extra(anyio.abc.SocketAttribute.raw_socket)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)


async def many_aborts(port: int, count: int) -> None:
    async def some() -> None:
        for _ in range(count // 20):
            await connect_and_abort(port)

    async with anyio.create_task_group() as tasks:
        for _ in range(20):
            tasks.start_soon(some)


async def test_a_thousand_aborted_connections_leave_no_session_and_no_memory(
    server: HttpServer,
) -> None:
    """US-4 and NFR-001: sessions return to zero, the process stays as large as it was."""
    async with open_session(server.url) as session:
        await session.call("search_memory", query="have the model loaded")
    await many_aborts(server.port, 100)
    server.wait_for_sessions(0)
    before_mb = server.resident_mb()

    await many_aborts(server.port, 1000)
    server.wait_for_sessions(0)

    assert server.resident_mb() - before_mb < 10
    async with open_session(server.url) as session:
        assert (await session.call("get_stats"))["isError"] is False
