"""Write many memories: some are embedded while those before them are written."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zapomni_core.code.locking import locked
from zapomni_core.knowledge.graph import KnowledgeGraph
from zapomni_core.life.writing import Draft, Prepared, Writer
from zapomni_core.retrieval import WordIndex
from zapomni_db import Store

__all__ = ["Storing", "Stream"]

# Readers wait while a writer commits: 18-24 ms with this many chunks.
_CHUNKS_PER_WRITE: Final = 50


@dataclass(frozen=True, slots=True)
class Storing:
    """Stores memories under ids that were chosen for them; those that are there stay."""

    store: Store
    index: WordIndex
    graph: KnowledgeGraph
    writer: Writer
    lock: Path

    def stream(self) -> Stream:
        """Begin to store one batch after another."""
        return Stream(self)

    async def missing(self, memory_ids: Sequence[str]) -> set[str]:
        """Tell which memories are not there."""
        present = await self.store.intake.present(memory_ids)
        return {each for each in memory_ids if not present.get(each)}

    async def unwanted(self, memory_ids: Sequence[str]) -> set[str]:
        """Tell which memories somebody has deleted: they are not to come back."""
        return await self.store.forgotten.among(memory_ids)

    async def known(self, identities: Sequence[str]) -> set[str]:
        """Tell what is said already, in the same place."""
        now_ms = time.time_ns() // 1_000_000
        return set(await self.store.life.identical(identities, now_ms)) if identities else set()

    async def write(self, prepared: Sequence[Prepared], stale: Sequence[str]) -> int:
        """Write what is missing, then remove what it replaces; return how many were written."""
        async with locked(self.lock):
            present = await self.store.intake.present([each.memory.id for each in prepared])
            new = [each for each in prepared if not present.get(each.memory.id)]
            for unfinished in (each.memory.id for each in new if each.memory.id in present):
                await self.store.remove(unfinished)
            for group in _groups(new):
                await self._write(group)
            for memory_id in stale:
                await self.store.remove(memory_id)
        if self.index.is_ready:
            await self.index.catch_up()
        for each in new:
            self.graph.notice(each.memory.id)
        return len(new)

    async def _write(self, group: Sequence[Prepared]) -> None:
        first = group[0]
        if len(first.chunks) > _CHUNKS_PER_WRITE:
            await self.store.add(first.memory, first.chunks)
        else:
            await self.store.add_many([(each.memory, each.chunks) for each in group])


class Stream:
    """Batches on their way into the store, in order; `settle` waits for the last."""

    def __init__(self, storing: Storing) -> None:
        self._storing = storing
        self._writing: asyncio.Task[None] | None = None

    async def put(
        self,
        drafts: Sequence[Draft],
        then: Callable[[int], Awaitable[None]],
        stale: Sequence[str] = (),
    ) -> None:
        """Embed a batch, and write it while the next one is embedded.

        `then` hears how many were written; `stale` are ids of what they replace.
        """
        prepared = await self._storing.writer.prepare_many(drafts)
        await self.settle()
        self._writing = asyncio.create_task(self._write(prepared, then, stale))

    async def settle(self) -> None:
        """Wait until everything is written."""
        if self._writing is not None:
            # Whoever gives up must not leave half of a batch.
            await asyncio.shield(self._writing)
            self._writing = None

    async def give_up(self) -> None:
        """Let the batch that is being written come to its end, and forget the rest."""
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)

    async def _write(
        self,
        prepared: Sequence[Prepared],
        then: Callable[[int], Awaitable[None]],
        stale: Sequence[str],
    ) -> None:
        await then(await self._storing.write(prepared, stale))


def _groups(prepared: Sequence[Prepared]) -> Iterator[list[Prepared]]:
    """Put small memories together, in order; a large one is written alone."""
    group: list[Prepared] = []
    chunks = 0
    for each in prepared:
        if group and chunks + len(each.chunks) > _CHUNKS_PER_WRITE:
            yield group
            group, chunks = [], 0
        group.append(each)
        chunks += len(each.chunks)
    if group:
        yield group
