"""How long it takes to build the graph, beside the reading alone, and who waits meanwhile."""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.corpus import memories
from benchmarks.recall.sets import read_set
from benchmarks.stores import fill, open_store
from zapomni_core import MemoryEngine, configure_logs, load_settings
from zapomni_core.embedding.builtin import BuiltinModel
from zapomni_core.embedding.bundled import bundled_model
from zapomni_core.knowledge.entities.choice import open_extractor

_BATCH = 16


def main() -> None:
    """Fill a memory, read it, build its graph, and print how these compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--texts", type=Path, help="take those of a question set instead")
    given = parser.parse_args()
    texts = _real(given.texts) if given.texts else list(memories(given.memories))
    configure_logs("ERROR")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_run(Path(folder), texts))


async def _run(folder: Path, texts: list[str]) -> None:
    settings = load_settings(
        data_dir=folder, auto_graph=False, fsync="everysec", log_level="ERROR"
    )
    store = await open_store(folder, settings.graph_name)
    await fill(store, texts, BuiltinModel(bundled_model()))
    await store.close()
    async with MemoryEngine(settings) as engine:
        reading_s = await _read(texts)
        building_s, waits_ms = await _build(engine)
        status = await engine.graph_status()
    print(f"{len(texts)} memories, {status.entities} entities, {status.facts} facts")
    print(f"reading alone   {reading_s:8.1f} s  {1000 * reading_s / len(texts):6.2f} ms a memory")
    print(
        f"building        {building_s:8.1f} s  {1000 * building_s / len(texts):6.2f} ms a memory"
    )
    print(f"ratio           {building_s / reading_s:8.2f}    (at most 2)")
    worst = statistics.quantiles(waits_ms, n=20)[-1]
    print(f"get_stats beside it: p95 {worst:.0f} ms, most {max(waits_ms):.0f} ms    (under 100)")


def _real(path: Path) -> list[str]:
    return [one.text for group in read_set(path) for one in group.documents if one.text]


async def _read(texts: list[str]) -> float:
    with ThreadPoolExecutor(5) as executor:
        extractor = open_extractor("builtin", executor)
        started = time.perf_counter()
        for first in range(0, len(texts), _BATCH):
            await extractor.extract_entities(texts[first : first + _BATCH])
        return time.perf_counter() - started


async def _build(engine: MemoryEngine) -> tuple[float, list[float]]:
    started = time.perf_counter()
    await engine.build_graph()
    waits_ms: list[float] = []
    while any(job.state == "running" for job in (await engine.graph_status()).jobs):
        asked = time.perf_counter()
        await engine.get_stats()
        waits_ms.append(1000 * (time.perf_counter() - asked))
        await asyncio.sleep(0.5)
    return time.perf_counter() - started, waits_ms or [0.0, 0.0]


if __name__ == "__main__":
    main()
