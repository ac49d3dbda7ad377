"""A client of the SSE transport that sees every event as it is on the wire."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import orjson

from tests.e2e.processes import HANDSHAKE


@dataclass(frozen=True, slots=True)
class Event:
    """One block of a stream: an event, or a comment under the name `:`."""

    name: str
    data: str


class Session:
    """An open stream and the address to post to."""

    def __init__(self, client: httpx2.AsyncClient, lines: AsyncIterator[str]) -> None:
        self.client = client
        self.endpoint = ""
        self._lines = lines
        self._numbers = itertools.count(1)

    @property
    def session_id(self) -> str:
        return self.endpoint.rpartition("/")[2]

    async def next_event(self) -> Event:
        """Return the next event; comments before it are put aside."""
        block = await self.next_block()
        while block.name == ":":
            block = await self.next_block()
        return block

    async def next_block(self) -> Event:
        """Return the next event or comment."""
        fields: dict[str, str] = {}
        async for line in self._lines:
            if not line and fields:
                return Event(fields.get("event", ":"), fields.get("data", fields.get("", "")))
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        raise EOFError("the server has closed the stream")

    async def post(self, body: bytes | dict[str, Any], **headers: str) -> httpx2.Response:
        """Post something to the session."""
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        return await self.client.post(
            self.endpoint, content=content, headers={"Content-Type": "application/json"} | headers
        )

    async def request(self, method: str, params: dict[str, Any]) -> int:
        """Post a request and return its id."""
        number = next(self._numbers)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        answer = await self.post(message)
        assert (answer.status_code, answer.text) == (202, "Accepted")
        return number

    async def start_call(self, tool: str, **arguments: Any) -> int:
        """Post a tool call and return its id."""
        return await self.request("tools/call", {"name": tool, "arguments": arguments})

    async def message(self) -> dict[str, Any]:
        """Return the next message of the stream."""
        event = await self.next_event()
        assert event.name == "message", event
        message: dict[str, Any] = orjson.loads(event.data)
        return message

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return the result, which must be the next message."""
        number = await self.start_call(tool, **arguments)
        answer = await self.message()
        assert answer["id"] == number, answer
        result: dict[str, Any] = answer["result"]
        return result

    async def shake_hands(self) -> None:
        """Initialize the session."""
        await self.request("initialize", HANDSHAKE)
        assert "result" in await self.message()
        await self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})


@asynccontextmanager
async def raw_session(url: str, **headers: str) -> AsyncIterator[Session]:
    """Connect and read the first event."""
    async with (
        httpx2.AsyncClient(base_url=url, headers=headers, timeout=60, verify=False) as client,
        client.stream("GET", "/sse") as response,
    ):
        response.raise_for_status()
        session = Session(client, response.aiter_lines())
        event = await session.next_event()
        assert event.name == "endpoint", event
        session.endpoint = event.data
        yield session


@asynccontextmanager
async def open_session(url: str, **headers: str) -> AsyncIterator[Session]:
    """Connect and initialize."""
    async with raw_session(url, **headers) as session:
        await session.shake_hands()
        yield session
