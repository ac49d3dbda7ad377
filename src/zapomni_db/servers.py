"""Connections to a server or a cluster that somebody else runs; nobody else imports the driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Self, cast

from redis import exceptions as driver
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from zapomni_db.errors import StoreRefused, StoreUnavailable, refusal
from zapomni_db.protocol import Command

__all__ = ["Servers"]

_KEYS_PER_LOOK = 1_000
_UNAVAILABLE = (
    driver.ConnectionError,
    driver.TimeoutError,
    driver.BusyLoadingError,
    driver.ClusterDownError,
    driver.ClusterError,
    driver.TryAgainError,
    driver.AskError,  # and MovedError: the key has moved to another node
    driver.RedisClusterException,  # no RedisError: no node reachable, or a slot without one
)
_REFUSED = (driver.AuthenticationError, driver.AuthorizationError, driver.NoPermissionError)


class Servers:
    """The driver's pool, with its errors put in the store's words."""

    def __init__(self, client: Redis | RedisCluster) -> None:
        self._client = client

    @classmethod
    async def connected(cls, place: dict[str, Any], pool_size: int, timeout_s: float) -> Self:
        """Connect to a server, or to the cluster that it belongs to."""
        options: dict[str, Any] = place | {
            "socket_timeout": timeout_s,
            "socket_connect_timeout": min(timeout_s, 5.0),
            # The driver would send a slow write again up to ten times; we retry by our own rule.
            "retry": Retry(NoBackoff(), 0),
            "protocol": 2,
            "max_connections": pool_size,
        }
        with _translated():
            return cls(await _client(options))

    @property
    def is_cluster(self) -> bool:
        """Whether there are several servers."""
        return isinstance(self._client, RedisCluster)

    async def execute(self, command: Command) -> Any:
        """Run one command; an error reply is raised."""
        with _translated():
            return await self._client.execute_command(*command)

    async def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands in one round trip; an error reply is raised."""
        return await self._together(commands, is_transaction=False)

    async def transaction(self, commands: Sequence[Command]) -> list[Any]:
        """Run commands as one MULTI; an error reply is raised."""
        return await self._together(commands, is_transaction=True)

    async def about(self, key: str, *sections: str) -> dict[str, Any]:
        """Return what the server that holds a key says about itself."""
        with _translated():
            node = {}
            if isinstance(self._client, RedisCluster):
                node = {"target_nodes": self._client.get_node_from_key(key)}
            told = await self._client.execute_command("INFO", *sections, **node)
            return cast("dict[str, Any]", told)

    async def keys(self, pattern: str) -> set[bytes]:
        """Look for keys, on every node of a cluster."""
        with _translated():
            return {key async for key in self._client.scan_iter(pattern, _KEYS_PER_LOOK)}

    async def refresh(self) -> None:
        """Look again which node of a cluster holds what."""
        if isinstance(self._client, RedisCluster):
            # A failed transaction refreshes nothing by itself (driver 8.1).
            with suppress(driver.RedisError, driver.RedisClusterException, OSError):
                await self._client.nodes_manager.initialize()

    async def close(self) -> None:
        """Drop every connection."""
        with suppress(driver.RedisError, OSError):
            await self._client.aclose()

    async def _together(self, commands: Sequence[Command], *, is_transaction: bool) -> list[Any]:
        with _translated():
            # A cluster's transaction (driver 8.1) would refresh in another thread's event loop.
            await self._client.initialize()
            async with self._client.pipeline(transaction=is_transaction) as pipe:
                for command in commands:
                    pipe.execute_command(*command)
                return list(await pipe.execute())


async def _client(options: dict[str, Any]) -> Redis | RedisCluster:
    single = Redis(**options, health_check_interval=30)
    try:
        about = await single.info("cluster")
    except BaseException:
        await single.aclose()
        raise
    if not about.get("cluster_enabled"):
        return single
    await single.aclose()
    cluster = RedisCluster(**options)
    await cluster.initialize()
    return cluster


@contextmanager
def _translated() -> Iterator[None]:
    """Raise the store's own error for whatever the driver raises inside the block."""
    try:
        yield
    except _REFUSED as exc:
        raise StoreRefused("The database refused the credentials; check FALKORDB_URL.") from exc
    except _UNAVAILABLE as exc:
        raise StoreUnavailable(f"The database does not answer ({type(exc).__name__}).") from exc
    except driver.RedisError as exc:
        # The driver makes a class of the word that such an error begins with.
        kind = "OOM " if isinstance(exc, driver.OutOfMemoryError) else ""
        raise refusal(f"{kind}{exc}", type(exc).__name__) from exc
