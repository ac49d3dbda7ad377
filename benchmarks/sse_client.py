"""An SSE client on bare sockets, cheap enough for a hundred of them in one process."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

__all__ = ["CallFailed", "SseClient", "abort_session", "fetch"]

HOST = "127.0.0.1"
_LONGEST_LINE = 16_000_000
# The server closes a connection that rests for 15 s; do not race with it.
_REUSE_FOR_S = 10.0


class CallFailed(Exception):
    """The server refused a request or answered a call with an error."""


@dataclass(slots=True)
class _Connection:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    used: float

    @classmethod
    async def open(cls, port: int) -> Self:
        reader, writer = await asyncio.open_connection(HOST, port, limit=_LONGEST_LINE)
        return cls(reader, writer, time.monotonic())

    @property
    def is_fresh(self) -> bool:
        return time.monotonic() - self.used < _REUSE_FOR_S

    def request(self, method: str, path: str, body: bytes = b"") -> None:
        head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept: */*\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)
        self.used = time.monotonic()

    async def status(self) -> tuple[int, int]:
        """Read the head of a response: its status and the length of its body."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        _, _, length = head.partition("content-length:")
        return int(head.split(" ", 2)[1]), int(length.split("\r\n", 1)[0] or 0)

    async def response(self) -> tuple[int, bytes]:
        status, length = await self.status()
        return status, await self.reader.readexactly(length)

    def abort(self) -> None:
        self.writer.transport.abort()


class SseClient:
    """One session. It has at most one call in flight, so nobody has to sort answers."""

    def __init__(self, port: int) -> None:
        self.connected_ms = 0.0
        self._port = port
        self._last_id = 0
        self._path = ""
        self._stream: _Connection | None = None
        self._posts: _Connection | None = None

    async def connect(self) -> None:
        """Open the stream and wait to be told where to post."""
        started = time.perf_counter()
        self._stream = await _Connection.open(self._port)
        self._stream.request("GET", "/sse")
        status, _ = await self._stream.status()
        if status != 200:
            raise CallFailed(f"GET /sse answered {status}")
        self._path = (await self._next_data()).decode()
        self.connected_ms = (time.perf_counter() - started) * 1000

    async def initialize(self) -> None:
        """Shake hands as an MCP client does."""
        about = {"name": "load", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
        await self._ask("initialize", hello)
        await self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool and return its text."""
        answer = await self._ask("tools/call", {"name": tool, "arguments": arguments})
        result = answer.get("result") or {"isError": True, "content": [{"text": str(answer)}]}
        text: str = result["content"][0]["text"]
        if result.get("isError"):
            raise CallFailed(text)
        return text

    def close(self) -> None:
        """Hang up."""
        for connection in (self._stream, self._posts):
            if connection is not None:
                connection.abort()
        self._stream = self._posts = None

    async def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._last_id += 1
        await self._post(
            {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        )
        while True:
            answer: dict[str, Any] = json.loads(await self._next_data())
            if answer.get("id") == self._last_id:
                return answer

    async def _post(self, message: dict[str, Any]) -> None:
        if self._posts is None or not self._posts.is_fresh:
            if self._posts is not None:
                self._posts.abort()
            self._posts = await _Connection.open(self._port)
        self._posts.request("POST", self._path, json.dumps(message).encode())
        status, body = await self._posts.response()
        if status != 202:
            raise CallFailed(f"POST answered {status}: {body[:200].decode(errors='replace')}")

    async def _next_data(self) -> bytes:
        # Each event is a chunk of its own, so chunk sizes never stand within a line of data.
        assert self._stream is not None
        while line := await self._stream.reader.readline():
            if line.startswith(b"data:"):
                return line[5:].strip()
        raise ConnectionError("the server ended the stream")


async def abort_session(port: int, *, at_once: bool) -> None:
    """Open a session and vanish: in the middle of the request, or when it is open."""
    async with _aborting(port) as connection:
        connection.request("GET", "/sse")
        await connection.writer.drain()
        if not at_once:
            await connection.reader.readuntil(b"data:")


async def fetch(port: int, path: str) -> tuple[int, str]:
    """GET a path: its status and body."""
    async with _aborting(port) as connection:
        connection.request("GET", path)
        status, body = await connection.response()
        return status, body.decode()


@asynccontextmanager
async def _aborting(port: int) -> AsyncIterator[_Connection]:
    connection = await _Connection.open(port)
    try:
        yield connection
    finally:
        connection.abort()
