"""Send commands to the database: embedded, one server or a cluster, through one code path."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import structlog
from redis.asyncio import ConnectionPool, Redis, RedisCluster, UnixDomainSocketConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from zapomni_db.embedded import EmbeddedServer, FsyncPolicy
from zapomni_db.errors import StoreUnavailable, translated_errors
from zapomni_db.links import Command, Links
from zapomni_db.records import PoolUse

__all__ = ["Address", "Command", "Connection", "EmbeddedAddress", "ServerAddress"]

type Mode = Literal["embedded", "server", "cluster"]

# A cluster needs seconds to promote a replica; one server is either there or it is not.
_ATTEMPTS: dict[Mode, int] = {"embedded": 2, "server": 2, "cluster": 10}
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 1.0
# Fifty clients that never rest would otherwise fill the log with 600 lines a second.
_WARN_EVERY_S = 10.0
_KEYS_PER_LOOK = 1_000

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
        self._client: Redis | RedisCluster | None = None
        self._links: Links | None = None
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
                client = self._unix_client(self._embedded.socket_path)
                self._links = Links(self._embedded.socket_path, client.response_callbacks)
                self._client = client
            else:
                self._client = await self._server_client(self._address)

    async def close(self) -> None:
        """Give every connection back and leave the embedded server."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(RedisError, OSError):
                await self._disconnect(client)
                if self._in_use:  # a call may have been about to connect
                    await self._end_of_calls()
                    await self._disconnect(client)
        if self._embedded is not None:
            await asyncio.to_thread(self._embedded.stop)
            self._embedded = None

    async def execute(self, *command: str | bytes | float) -> Any:
        """Run one command; it must be safe to run twice, because it may be."""

        async def send(client: Redis | RedisCluster) -> Any:
            if self._links is not None:
                return (await self._links.pipeline([command]))[0]
            return await client.execute_command(*command)

        return await self._persistently(send)

    async def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands in one round trip; an error reply is raised."""
        return await self._together(commands, transaction=False)

    async def transaction(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands as one MULTI, isolated and logged as a unit; an error reply is raised."""
        return await self._together(commands, transaction=True)

    async def usage(self, key: str) -> dict[str, int]:
        """Return the numbers of INFO memory and persistence from the server that holds a key."""

        async def ask(client: Redis | RedisCluster) -> dict[str, Any]:
            node = {}
            if isinstance(client, RedisCluster):
                node = {"target_nodes": client.get_node_from_key(key)}
            sections = ("INFO", "memory", "persistence")
            return cast("dict[str, Any]", await client.execute_command(*sections, **node))

        found: dict[str, Any] = await self._persistently(ask)
        return {name: value for name, value in found.items() if isinstance(value, int)}

    async def keys(self, pattern: str) -> list[str]:
        """List the keys that look like a pattern, of every node of a cluster."""

        async def ask(client: Redis | RedisCluster) -> set[bytes]:
            return {key async for key in client.scan_iter(pattern, _KEYS_PER_LOOK)}

        found: set[bytes] = await self._persistently(ask)
        return sorted(key.decode() for key in found)

    async def _together(self, commands: Sequence[Command], *, transaction: bool) -> list[Any]:
        async def send(client: Redis | RedisCluster) -> list[Any]:
            if self._links is not None:
                links = self._links
                return await (links.transaction if transaction else links.pipeline)(commands)
            # A cluster's transaction (driver 8.1) would refresh in another thread's event loop.
            await client.initialize()
            async with client.pipeline(transaction=transaction) as pipe:
                for command in commands:
                    pipe.execute_command(*command)
                return list(await pipe.execute())

        replies: list[Any] = await self._persistently(send)
        return replies

    async def _persistently(self, send: Callable[[Any], Awaitable[Any]]) -> Any:
        pause_s = _FIRST_PAUSE_S
        for attempt in range(1, _ATTEMPTS[self.mode] + 1):
            try:
                return await self._once(send)
            except StoreUnavailable as exc:
                if self._client is None or isinstance(exc.__cause__, TimeoutError):
                    raise
                if attempt == _ATTEMPTS[self.mode]:
                    if self._embedded and (reason := self._embedded.why_it_ended()):
                        raise reason from exc
                    raise
                _log.warning("database_unavailable", attempt=attempt, mode=self.mode)
                await self._revive(pause_s)
                pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        raise AssertionError("unreachable")

    async def _once(self, send: Callable[[Any], Awaitable[Any]]) -> Any:
        if self._client is None:
            raise StoreUnavailable("The store is closed.")
        if self._free.locked() and time.monotonic() >= self._warn_again_at:
            self._warn_again_at = time.monotonic() + _WARN_EVERY_S
            _log.warning("pool_exhausted", pool_size=self.pool_size)
        async with self._free:
            self._in_use += 1
            try:
                with translated_errors():
                    async with asyncio.timeout(self._timeout_s):
                        return await send(self._client)
            finally:
                self._in_use -= 1

    async def _disconnect(self, client: Redis | RedisCluster) -> None:
        if self._links is not None:
            self._links.close()
        await client.aclose()

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
        if isinstance(self._client, RedisCluster):
            # A failed transaction refreshes nothing by itself (driver 8.1).
            with suppress(RedisError, RedisClusterException, OSError):
                await self._client.nodes_manager.initialize()

    def _options(self) -> dict[str, Any]:
        return {
            "socket_timeout": self._timeout_s,
            "socket_connect_timeout": min(self._timeout_s, 5.0),
            # The driver would send a slow write again up to ten times; we retry by our own rule.
            "retry": Retry(NoBackoff(), 0),
            "protocol": 2,
        }

    def _unix_client(self, path: str) -> Redis:
        pool = ConnectionPool(
            connection_class=UnixDomainSocketConnection,
            max_connections=self.pool_size,
            path=path,
            **self._options(),
        )
        return Redis.from_pool(pool)

    async def _server_client(self, address: ServerAddress) -> Redis | RedisCluster:
        options = address.options() | self._options()
        single = Redis(**options, max_connections=self.pool_size, health_check_interval=30)
        try:
            about = await single.info("cluster")
        except BaseException:
            await single.aclose()
            raise
        if not about.get("cluster_enabled"):
            return single
        await single.aclose()
        self.mode = "cluster"
        cluster = RedisCluster(**options, max_connections=self.pool_size)
        await cluster.initialize()
        return cluster
