"""Connections to the socket of an embedded server that cost next to nothing.

redis-py 8.1 spends as much time on a call as the server does on most of ours, and a walk through
the graph makes a dozen of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import hiredis
from redis.exceptions import (
    BusyLoadingError,
    InvalidResponse,
    OutOfMemoryError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as Disconnected

__all__ = ["Command", "Links", "Reader"]

type Command = tuple[str | bytes | int | float, ...]
type Reader = Callable[[Any], Any]

_CONNECT_TIMEOUT_S: Final = 5.0
_INCOMPLETE: Final = object()
_REFUSALS: Final[Mapping[str, type[RedisError]]] = {
    "LOADING": BusyLoadingError,
    "OOM": OutOfMemoryError,
}


class Links:
    """As many connections as there are calls at a time; whoever uses them bounds that."""

    def __init__(self, path: str, readers: Mapping[Any, Reader]) -> None:
        """Connect to a socket; `readers` turn the replies to some commands into objects."""
        self._path = path
        self._readers = readers
        self._all: set[_Link] = set()
        self._free: list[_Link] = []

    async def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands in one round trip; an error reply is raised."""
        return self._read(commands, await self._ask(commands))

    async def transaction(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands as one MULTI; an error reply is raised."""
        *queued, replies = await self._ask([("MULTI",), *commands, ("EXEC",)])
        for reply in (*queued, replies):
            _check(reply)
        return self._read(commands, replies)

    def close(self) -> None:
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

    def _read(self, commands: Sequence[Command], replies: Sequence[Any]) -> list[Any]:
        return [self._object(c[0], reply) for c, reply in zip(commands, replies, strict=True)]

    def _object(self, name: str | bytes | float, reply: Any) -> Any:
        _check(reply)
        reader = self._readers.get(name)
        return reply if reader is None else reader(reply)


class _Link(asyncio.Protocol):
    """One connection, for one call at a time."""

    def __init__(self) -> None:
        self._parser = hiredis.Reader(
            protocolError=InvalidResponse,
            replyError=_refusal,
            notEnoughData=_INCOMPLETE,
        )
        self._replies: list[Any] = []
        self._expected = 0
        self._answered: asyncio.Future[None] | None = None
        self._transport: asyncio.WriteTransport | None = None

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    async def ask(self, commands: Sequence[Command]) -> list[Any]:
        if self._transport is None or not self.is_open:
            raise Disconnected("The connection was closed.")
        self._replies, self._expected = [], len(commands)
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(b"".join(map(_packed, commands)))
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
        while (reply := self._parser.gets()) is not _INCOMPLETE:
            self._replies.append(reply)
        if len(self._replies) >= self._expected:
            self._settle(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._settle(Disconnected(f"The server closed the connection ({exc})."))

    def _settle(self, error: Exception | None) -> None:
        if self._answered is None or self._answered.done():
            return
        if error is None:
            self._answered.set_result(None)
        else:
            self._answered.set_exception(error)


def _packed(command: Command) -> bytes:
    name, *arguments = command
    assert isinstance(name, str)
    # The stub of hiredis 3.5 knows commands of one word only.
    return hiredis.pack_command((*name.split(), *arguments))  # type: ignore[arg-type, no-any-return]


def _refusal(said: str) -> RedisError:
    return _REFUSALS.get(said.partition(" ")[0], ResponseError)(said)


def _check(reply: Any) -> None:
    if isinstance(reply, Exception):
        raise reply
