"""Measure the code index as a user has it: how long it takes to build, to refresh and to ask.

Embedding is left out: it goes on in the background, and takes all cores that it gets. Searches
therefore come without the time that the embedding of a query takes.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from benchmarks.code.measures import Figure
from benchmarks.code.sources import files_of, project
from benchmarks.code.speed import parsing_alone
from zapomni_core import MemoryEngine, configure_logs, load_settings
from zapomni_core.embedding import Role, Vectors

__all__ = ["figures"]

FIRST_INDEXES = 3
CHANGES = 20
QUESTIONS = 200
_WORDS = (
    "where are sessions saved|parse a template|migrate the schema|validate a form field|send mail"
    "|cache a view|resolve a url|serialize a queryset|log in a user|escape html|upload a file"
).split("|")


def figures(_show: int) -> Iterator[Figure]:
    """Yield the times of the whole engine on Django."""
    configure_logs("ERROR")
    with tempfile.TemporaryDirectory() as scratch:
        # A copy: some files are going to change.
        folder = Path(scratch) / "django"
        shutil.copytree(project("django"), folder, symlinks=True)
        os.sync()  # the database would wait for the disk to take the copy
        yield from asyncio.run(_measure(folder, Path(scratch) / "memory"))


class Instant:
    """An embedder that takes no time; its vectors mean nothing."""

    model_id = "instant"
    max_tokens = 512

    async def dimension(self) -> int:
        """Return as many numbers as the built-in model."""
        return 384

    def count_tokens(self, text: str) -> int:
        """Guess."""
        return len(text) // 4

    async def embed(self, texts: Sequence[str], _role: Role) -> Vectors:
        """Make unit vectors of the texts' hashes."""
        seeds = [crc32(text.encode()) for text in texts]
        rows = np.stack([np.random.default_rng(seed).standard_normal(384) for seed in seeds])
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(unit, np.float32)

    async def close(self) -> None:
        """Release nothing."""


class _First(NamedTuple):
    """The first index of all Python files, and how long to parse them takes at that time."""

    files: int
    seconds: float
    parsing_s: float

    @property
    def ratio(self) -> float:
        return self.seconds / self.parsing_s


async def _measure(folder: Path, data: Path) -> list[Figure]:
    firsts = []
    for number in range(FIRST_INDEXES - 1):
        async with _opened(folder, data.with_name(f"memory-{number}")) as engine:
            firsts.append(await _first(engine, folder))
    async with _opened(folder, data) as engine:
        firsts.append(await _first(engine, folder))
        again = await engine.index_codebase(str(folder), languages=[], patience_s=None)
        found = [
            _first_figure(firsts),
            Figure("s for the other files", again.indexed, again.job.seconds, is_ceiling=True),
        ]
        await engine.embed_code()
        unchanged = await _timed(1, lambda _: engine.index_codebase(str(folder)))
        found.append(_figure("ms to see that nothing has changed", unchanged, 400.0))
        changed = await _changed(engine, folder)
        found.append(
            Figure(
                "ms until a changed file is found, p50",
                len(changed),
                float(np.median(changed)),
                150.0,
                is_ceiling=True,
            )
        )
        found.append(_figure("ms until it is, with all references, p95", changed, 300.0))
        names = await _names(engine)
        callers = await _timed(QUESTIONS, lambda n: engine.get_call_graph(names[n]))
        impact = await _timed(QUESTIONS, lambda n: engine.get_call_graph(names[n], "impact"))
        words = await _timed(QUESTIONS, lambda n: engine.search_code(_WORDS[n % len(_WORDS)]))
        found.append(_figure("ms for the callers of a symbol, p95", callers, 5.0))
        found.append(_figure("ms for the impact of a symbol to depth 3, p95", impact, 20.0))
        found.append(_figure("ms for a search, p95", words, 30.0))
        return found


@asynccontextmanager
async def _opened(folder: Path, data: Path) -> AsyncIterator[MemoryEngine]:
    settings = load_settings(data_dir=data, code_roots=(folder,))
    async with MemoryEngine(settings, embedder=Instant()) as engine:
        await engine.search_memory("anything")  # everything is open from here on
        yield engine


async def _first(engine: MemoryEngine, folder: Path) -> _First:
    # The speed of a machine changes from one minute to the next: before and after are one.
    before = parsing_alone()
    # Processes for parsing are started with the first file.
    python = await engine.index_codebase(str(folder), languages=["python"], patience_s=None)
    await engine.embed_code()
    return _First(python.indexed, python.job.seconds, (before + parsing_alone()) / 2)


def _first_figure(firsts: list[_First]) -> Figure:
    """Show the median; all of them stand behind it."""
    runs = ", ".join(f"{one.ratio:.2f} ({one.seconds:.1f} s)" for one in firsts)
    parsing_s = np.mean([one.parsing_s for one in firsts])
    return Figure(
        "structural index of the Python files, times parsing them alone",
        firsts[0].files,
        float(np.median([one.ratio for one in firsts])),
        3.0,
        is_ceiling=True,
        note=f"{runs}; parsing {parsing_s:.1f} s",
    )


async def _changed(engine: MemoryEngine, folder: Path) -> list[float]:
    """Change one file after another; the name must be found right after."""
    paths = [path for path, _ in files_of(folder, ["python"]) if "/" in path]
    times = []
    for number, path in enumerate(random.Random(5).sample(paths, CHANGES)):
        file, name = folder / path, f"brand_new_thing_{number}"
        await asyncio.to_thread(_append, file, f"\n\ndef {name}(value):\n    return value\n")
        started = time.perf_counter()
        await engine.reindex_files(folder, [file])
        hits = (await engine.search_code(name, limit=1)).hits
        times.append((time.perf_counter() - started) * 1000)
        assert hits[0].symbol.name == name
    return times


def _append(file: Path, text: str) -> None:
    with file.open("a", encoding="utf-8") as opened:
        opened.write(text)
        os.fsync(opened.fileno())


async def _names(engine: MemoryEngine) -> list[str]:
    """Choose symbols, those that most others call among them."""
    seen = await engine.code_overview(max_tokens=20_000)
    central = [each.id for each in seen.central]
    hits = [hit for word in _WORDS for hit in (await engine.search_code(word, limit=50)).hits]
    some = random.Random(3).sample(sorted({hit.symbol.id for hit in hits}), 100)
    return [(central + some)[n % (len(central) + len(some))] for n in range(QUESTIONS)]


async def _timed(count: int, call: Callable[[int], Awaitable[object]]) -> list[float]:
    times = []
    for number in range(count):
        started = time.perf_counter()
        await call(number)
        times.append((time.perf_counter() - started) * 1000)
    return times


def _figure(name: str, times: list[float], target: float | None = None) -> Figure:
    p50, p95 = np.percentile(times, [50, 95])
    return Figure(name, len(times), float(p95), target, is_ceiling=True, note=f"p50 {p50:.1f} ms")
