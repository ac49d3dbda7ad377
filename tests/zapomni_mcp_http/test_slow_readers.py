"""Clients that do not read what they asked for."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from anyio.abc import ByteStream, SocketStream

from tests.e2e.processes import HANDSHAKE
from tests.zapomni_mcp.toys import NO_ARGUMENTS
from tests.zapomni_mcp_http.inside import serving_inside
from tests.zapomni_mcp_http.running import LOOPBACK
from tests.zapomni_mcp_http.sessions import Session
from tests.zapomni_mcp_http.wire import HOST
from zapomni_mcp.tools import ToolResult

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("log")]

# More than the system takes off a server's hands for a client that does not read.
LONG = "a very long answer " * 350_000


class LongWindedTool:
    """Answers at length."""

    name = "tell"
    description = "Talk."
    input_schema = NO_ARGUMENTS

    async def execute(self, _arguments: dict[str, Any]) -> ToolResult:
        """Answer."""
        return {"content": [{"type": "text", "text": LONG}], "isError": False}


async def no_lines() -> AsyncIterator[str]:
    """Stand for the stream that a session does not read itself."""
    yield ""


@asynccontextmanager
async def asked_for_much(url: str) -> AsyncIterator[ByteStream]:
    """Ask for a long answer, and yield the stream on which it comes."""
    async with (
        await connect_narrowly(int(url.rpartition(":")[2])) as stream,
        httpx2.AsyncClient(base_url=url, verify=False) as client,
    ):
        await stream.send(b"GET /sse HTTP/1.1\r\n" + HOST + b"\r\n")
        heard = b""
        while b"\r\n\r\n" not in heard.partition(b"/messages/")[2]:
            heard += await stream.receive()
        session = Session(client, no_lines())
        session.endpoint = "/messages/" + heard.decode().partition("/messages/")[2][:36]
        await session.request("initialize", HANDSHAKE)
        await session.start_call("tell")
        yield stream


async def connect_narrowly(port: int) -> ByteStream:
    """Connect with little room for what has not been read."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, (LOOPBACK, port))
    return await SocketStream.from_socket(sock)


async def test_a_client_that_reads_nothing_is_dropped(folder: Path, log: StringIO) -> None:
    """US-4 and R-2: neither its session nor its answer is kept for ever."""
    async with (
        serving_inside(folder, LongWindedTool(), client_timeout_s=1) as url,
        httpx2.AsyncClient(base_url=url, verify=False) as client,
        asked_for_much(url),
    ):
        with anyio.fail_after(20):
            while "session_closed" not in log.getvalue():
                await client.get("/health")


async def test_a_client_that_reads_slowly_gets_everything(folder: Path) -> None:
    """US-4: what makes progress is left alone, however long it takes."""
    async with (
        # Opening the engine beside it may hold the client up for half a second itself.
        serving_inside(folder, LongWindedTool(), client_timeout_s=1.5) as url,
        httpx2.AsyncClient(base_url=url, verify=False) as client,
        asked_for_much(url) as stream,
    ):
        heard = bytearray()
        with anyio.fail_after(60):
            while b'answer "' not in heard[-500:]:
                heard += await stream.receive(16_384)
                await client.get("/health")

    assert heard.count(b"a very long answer") == LONG.count("a very long answer")
