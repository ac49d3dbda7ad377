"""Connections to the socket of an embedded server that cost next to nothing.

redis-py 8.1 spends as much time on a call as the server does on most of ours, and a walk through
the graph makes a dozen of them; to import it takes 60 ms.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, cast

from zapomni_db.protocol import INCOMPLETE, READERS, Command, packed, parser

__all__ = ["Links"]

_CONNECT_TIMEOUT_S: Final = 5.0
_KEYS_PER_LOOK: Final = 1_000


class Links:
    """As many connections as there are calls at a time; whoever uses them bounds that."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._all: set[_Link] = set()
        self._free: list[_Link] = []

    async def execute(self, command: Command) -> Any:
        """Run one command; an error reply is raised."""
        return (await self.pipeline([command]))[0]

    async def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands in one round trip; an error reply is raised."""
        return _read(commands, await self._ask(commands))

    async def transaction(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands as one MULTI; an error reply is raised."""
        *queued, replies = await self._ask([("MULTI",), *commands, ("EXEC",)])
        for reply in (*queued, replies):
            _check(reply)
        return _read(commands, replies)

    async def about(self, _key: str, *sections: str) -> dict[str, Any]:
        """Return what the server says about itself; it holds every key."""
        told: dict[str, Any] = await self.execute(("INFO", *sections))
        return told

    async def keys(self, pattern: str) -> set[bytes]:
        """Look for keys."""
        found: set[bytes] = set()
        cursor: bytes = b"0"
        while True:
            look = ("SCAN", cursor, "MATCH", pattern, "COUNT", _KEYS_PER_LOOK)
            cursor, page = await self.execute(look)
            found.update(page)
            if cursor == b"0":
                return found

    async def close(self) -> None:
        """Drop every connection; calls in flight fail."""
        self._free.clear()
        for link in self._all:
            link.close()
        self._all.clear()

    async def _ask(self, commands: Sequence[Command]) -> list[Any]:
        link = self._idle() or await self._connected()
        try:
            replies = await link.ask(commands)
        except BaseException:
            # Whoever used it next would get the replies to a call that was given up.
            self._all.discard(link)
            link.close()
            raise
        self._free.append(link)
        return replies

    def _idle(self) -> _Link | None:
        while self._free:
            if (link := self._free.pop()).is_open:
                return link
            self._all.discard(link)
        return None

    async def _connected(self) -> _Link:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(_CONNECT_TIMEOUT_S):
            _, link = await loop.create_unix_connection(_Link, self._path)
        self._all.add(link)
        return link


class _Link(asyncio.Protocol):
    """One connection, for one call at a time."""

    def __init__(self) -> None:
        self._parser = parser()
        self._replies: list[Any] = []
        self._expected = 0
        self._answered: asyncio.Future[None] | None = None
        self._transport: asyncio.WriteTransport | None = None

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    async def ask(self, commands: Sequence[Command]) -> list[Any]:
        if self._transport is None or not self.is_open:
            raise ConnectionError("The connection was closed.")
        self._replies, self._expected = [], len(commands)
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(b"".join(map(packed, commands)))
        await self._answered
        return self._replies

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not asserted: uvloop's transports are none by their class.
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed(data)
        while (reply := self._parser.gets()) is not INCOMPLETE:
            self._replies.append(reply)
        if len(self._replies) >= self._expected:
            self._settle(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._settle(ConnectionError(f"The server closed the connection ({exc})."))

    def _settle(self, error: Exception | None) -> None:
        if self._answered is None or self._answered.done():
            return
        if error is None:
            self._answered.set_result(None)
        else:
            self._answered.set_exception(error)


def _read(commands: Sequence[Command], replies: Sequence[Any]) -> list[Any]:
    return [_object(c[0], reply) for c, reply in zip(commands, replies, strict=True)]


def _object(name: str | bytes | float, reply: Any) -> Any:
    _check(reply)
    reader = READERS.get(name)
    return reply if reader is None else reader(reply)


def _check(reply: Any) -> None:
    if isinstance(reply, Exception):
        raise reply
