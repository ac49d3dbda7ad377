"""A host in the same process: the other ends of a server's standard input and output."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from io import TextIOWrapper
from typing import Any

import anyio
import pytest

from zapomni_mcp import MCPServer

HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Host:
    """Speaks JSON-RPC over real pipes that replace the standard streams."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        server_reads, we_write = os.pipe()
        we_read, server_writes = os.pipe()
        self._monkeypatch = monkeypatch
        self._stdin = TextIOWrapper(os.fdopen(server_reads, "rb"))
        self._stdout = TextIOWrapper(os.fdopen(server_writes, "wb"))
        self._to_server = os.fdopen(we_write, "wb", buffering=0)
        self._from_server = os.fdopen(we_read, "rb")
        self._numbers = itertools.count(1)

    def attach(self) -> None:
        """Replace the standard streams; in the test itself, because pytest sets its own before."""
        self._monkeypatch.setattr(sys, "stdin", self._stdin)
        self._monkeypatch.setattr(sys, "stdout", self._stdout)

    def send(self, message: bytes | dict[str, Any]) -> None:
        """Send a line."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self._to_server.write(line + b"\n")

    def request(self, method: str, params: dict[str, Any]) -> int:
        """Send a request and return its id."""
        number = next(self._numbers)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def call(self, tool: str, arguments: dict[str, Any]) -> int:
        """Send a tool call and return its id."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    async def receive(self) -> dict[str, Any]:
        """Return the next message of the server."""
        message: dict[str, Any] = json.loads(
            await anyio.to_thread.run_sync(self._from_server.readline, abandon_on_cancel=True)
        )
        return message

    async def shake_hands(self) -> None:
        """Initialize the session; the server is certain to be serving after this."""
        number = self.request("initialize", HANDSHAKE)
        assert (await self.receive())["id"] == number
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def hang_up(self) -> None:
        """End the server's input."""
        self._to_server.close()

    def stop_listening(self) -> None:
        """Close the pipe that the server writes to."""
        self._from_server.close()

    async def rest(self) -> list[dict[str, Any]]:
        """Return what a server that has ended has written and nobody has received."""
        self._stdout.close()
        lines = await anyio.to_thread.run_sync(self._from_server.readlines)
        return [json.loads(line) for line in lines]

    def close(self) -> None:
        """Close every end."""
        for stream in (self._stdin, self._stdout, self._to_server, self._from_server):
            stream.close()


@contextmanager
def open_host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """Open the pipes until the block ends."""
    host = Host(monkeypatch)
    try:
        yield host
    finally:
        host.close()


@asynccontextmanager
async def serving(server: MCPServer, host: Host) -> AsyncIterator[None]:
    """Run a server beside the block, which must make it end."""
    host.attach()
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.run)
            await host.shake_hands()
            yield
