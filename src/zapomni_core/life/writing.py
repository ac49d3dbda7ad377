"""Turn a text and its metadata into the rows that are stored."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from zapomni_core.chunking import is_code
from zapomni_core.embedding.protocol import Embedder, Vectors
from zapomni_core.jobs import Progress
from zapomni_core.life.identity import identity_of
from zapomni_core.preparation import PreparedChunk, chunk_limits, prepare_chunks
from zapomni_core.setting import Setting, setting_of
from zapomni_core.validation import ParsedMetadata
from zapomni_db import ChunkRecord, IndexEntry, MemoryRecord

__all__ = ["Draft", "Prepared", "Writer"]

# Many short texts at once, as texts of like length are embedded together; few long ones, so that
# a long document can be cancelled and shows progress.
_TEXTS_PER_STEP = 512
_CHARS_PER_STEP = 64_000
_LEAST_REPORTED = 64


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that is to be stored, when it was said, and when it is to be forgotten."""

    memory_id: str
    text: str
    metadata: ParsedMetadata
    created_ms: int
    said_ms: int
    expires_ms: int | None

    @classmethod
    def of(cls, memory_id: str, text: str, metadata: ParsedMetadata) -> Draft:
        """Store a text now."""
        now_ms = time.time_ns() // 1_000_000
        said_ms = now_ms if metadata.timestamp_ms is None else metadata.timestamp_ms
        return cls(memory_id, text, metadata, now_ms, said_ms, metadata.expiry_ms(now_ms))


@dataclass(frozen=True, slots=True)
class Prepared:
    """A memory with its chunks, ready to be stored."""

    memory: MemoryRecord
    chunks: tuple[ChunkRecord, ...]

    def entries(self) -> list[IndexEntry]:
        """Say what the word index needs to know."""
        return [_entry(self.memory, chunk) for chunk in self.chunks]


class Writer:
    """Cuts texts into chunks and embeds them."""

    def __init__(self, embedder: Embedder, executor: Executor) -> None:
        self._embedder = embedder
        self._executor = executor
        self._limits = chunk_limits(embedder.max_tokens)

    async def prepare(self, draft: Draft, progress: Progress | None = None) -> Prepared:
        """Do all that comes before the store."""
        return (await self.prepare_many([draft], progress))[0]

    async def prepare_many(
        self, drafts: Sequence[Draft], progress: Progress | None = None
    ) -> list[Prepared]:
        """Do all that comes before the store for several texts; they are embedded together."""
        if not drafts:
            return []
        divided = await asyncio.get_running_loop().run_in_executor(
            self._executor, lambda: [self._divided(draft) for draft in drafts]
        )
        pieces = [piece for _, of_one in divided for piece in of_one]
        vectors = iter(await self._embed(pieces, progress))
        return [
            Prepared(memory, tuple(_chunk(i, p, next(vectors)) for i, p in enumerate(of_one)))
            for memory, of_one in divided
        ]

    def _divided(self, draft: Draft) -> tuple[MemoryRecord, list[PreparedChunk]]:
        metadata = draft.metadata
        setting = setting_of(draft.text, metadata, draft.said_ms)
        pieces = prepare_chunks(
            draft.text, self._embedder.count_tokens, self._limits, metadata.language, setting
        )
        memory = _record(draft, setting)
        if len(pieces) > 1 and not memory.thread:
            memory = replace(memory, thread=memory.id)  # its chunks follow each other
        return memory, pieces

    async def _embed(self, pieces: Sequence[PreparedChunk], progress: Progress | None) -> Vectors:
        steps: list[Vectors] = []
        done = 0
        for texts in _steps(pieces):
            steps.append(await self._embedder.embed(texts, "passage"))
            done += len(texts)
            if progress is not None and len(pieces) > _LEAST_REPORTED:
                await progress(done, len(pieces))
        return np.concatenate(steps)


def _steps(pieces: Sequence[PreparedChunk]) -> Iterator[list[str]]:
    step: list[str] = []
    chars = 0
    for piece in pieces:
        step.append(piece.embedded)
        chars += len(piece.embedded)
        if len(step) == _TEXTS_PER_STEP or chars >= _CHARS_PER_STEP:
            yield step
            step, chars = [], 0
    if step:
        yield step


def _record(draft: Draft, setting: Setting) -> MemoryRecord:
    metadata = draft.metadata
    return MemoryRecord(
        id=draft.memory_id,
        text=draft.text,
        created_ms=draft.created_ms,
        timestamp_ms=draft.said_ms,
        source=metadata.source,
        tags=metadata.tags,
        metadata_json=metadata.json,
        thread=setting.thread,
        place=setting.place,
        speaker=setting.speaker,
        is_code=is_code(draft.text, metadata.language),
        identity=identity_of(draft.text, metadata),
        expires_ms=draft.expires_ms,
        is_pinned=metadata.is_pinned,
    )


def _chunk(index: int, piece: PreparedChunk, vector: Vectors) -> ChunkRecord:
    return ChunkRecord(
        uuid.uuid4().hex, index, piece.start, piece.end, piece.text, piece.terms, vector
    )


def _entry(memory: MemoryRecord, chunk: ChunkRecord) -> IndexEntry:
    return IndexEntry(
        chunk_id=chunk.id,
        memory_id=memory.id,
        terms=chunk.terms,
        timestamp_ms=memory.timestamp_ms,
        source=memory.source,
        tags=memory.tags,
        thread=memory.thread,
        place=memory.place,
        speaker=memory.speaker,
        is_code=memory.is_code,
        created_ms=memory.created_ms,
        expires_ms=0 if memory.is_pinned else memory.expires_ms or 0,
        is_head=chunk.index == 0,
    )
