"""Send commands to the database: embedded, one server or a cluster, through one code path."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import structlog

from zapomni_db.embedded import EmbeddedServer, FsyncPolicy
from zapomni_db.errors import StoreUnavailable, translated_errors
from zapomni_db.links import Links
from zapomni_db.protocol import Command
from zapomni_db.records import PoolUse

if TYPE_CHECKING:
    from zapomni_db.servers import Servers

__all__ = ["Address", "Command", "Connection", "EmbeddedAddress", "ServerAddress"]

type Mode = Literal["embedded", "server", "cluster"]

# A cluster needs seconds to promote a replica; one server is either there or it is not.
_ATTEMPTS: dict[Mode, int] = {"embedded": 2, "server": 2, "cluster": 10}
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 1.0
# Fifty clients that never rest would otherwise fill the log with 600 lines a second.
_WARN_EVERY_S = 10.0

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class EmbeddedAddress:
    """A data folder whose database we run ourselves."""

    folder: Path
    fsync: FsyncPolicy = "always"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A FalkorDB server, or any node of a cluster, that somebody else runs."""

    host: str
    port: int = 6379
    username: str | None = None
    password: str | None = None
    tls: bool = False
    tls_ca_file: str | None = None

    def options(self) -> dict[str, Any]:
        """Return the driver's connection options."""
        options: dict[str, Any] = {"host": self.host, "port": self.port}
        options |= {"username": self.username, "password": self.password}
        if self.tls:
            options |= {"ssl": True, "ssl_ca_certs": self.tls_ca_file}
        return options


type Address = EmbeddedAddress | ServerAddress


class Connection:
    """A bounded pool of connections that reconnects, and restarts an embedded server."""

    def __init__(self, address: Address, pool_size: int = 20, timeout_s: float = 30.0) -> None:
        self.mode: Mode = "embedded" if isinstance(address, EmbeddedAddress) else "server"
        self.pool_size = pool_size
        self._address = address
        self._timeout_s = timeout_s
        self._embedded: EmbeddedServer | None = None
        self._links: Links | Servers | None = None
        self._free = asyncio.Semaphore(pool_size)
        self._in_use = 0
        self._warn_again_at = 0.0

    @property
    def pool(self) -> PoolUse:
        """How much of the pool is in use."""
        return PoolUse(self.pool_size, self._in_use)

    async def open(self) -> None:
        """Start the embedded server if there is one, and connect."""
        with translated_errors():
            if isinstance(self._address, EmbeddedAddress):
                self._embedded = EmbeddedServer(self._address.folder, self._address.fsync)
                await asyncio.to_thread(self._embedded.start)
                self._links = Links(self._embedded.socket_path)
            else:
                self._links = await self._server_links(self._address)

    async def close(self) -> None:
        """Give every connection back and leave the embedded server."""
        links, self._links = self._links, None
        if links is not None:
            await links.close()
            if self._in_use:  # a call may have been about to connect
                await self._end_of_calls()
                await links.close()
        if self._embedded is not None:
            await asyncio.to_thread(self._embedded.stop)
            self._embedded = None

    async def execute(self, *command: str | bytes | float) -> Any:
        """Run one command; it must be safe to run twice, because it may be."""
        return await self._persistently(lambda links: links.execute(command))

    async def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands in one round trip; an error reply is raised."""
        replies: list[Any] = await self._persistently(lambda links: links.pipeline(commands))
        return replies

    async def transaction(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands as one MULTI, isolated and logged as a unit; an error reply is raised."""
        replies: list[Any] = await self._persistently(lambda links: links.transaction(commands))
        return replies

    async def usage(self, key: str) -> dict[str, int]:
        """Return the numbers of INFO memory and persistence from the server that holds a key."""
        found: dict[str, Any] = await self._persistently(
            lambda links: links.about(key, "memory", "persistence")
        )
        return {name: value for name, value in found.items() if isinstance(value, int)}

    async def keys(self, pattern: str) -> list[str]:
        """List the keys that look like a pattern, of every node of a cluster."""
        found: set[bytes] = await self._persistently(lambda links: links.keys(pattern))
        return sorted(key.decode() for key in found)

    async def _persistently(self, send: Callable[[Links | Servers], Awaitable[Any]]) -> Any:
        pause_s = _FIRST_PAUSE_S
        for attempt in range(1, _ATTEMPTS[self.mode] + 1):
            try:
                return await self._once(send)
            except StoreUnavailable as exc:
                if self._links is None or isinstance(exc.__cause__, TimeoutError):
                    raise
                if attempt == _ATTEMPTS[self.mode]:
                    if self._embedded and (reason := self._embedded.why_it_ended()):
                        raise reason from exc
                    raise
                _log.warning("database_unavailable", attempt=attempt, mode=self.mode)
                await self._revive(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        raise AssertionError("unreachable")

    async def _once(self, send: Callable[[Links | Servers], Awaitable[Any]]) -> Any:
        if self._free.locked() and time.monotonic() >= self._warn_again_at:
            self._warn_again_at = time.monotonic() + _WARN_EVERY_S
            _log.warning("pool_exhausted", pool_size=self.pool_size)
        async with self._free:
            if (links := self._links) is None:
                raise StoreUnavailable("The store is closed.")
            self._in_use += 1
            try:
                with translated_errors():
                    async with asyncio.timeout(self._timeout_s):
                        return await send(links)
            finally:
                self._in_use -= 1

    async def _end_of_calls(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_PAUSE_S):
                while self._in_use:  # noqa: ASYNC110  (rare, and over at once)
                    await asyncio.sleep(0.005)

    async def _revive(self, pause_s: float) -> None:
        if self._embedded is not None:
            await asyncio.to_thread(self._embedded.start)
            return
        await asyncio.sleep(pause_s)
        if not isinstance(self._links, Links | None):
            await self._links.refresh()

    async def _server_links(self, address: ServerAddress) -> Servers:
        from zapomni_db.servers import Servers  # noqa: PLC0415  (60 ms that are seldom needed)

        servers = await Servers.connected(address.options(), self.pool_size, self._timeout_s)
        if servers.is_cluster:
            self.mode = "cluster"
        return servers
