"""Memories to store, and stores to keep them in."""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np

from zapomni_db import (
    Address,
    ChunkRecord,
    EmbeddingStamp,
    Keyspace,
    MemoryRecord,
    Store,
    Vector,
)

STAMP = EmbeddingStamp("test-model", 8)
NOW_MS = 1_790_000_000_000

type Sample = tuple[MemoryRecord, list[ChunkRecord]]


def unit_vector() -> Vector:
    numbers = np.array([random.gauss() for _ in range(STAMP.dimension)], np.float32)
    return np.asarray(numbers / np.linalg.norm(numbers), np.float32)


def sample(
    text: str = "ash and elm",
    *,
    chunks: int = 1,
    created_ms: int = NOW_MS,
    source: str = "notes",
    tags: tuple[str, ...] = (),
    metadata_json: str = "{}",
) -> Sample:
    """Make a memory with fresh ids, cut into chunks that repeat its text."""
    memory = MemoryRecord(uuid.uuid4().hex, text, created_ms, NOW_MS, source, tags, metadata_json)
    return memory, [
        ChunkRecord(uuid.uuid4().hex, index, 0, len(text), text, f"term{index}", unit_vector())
        for index in range(chunks)
    ]


def fresh_keyspace() -> Keyspace:
    return Keyspace(f"test-{uuid.uuid4().hex}")


@asynccontextmanager
async def opened(address: Address, keyspace: Keyspace) -> AsyncIterator[Store]:
    """Open a store for the length of a block."""
    store = Store(address, keyspace)
    await store.open()
    try:
        await store.claim(STAMP)
        yield store
    finally:
        await store.close()
