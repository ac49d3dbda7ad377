"""Many clients at one server: latency, memory, event loop lag, and what is left afterwards.

Starts the real server as a process of its own, loads it from this one, prints every figure and
compares them with the targets; ends with status 1 if one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpus import memories
from benchmarks.http_server import Footprint, HttpServer
from benchmarks.load_calls import (
    LONG_TEXT,
    Record,
    call_now_and_then,
    call_without_pause,
    write_long_texts,
)
from benchmarks.load_targets import TARGETS, Figures
from benchmarks.sse_client import SseClient, abort_session
from benchmarks.stores import fill, open_store
from zapomni_core import configure_logs
from zapomni_core.embedding.builtin import BuiltinModel
from zapomni_core.embedding.bundled import bundled_model

CLOSED_LOOP_S = 15.0
ABORTS_AT_A_TIME = 50
# A session whose client is gone must be noticed within this time.
NOTICED_WITHIN_S = 30.0
BEATS_EVERY_S = 0.05
# Our own work never takes this long: somebody else's does, and the server suffers as we do.
SUSPICIOUS_LAG_MS = 100.0
# However slow the machine is, the whole run ends: these bound what the plan leaves open.
LEAST_ABORTS_PER_S = 20
LONGEST_REST_S = 600.0


@dataclass(frozen=True, slots=True)
class Plan:
    """How much load, and for how long."""

    seconds: float
    clients: int
    callers: int
    aborts: int
    memories: int


async def run(plan: Plan) -> dict[str, Figures]:
    """Go through every phase, printing each as it ends."""
    figures: dict[str, Figures] = {}

    def note(phase: str, found: Figures) -> None:
        figures[phase] = found | {"load_average": os.getloadavg()[0]}
        print(f"\n{phase.replace('_', ' ').capitalize()}")
        for name, value in figures[phase].items():
            print(f"  {name:28} {value:12.2f}")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        await _prepare(folder / "memory", plan.memories)
        async with HttpServer(folder) as server:
            clients = [SseClient(server.port) for _ in range(plan.clients)]
            await _warm_up(server)
            note("connecting", await connecting(server, clients))
            note("load", await load(server, clients, plan))
            note("closed_loop", await closed_loop(server, clients[: plan.callers]))
            for client in clients:
                client.close()
            note("aborts", await aborts(server, plan.aborts))
            complaints = server.complaints()
            note("log", {event: float(count) for event, count in complaints.items()})
    return figures


async def _in_time(plan: Plan) -> dict[str, Figures]:
    async with asyncio.timeout(plan.seconds + plan.aborts / LEAST_ABORTS_PER_S + LONGEST_REST_S):
        return await run(plan)


async def connecting(server: HttpServer, clients: list[SseClient]) -> Figures:
    """Open the sessions one after another, so that each time is that of one."""
    before = server.footprint()
    for client in clients:
        await client.connect()
    after = server.footprint()
    times = [client.connected_ms for client in clients]
    for client in clients:
        await client.initialize()
    return {
        "connections": len(clients),
        "p50_ms": float(np.percentile(times, 50)),
        "p95_ms": float(np.percentile(times, 95)),
        "max_ms": max(times),
        "server_mb_before": before.server_mb,
        "server_mb_after": after.server_mb,
        "mb_per_connection": (after.server_mb - before.server_mb) / len(clients),
    }


async def load(server: HttpServer, clients: list[SseClient], plan: Plan) -> Figures:
    """Have some of the clients call for a while, beside one that stores long texts."""
    async with _session(server) as writer, _own_lag() as lags:
        seen, start = Record(), server.footprint()
        until = time.monotonic() + plan.seconds
        async with asyncio.TaskGroup() as tasks:
            for number, client in enumerate(clients[: plan.callers]):
                tasks.create_task(call_now_and_then(client, number, until, seen))
            tasks.create_task(write_long_texts(writer, until, seen))
            halfway = tasks.create_task(_footprint_after(server, plan.seconds / 2))
        found, end = seen.figures(), server.footprint()
        resting = Record()
        for client in clients[plan.callers :]:  # they must have been kept, too
            await resting.measure("get_stats", client.call("get_stats", {}))
        stored = await _stored(writer)
    _show_failures(seen, resting)
    expected = plan.memories + seen.count("add_memory") + seen.count(LONG_TEXT)
    return found | {
        "failures": found["failures"] + resting.failures.total(),
        "lost_memories": expected - stored,
        "event_loop_lag_max_ms": (await server.health())["event_loop_lag_max_ms"],
        "own_loop_lag_max_ms": max(lags),
        "server_cpu_share": (end.server_cpu_s - start.server_cpu_s) / plan.seconds,
        **_memory(start, halfway.result(), end),
    }


async def closed_loop(server: HttpServer, clients: list[SseClient]) -> Figures:
    """Have every client ask again as soon as it has its answer."""
    seen, before = Record(), server.footprint()
    until = time.monotonic() + CLOSED_LOOP_S
    await asyncio.gather(*(call_without_pause(client, until, seen) for client in clients))
    found, after = seen.figures(), server.footprint()
    _show_failures(seen)
    spent = after.server_cpu_s - before.server_cpu_s
    return found | {"server_cpu_ms_per_call": spent * 1000 / max(1, found["calls"])}


async def aborts(server: HttpServer, count: int) -> Figures:
    """Open sessions and vanish, over and over; nothing of them may stay."""
    await _sessions_left(server)
    seen, before, turns = Record(), server.footprint(), iter(range(count))

    async def vanish() -> None:
        for turn in turns:
            await seen.measure("abort", abort_session(server.port, at_once=turn % 2 == 0))

    started = time.perf_counter()
    await asyncio.gather(*(vanish() for _ in range(ABORTS_AT_A_TIME)))
    seconds = time.perf_counter() - started
    _show_failures(seen)
    left = await _sessions_left(server)
    after = server.footprint()
    return {
        "aborts": count,
        "failures": seen.failures.total(),
        "aborts_per_second": count / seconds,
        "sessions_left": left,
        "server_growth_mb": after.server_mb - before.server_mb,
        "event_loop_lag_max_ms": (await server.health())["event_loop_lag_max_ms"],
    }


async def _prepare(folder: Path, count: int) -> None:
    store = await open_store(folder, "zapomni")
    await fill(store, memories(count), BuiltinModel(bundled_model()))
    await store.close()


async def _warm_up(server: HttpServer) -> None:
    async with _session(server) as client:
        for _ in range(3):
            await client.call("search_memory", {"query": "who repaired the bicycle?"})
            await client.call("get_stats", {})


@asynccontextmanager
async def _session(server: HttpServer) -> AsyncIterator[SseClient]:
    client = SseClient(server.port)
    await client.connect()
    await client.initialize()
    try:
        yield client
    finally:
        client.close()


@asynccontextmanager
async def _own_lag() -> AsyncIterator[list[float]]:
    """Watch our own event loop: what it adds is not the server's."""
    lags = [0.0]

    async def watch() -> None:
        while True:
            due = time.perf_counter() + BEATS_EVERY_S
            await asyncio.sleep(BEATS_EVERY_S)
            lags.append((time.perf_counter() - due) * 1000)

    watching = asyncio.create_task(watch())
    try:
        yield lags
    finally:
        watching.cancel()


async def _footprint_after(server: HttpServer, seconds: float) -> Footprint:
    await asyncio.sleep(seconds)
    return server.footprint()


async def _stored(client: SseClient) -> int:
    (count,) = re.findall(r"Total Memories: (\d+)", await client.call("get_stats", {}))
    return int(count)


async def _sessions_left(server: HttpServer) -> int:
    deadline = time.monotonic() + NOTICED_WITHIN_S
    while left := (await server.health())["active_sessions"]:
        if time.monotonic() > deadline:
            break
        await asyncio.sleep(0.2)
    return int(left)


def _memory(start: Footprint, halfway: Footprint, end: Footprint) -> Figures:
    moments = {"start": start, "mid": halfway, "end": end}
    found: Figures = {}
    for moment, footprint in moments.items():
        found[f"server_mb_{moment}"] = footprint.server_mb
        found[f"database_mb_{moment}"] = footprint.database_mb
    # The first half still fills caches and buffers; what grows in the second goes on growing.
    growth = end.server_mb - halfway.server_mb
    return found | {"total_mb_end": end.total_mb, "server_growth_mb": growth}


def _show_failures(*records: Record) -> None:
    for record in records:
        for reason, count in record.failures.most_common(10):
            print(f"  failed {count} times: {reason}", file=sys.stderr)


def main() -> int:
    """Run everything; tell by the status whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="length of the load")
    parser.add_argument("--clients", type=int, default=100, help="sessions that are open")
    parser.add_argument("--callers", type=int, default=50, help="sessions that call")
    parser.add_argument("--aborts", type=int, default=10_000, help="sessions to open and drop")
    parser.add_argument("--memories", type=int, default=2_000, help="memories to begin with")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = vars(parser.parse_args())
    path = options.pop("json")
    configure_logs("WARNING")
    figures = asyncio.run(_in_time(Plan(**options)))
    if path:
        path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print("\nTargets")
    for target in TARGETS:
        print(target.line(figures))
    if (own_lag := figures["load"]["own_loop_lag_max_ms"]) > SUSPICIOUS_LAG_MS:
        print(f"  This process itself came {own_lag:.0f} ms late: something else is busy here.")
    return 0 if all(target.is_met(figures) for target in TARGETS) else 1


if __name__ == "__main__":
    sys.exit(main())
