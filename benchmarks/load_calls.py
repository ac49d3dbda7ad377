"""Callers that keep a server busy, and a record of how it answered them."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Iterator
from typing import Any

import numpy as np

from benchmarks.corpus import memories, questions
from benchmarks.load_targets import Figures
from benchmarks.sse_client import CallFailed, SseClient

__all__ = ["LONG_TEXT", "Record", "call_now_and_then", "call_without_pause", "write_long_texts"]

LONG_TEXT = "add_memory_long"
_CALL_LIMIT_S = 60.0
_LONG_TEXT_CHARS = 20_000
_SENTENCES = 150


class Record:
    """Durations of what succeeded, reasons of what failed."""

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter()
        self._times: dict[str, list[float]] = {}
        self._started = time.perf_counter()

    def count(self, name: str) -> int:
        """Count what succeeded under a name."""
        return len(self._times.get(name, ()))

    async def measure(self, name: str, work: Awaitable[object]) -> None:
        """Time some work; a failure is counted, not raised."""
        started = time.perf_counter()
        try:
            async with asyncio.timeout(_CALL_LIMIT_S):
                await work
        except (CallFailed, EOFError, OSError, TimeoutError) as exc:
            self.failures[f"{name}: {type(exc).__name__} {exc}"[:200]] += 1
        else:
            self._times.setdefault(name, []).append((time.perf_counter() - started) * 1000)

    def figures(self) -> Figures:
        """Sum up: calls, failures, throughput, and how long each kind took."""
        calls, minutes = sum(map(len, self._times.values())), self._minutes()
        found: Figures = {
            "calls": calls,
            "failures": self.failures.total(),
            "calls_per_minute": calls / minutes,
        }
        for name, times in sorted(self._times.items()):
            found[f"{name}_calls"] = len(times)
            for percent in (50, 95, 99):
                found[f"{name}_p{percent}_ms"] = float(np.percentile(times, percent))
        return found

    def _minutes(self) -> float:
        return (time.perf_counter() - self._started) / 60


async def call_now_and_then(client: SseClient, number: int, until: float, seen: Record) -> None:
    """Call once a second or so: mostly statistics and searches, now and then a short memory."""
    chance = random.Random(number)
    asked, noted = questions(100_000, seed=number), memories(100_000, seed=1000 + number)
    due = time.monotonic() + chance.random()
    while due < until:
        await asyncio.sleep(due - time.monotonic())
        tool, arguments = _choice(chance.random(), asked, noted)
        await seen.measure(tool, client.call(tool, arguments))
        due = max(due + chance.uniform(0.5, 1.5), time.monotonic())


async def call_without_pause(client: SseClient, until: float, seen: Record) -> None:
    """Ask for statistics again as soon as they have come."""
    while time.monotonic() < until:
        await seen.measure("get_stats", client.call("get_stats", {}))


async def write_long_texts(client: SseClient, until: float, seen: Record) -> None:
    """Store one long text after another."""
    seed = 5_000
    while time.monotonic() < until:
        text = " ".join(memories(_SENTENCES, seed=(seed := seed + 1)))[:_LONG_TEXT_CHARS]
        await seen.measure(LONG_TEXT, client.call("add_memory", {"text": text}))


def _choice(dice: float, asked: Iterator[str], noted: Iterator[str]) -> tuple[str, dict[str, Any]]:
    if dice < 0.5:
        return "get_stats", {}
    if dice < 0.9:
        return "search_memory", {"query": next(asked)}
    return "add_memory", {"text": next(noted)}
