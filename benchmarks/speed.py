"""Speed and memory, as ratios to floors measured in the same run.

The floor of `add_memory` is embedding that text once, one durable write of that chunk and one
call of a tool that does nothing; the floor of `search_memory` is embedding the query once and
one call of a tool that does nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import psutil

from benchmarks.client import ServerProcess
from benchmarks.corpus import memories, questions
from benchmarks.stores import fill, open_store, record
from zapomni_core.embedding.builtin import BuiltinModel
from zapomni_core.embedding.bundled import bundled_model

SMALL, LARGE = 10_000, 100_000
OURS, BARE = "zapomni_mcp.server", "benchmarks.bare_server"

type Figures = dict[str, float]


async def milliseconds(work: Callable[[], Awaitable[object]]) -> float:
    """Time one run of some work."""
    started = time.perf_counter()
    await work()
    return (time.perf_counter() - started) * 1000


async def handshake(rounds: int) -> Figures:
    """Compare the time to the first answer with that of a bare server."""
    costs: dict[str, list[tuple[float, float]]] = {OURS: [], BARE: []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for module, seen in costs.items():
                async with ServerProcess(module, ZAPOMNI_DATA_DIR=folder) as server:
                    seen.append((server.handshake_wall_ms, server.handshake_cpu_ms))
    wall = {module: statistics.median(w for w, _ in seen) for module, seen in costs.items()}
    cpu = {module: statistics.median(c for _, c in seen) for module, seen in costs.items()}
    return {
        "handshake_wall_ms": wall[OURS],
        "bare_handshake_wall_ms": wall[BARE],
        "handshake_wall_ratio": wall[OURS] / wall[BARE],
        "handshake_cpu_ratio": cpu[OURS] / cpu[BARE],
    }


async def calls(folder: Path, model: BuiltinModel, rounds: int) -> Figures:
    """Compare tool calls on a store with their floors, taking turns."""
    store = await open_store(folder, "floor")
    times: dict[str, list[float]] = {}
    new, queries = memories(rounds + 5, seed=7), questions(rounds + 5)
    async with (
        ServerProcess(OURS, ZAPOMNI_DATA_DIR=str(folder)) as ours,
        ServerProcess(BARE) as bare,
    ):
        for turn in range(-5, rounds):
            text, query = next(new), next(queries)
            vector = model.encode([text], "passage")[0]
            measured: dict[str, Callable[[], Awaitable[object]]] = {
                "noop": partial(bare.call, "get_stats"),
                "embed_text": partial(asyncio.to_thread, model.encode, [text], "passage"),
                "embed_query": partial(asyncio.to_thread, model.encode, [query], "query"),
                "write": partial(store.add, *record(text, vector)),
                "add": partial(ours.call, "add_memory", text=text),
                "search": partial(ours.call, "search_memory", query=query),
            }
            for name, work in measured.items():
                taken = await milliseconds(work)
                if turn >= 0:  # the first turns warm both sides up
                    times.setdefault(name, []).append(taken)
    await store.close()
    p50 = {name: statistics.median(values) for name, values in times.items()}
    add_floor = p50["embed_text"] + p50["write"] + p50["noop"]
    search_floor = p50["embed_query"] + p50["noop"]
    return {f"{name}_p50_ms": value for name, value in p50.items()} | {
        "add_ratio": p50["add"] / add_floor,
        "search_ratio": p50["search"] / search_floor,
    }


async def searches(folder: Path, rounds: int) -> Figures:
    """Time searches alone, on a store too big to be worth filling twice."""
    times = []
    async with ServerProcess(OURS, ZAPOMNI_DATA_DIR=str(folder)) as ours:
        for turn, query in enumerate(questions(rounds + 5)):
            taken = await milliseconds(partial(ours.call, "search_memory", query=query))
            if turn >= 5:
                times.append(taken)
        rss = ours.rss_mb() + _database_rss_mb(folder)
    return {
        "search_p50_ms": statistics.median(times),
        "search_p95_ms": statistics.quantiles(times, n=20)[-1],
        "rss_mb": rss,
    }


async def opening(folder: Path, rounds: int) -> Figures:
    """Time a big store from process start to the first search result."""

    async def open_and_search() -> None:
        async with ServerProcess(OURS, ZAPOMNI_DATA_DIR=str(folder)) as server:
            times.append((time.perf_counter() - started) * 1000)
            text = await server.call("search_memory", query="who repaired the bicycle?")
            assert text.startswith("Found")
            times.append((time.perf_counter() - started) * 1000)
            notes.append("Note:" in text)

    notes: list[bool] = []
    totals: list[float] = []
    for _ in range(rounds):
        times: list[float] = []
        started = time.perf_counter()
        await open_and_search()
        totals.append(times[1] - times[0])
        await _until_database_is_gone(folder)
    return {
        "open_to_first_result_ms": statistics.median(totals),
        "degraded_answers": float(sum(notes)),
    }


async def settle(folder: Path) -> None:
    """Use a store once, as anybody would before closing it: its word index is saved then."""
    async with ServerProcess(OURS, ZAPOMNI_DATA_DIR=str(folder)) as server, asyncio.timeout(120):
        while "State: ready" not in await server.call("get_stats"):
            await asyncio.sleep(0.2)
    await _until_database_is_gone(folder)


async def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--skip-large", action="store_true")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    figures: dict[str, Figures] = {"handshake": await handshake(max(5, options.rounds // 10))}
    _show("Handshake", figures["handshake"])
    model = BuiltinModel(bundled_model())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "memory"
        await _prepare(folder, SMALL, model, ["zapomni"])
        await settle(folder)
        figures["small_opening"] = await opening(folder, 3)
        _show(f"Opening {SMALL:,} memories", figures["small_opening"])
        figures["small_alone"] = await searches(folder, options.rounds)
        _show(f"Searching {SMALL:,} memories", figures["small_alone"])
        await _prepare(folder, SMALL, model, ["floor"])
        figures["small"] = await calls(folder, model, options.rounds)
        _show(f"Calls at {SMALL:,} memories, with floors", figures["small"])
    if not options.skip_large:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "memory"
            await _prepare(folder, LARGE, model, ["zapomni"])
            await settle(folder)
            figures["large_opening"] = await opening(folder, 3)
            _show(f"Opening {LARGE:,} memories", figures["large_opening"])
            figures["large"] = await searches(folder, options.rounds)
            _show(f"Searching {LARGE:,} memories", figures["large"])
    if "large" in figures:
        growth = figures["large"]["search_p50_ms"] / figures["small_alone"]["search_p50_ms"]
        figures["growth"] = {"search_100k_over_10k": growth}
        _show("Growth", figures["growth"])
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


async def _prepare(folder: Path, size: int, model: BuiltinModel, graphs: list[str]) -> None:
    for graph_name in graphs:
        store = await open_store(folder, graph_name)
        await fill(store, memories(size), model)
        await store.close()
    await _until_database_is_gone(folder)


def _database_processes(folder: Path) -> list[psutil.Process]:
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if any(str(folder) in part for part in process.info["cmdline"] or ())
    ]


def _database_rss_mb(folder: Path) -> float:
    return sum(process.memory_info().rss for process in _database_processes(folder)) / 1e6


async def _until_database_is_gone(folder: Path) -> None:
    async with asyncio.timeout(60):
        while _database_processes(folder):
            await asyncio.sleep(0.05)


def _show(title: str, figures: Figures) -> None:
    print(f"\n{title}")
    for name, value in figures.items():
        print(f"  {name:28} {value:10.2f}")


if __name__ == "__main__":
    asyncio.run(main())
