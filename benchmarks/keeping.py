"""Exports, imports and backups: how fast, and what searches notice of them.

An import is compared with the embedder's own speed on the same texts in the same run; the
searches during a backup with those right before it.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import numpy as np
import orjson

from benchmarks.corpus import memories, questions
from benchmarks.stores import fill, open_store
from zapomni_core import MemoryEngine, Settings, configure_logs
from zapomni_core.embedding.builtin import BuiltinModel
from zapomni_core.embedding.bundled import bundled_model
from zapomni_core.embedding.local import LocalEmbedder
from zapomni_core.keeping_engine import KeepingEngine

_PAGES = 50
_SEARCHES = 200
_EMBEDDED_AT_ONCE = 512


async def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="keep the large store here, and use it again")
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--imports", type=int, default=10_000)
    arguments = parser.parse_args()
    configure_logs("ERROR")
    with tempfile.TemporaryDirectory(prefix="zapomni-bench-") as scratch:
        if arguments.imports:
            await _imports(Path(scratch), arguments.imports)
        if arguments.chunks:
            await _large_store(arguments.folder or Path(scratch) / "large", arguments.chunks)


async def _imports(scratch: Path, count: int) -> None:
    file = scratch / "import.jsonl"
    texts = list(memories(count))
    file.write_bytes(_export_of(texts))
    settings = _settings(scratch / "import")
    with ThreadPoolExecutor(1) as executor:
        embedder = LocalEmbedder(executor, bundled_model())
        await embedder.dimension()
        before = await _embedding_speed(embedder, texts[: count // 4])
        started = time.perf_counter()
        imported = await KeepingEngine(settings).import_memories(file)
        speed = imported.added / (time.perf_counter() - started)
        after = await _embedding_speed(embedder, texts[-(count // 4) :])
    own = (before + after) / 2
    print(f"import      {speed:8.0f} memories/s, embedder {own:.0f}/s: {speed / own:.0%}")


async def _embedding_speed(embedder: LocalEmbedder, texts: list[str]) -> float:
    started = time.perf_counter()
    for first in range(0, len(texts), _EMBEDDED_AT_ONCE):
        await embedder.embed(texts[first : first + _EMBEDDED_AT_ONCE], "passage")
    return len(texts) / (time.perf_counter() - started)


async def _large_store(folder: Path, chunks: int) -> None:
    store = await open_store(folder, "zapomni")
    if (await store.counts()).chunks < chunks:
        await fill(store, memories(chunks), BuiltinModel(bundled_model()))
    engine = KeepingEngine(_settings(folder))
    for with_vectors in (False, True):
        sink, started = io.BytesIO(), time.perf_counter()
        exported = await engine.export_memories(sink, with_vectors=with_vectors)
        speed = exported.memories / (time.perf_counter() - started)
        size = sink.tell() / 1e6
        print(f"export      {speed:8.0f} memories/s, {size:.0f} MB, vectors: {with_vectors}")
    # Until here, so that no export waits for the database to load.
    await store.close()
    await _reads(folder)
    await _backup(folder)


async def _reads(folder: Path) -> None:
    """Walk through the list page by page, and look at what it shows."""
    listing, getting, cursor = [], [], None
    async with MemoryEngine(_settings(folder)) as engine:
        await engine.list_memories()  # the word index has to be there
        for _ in range(_PAGES):
            started = time.perf_counter()
            page = await engine.list_memories(cursor=cursor)
            listing.append((time.perf_counter() - started) * 1000)
            cursor = page.next_cursor
            for memory in page.memories:
                started = time.perf_counter()
                await engine.get_memory(memory.memory_id)
                getting.append((time.perf_counter() - started) * 1000)
    for name, times in (("list", listing), ("get", getting)):
        typical, worst = (float(np.percentile(times, share)) for share in (50, 95))
        print(f"{name:<11} {typical:8.2f} ms p50, {worst:.2f} ms p95    (at most 5)")


async def _backup(folder: Path) -> None:
    asked = list(questions(_SEARCHES))
    target = folder / "bench-backup.tar"
    async with MemoryEngine(_settings(folder)) as serving:
        await _searches(serving, asked)
        before = await _searches(serving, asked)
        # Another process, as a person would start it.
        command = ("-m", "zapomni_cli", "backup", "--json", str(target))
        during: list[float] = []
        backup = await _backup_process(folder, command)
        while backup.returncode is None:
            during += await _searches(serving, asked[:5])
        output, _ = await backup.communicate()
    done = orjson.loads(output)
    usual, meanwhile = (float(np.percentile(times, 95)) for times in (before, during))
    print(
        f"backup      {done['seconds']:8.2f} s for {done['chunks']} chunks, "
        f"{done['size_bytes'] / 1e6:.0f} MB; search p95 {usual:.1f} ms before, {meanwhile:.1f} ms "
        f"during ({len(during)} searches): {meanwhile / usual:.2f} x"
    )
    restored = await KeepingEngine(_settings(folder / "bench-restored")).restore(target)
    print(f"restore     {restored.seconds:8.2f} s, {restored.chunks} chunks")
    for path in (target, target.with_name(f"{target.name}.sha256")):
        path.unlink()
    shutil.rmtree(folder / "bench-restored")


async def _backup_process(folder: Path, command: tuple[str, ...]) -> asyncio.subprocess.Process:
    environment = {**os.environ, "ZAPOMNI_DATA_DIR": str(folder)}
    return await asyncio.create_subprocess_exec(
        sys.executable, *command, env=environment, stdout=asyncio.subprocess.PIPE
    )


async def _searches(engine: MemoryEngine, asked: list[str]) -> list[float]:
    times = []
    for question in asked:
        started = time.perf_counter()
        await engine.search_memory(question)
        times.append((time.perf_counter() - started) * 1000)
    return times


def _settings(folder: Path) -> Settings:
    return Settings.model_validate({"data_dir": folder, "auto_graph": False})


def _export_of(texts: list[str]) -> bytes:
    head = {"format": "zapomni-export", "version": 1, "model": None, "vectors": False}
    lines = [orjson.dumps(head)]
    lines += [
        orjson.dumps({"id": f"{number:032x}", "text": text, "created": "2025-01-01T00:00:00Z"})
        for number, text in enumerate(texts)
    ]
    content = b"\n".join([*lines, b""])
    end = {"memories": len(texts), "kept_facts": 0, "sha256": sha256(content).hexdigest()}
    return content + orjson.dumps({"end": end}) + b"\n"


if __name__ == "__main__":
    asyncio.run(main())
