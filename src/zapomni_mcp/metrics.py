"""Numbers about the running server, in the form that Prometheus reads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from zapomni_core import Statistics

__all__ = ["Metrics", "watch_loop_lag"]

_LAG_EVERY_S = 0.25
_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)


class Metrics:
    """Counters and gauges of one server process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._calls = Counter(
            "zapomni_tool_calls", "Tool calls", ["tool", "outcome"], registry=self._registry
        )
        self._seconds = Histogram(
            "zapomni_tool_seconds",
            "Duration of tool calls",
            ["tool"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._sessions = self._gauge("zapomni_sse_sessions", "Open SSE sessions")
        self._lag = self._gauge("zapomni_event_loop_lag_seconds", "Last lag of the event loop")
        self._worst_lag = self._gauge(
            "zapomni_event_loop_lag_max_seconds", "Worst lag of the event loop since the start"
        )
        self._memories = self._gauge("zapomni_memories", "Memories stored")
        self._chunks = self._gauge("zapomni_chunks", "Chunks stored")
        self._store_bytes = self._gauge("zapomni_store_bytes", "Memory used by the database")
        self._pool_size = self._gauge("zapomni_pool_size", "Connections the pool may open")
        self._pool_used = self._gauge("zapomni_pool_in_use", "Connections in use")
        self.worst_lag_s = 0.0

    def observe_call(self, tool: str, is_error: bool, seconds: float) -> None:
        """Count a tool call."""
        self._calls.labels(tool, "error" if is_error else "success").inc()
        self._seconds.labels(tool).observe(seconds)

    def observe_lag(self, seconds: float) -> None:
        """Note how late the event loop was."""
        self.worst_lag_s = max(self.worst_lag_s, seconds)
        self._lag.set(seconds)
        self._worst_lag.set(self.worst_lag_s)

    def observe_store(self, statistics: Statistics) -> None:
        """Note what the store holds."""
        self._memories.set(statistics.total_memories)
        self._chunks.set(statistics.total_chunks)
        self._store_bytes.set(statistics.database_size_mb * 1e6)
        self._pool_size.set(statistics.pool_size)
        self._pool_used.set(statistics.pool_in_use)

    def text(self, sessions: int) -> bytes:
        """Return everything as Prometheus reads it."""
        self._sessions.set(sessions)
        return generate_latest(self._registry)

    def _gauge(self, name: str, meaning: str) -> Gauge:
        return Gauge(name, meaning, registry=self._registry)


async def watch_loop_lag(
    observe: Callable[[float], None], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> None:
    """Report, for ever, by how much the event loop comes late."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _LAG_EVERY_S
        await sleep(_LAG_EVERY_S)
        observe(max(0.0, loop.time() - due))
