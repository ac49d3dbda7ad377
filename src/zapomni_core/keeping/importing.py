"""Bring the memories of an export into a store; what is there already is left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from zapomni_core.chunking import is_code
from zapomni_core.embedding.protocol import Embedder
from zapomni_core.jobs import Progress
from zapomni_core.keeping.lines import ReadMemory, fresh_chunk_id
from zapomni_core.keeping.reading import Contents, read_export, verify_export
from zapomni_core.life.identity import identity_of
from zapomni_core.preparation import PreparedChunk, chunk_limits, prepare_chunks
from zapomni_core.retrieval.terms import document_terms
from zapomni_core.setting import setting_of
from zapomni_db import ChunkRecord, EmbeddingStamp, Vector
from zapomni_db.told import knowledge_of
from zapomni_db.transfer import ChunkPlace, NewMemory, Transfer

__all__ = ["Imported", "import_export"]

# Texts of like length are embedded together: the more there are, the less is padded.
_MEMORIES_AT_ONCE = 512
_CHARS_AT_ONCE = 500_000
_TEXTS_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did, or would do: memories added, and those that were there already."""

    memories: int
    added: int
    present: int
    embedded: int
    kept_facts: int
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class _Prepared:
    read: ReadMemory
    pieces: tuple[tuple[ChunkPlace, PreparedChunk], ...]


async def import_export(
    path: Path,
    transfer: Transfer,
    embedder: Embedder,
    executor: Executor,
    *,
    is_dry_run: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Verify the whole file, then add what is missing; running it again goes on where it was."""
    loop = asyncio.get_running_loop()
    contents = await loop.run_in_executor(executor, verify_export, path)
    work = _Import(path, contents, transfer, embedder, executor)
    return await (work.rehearse() if is_dry_run else work.run(progress))


class _Import:
    def __init__(
        self,
        path: Path,
        contents: Contents,
        transfer: Transfer,
        embedder: Embedder,
        executor: Executor,
    ) -> None:
        self._path = path
        self._contents = contents
        self._transfer = transfer
        self._embedder = embedder
        self._executor = executor
        self._limits = chunk_limits(embedder.max_tokens)
        self._added = self._present = self._embedded = 0

    async def rehearse(self) -> Imported:
        for batch in _batches(read_export(self._path, None)):
            known = await self._transfer.present([read.memory.id for read in batch])
            self._present += len(known)
            self._added += len(batch) - len(known)
        return self._result(is_dry_run=True)

    async def run(self, progress: Progress | None) -> Imported:
        stamp = EmbeddingStamp(self._embedder.model_id, await self._embedder.dimension())
        await self._transfer.claim(stamp)
        has_vectors = self._contents.header.has_vectors and self._contents.header.stamp == stamp
        memories = read_export(self._path, stamp.dimension if has_vectors else None)
        writing: asyncio.Task[None] | None = None
        try:
            for batch in _batches(memories):
                new = await self._prepare(batch)
                if writing is not None:
                    await writing
                # Written while the next ones are embedded.
                writing = asyncio.create_task(self._write(batch, new))
                if progress is not None:
                    await progress(self._added + self._present, self._contents.memories)
            if writing is not None:
                await writing
        finally:
            if writing is not None:
                writing.cancel()
        await self._transfer.keep(self._contents.kept_facts)
        return self._result()

    async def _prepare(self, batch: Sequence[ReadMemory]) -> list[NewMemory]:
        known = await self._transfer.present([read.memory.id for read in batch])
        loop = asyncio.get_running_loop()
        missing = [read for read in batch if read.memory.id not in known]
        await self._transfer.discard_unfinished([read.memory.id for read in missing])
        prepared = await loop.run_in_executor(
            self._executor, lambda: [self._divided(read) for read in missing]
        )
        vectors = await self._vectors(prepared)
        untold = [read for read in batch if known.get(read.memory.id) is False and read.told]
        await self._tell(untold)
        self._present += len(known)
        return [_new(each, vectors) for each in prepared]

    async def _write(self, batch: Sequence[ReadMemory], new: Sequence[NewMemory]) -> None:
        await self._transfer.add(new)
        written = {one.memory.id for one in new}
        await self._tell([read for read in batch if read.memory.id in written and read.told])
        self._added += len(new)

    async def _tell(self, memories: Sequence[ReadMemory]) -> None:
        said = [knowledge_of(one.memory.id, one.told) for one in memories if one.told]
        if said:
            await self._transfer.tell(said)

    async def _vectors(self, prepared: Sequence[_Prepared]) -> dict[str, Vector]:
        wanted = [
            (place.id, piece.embedded)
            for each in prepared
            for place, piece in each.pieces
            if place.vector is None
        ]
        found: dict[str, Vector] = {}
        for first in range(0, len(wanted), _TEXTS_AT_ONCE):
            some = wanted[first : first + _TEXTS_AT_ONCE]
            rows = await self._embedder.embed([text for _, text in some], "passage")
            found |= {
                chunk_id: np.asarray(row, np.float32)
                for (chunk_id, _), row in zip(some, rows, strict=True)
            }
        self._embedded += len(wanted)
        return found

    def _divided(self, read: ReadMemory) -> _Prepared:
        memory = read.memory
        setting = setting_of(memory.text, read.metadata, memory.timestamp_ms)
        if read.chunks:
            places = read.chunks
            pieces = [
                PreparedChunk(
                    start=place.start,
                    end=place.end,
                    text=part,
                    terms=" ".join(document_terms(setting.to_index(part))),
                    embedded=setting.to_embed(part, place.start),
                )
                for place in places
                for part in (memory.text[place.start : place.end],)
            ]
        else:
            pieces = prepare_chunks(
                memory.text,
                self._embedder.count_tokens,
                self._limits,
                read.metadata.language,
                setting,
            )
            places = tuple(
                ChunkPlace(fresh_chunk_id(memory.id, index), piece.start, piece.end)
                for index, piece in enumerate(pieces)
            )
        if not read.has_setting:
            thread = setting.thread or (memory.id if len(pieces) > 1 else "")
            memory = replace(
                memory,
                thread=thread,
                place=setting.place,
                speaker=setting.speaker,
                is_code=is_code(memory.text, read.metadata.language),
                identity=memory.identity or identity_of(memory.text, read.metadata),
            )
            read = replace(read, memory=memory)
        return _Prepared(read, tuple(zip(places, pieces, strict=True)))

    def _result(self, *, is_dry_run: bool = False) -> Imported:
        return Imported(
            memories=self._contents.memories,
            added=self._added,
            present=self._present,
            embedded=self._embedded,
            kept_facts=len(self._contents.kept_facts),
            is_dry_run=is_dry_run,
        )


def _new(prepared: _Prepared, vectors: dict[str, Vector]) -> NewMemory:
    read = prepared.read
    chunks = [
        ChunkRecord(
            place.id,
            index,
            piece.start,
            piece.end,
            piece.text,
            piece.terms,
            vectors[place.id] if place.vector is None else place.vector,
        )
        for index, (place, piece) in enumerate(prepared.pieces)
    ]
    return NewMemory(read.memory, chunks, read.more, read.versions)


def _batches(memories: Iterable[ReadMemory]) -> Iterator[list[ReadMemory]]:
    batch: list[ReadMemory] = []
    chars = 0
    for read in memories:
        batch.append(read)
        chars += len(read.memory.text)
        if len(batch) == _MEMORIES_AT_ONCE or chars > _CHARS_AT_ONCE:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch
