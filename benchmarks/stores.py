"""Fill stores with many memories quickly: real texts and terms, vectors mixed from real ones."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from zapomni_model_small import DIMENSION, MODEL_ID

from benchmarks.corpus import memories
from zapomni_core.embedding.builtin import BuiltinModel
from zapomni_core.retrieval.terms import tokenize
from zapomni_db import (
    ChunkRecord,
    EmbeddedAddress,
    EmbeddingStamp,
    Keyspace,
    MemoryRecord,
    Store,
    Vector,
)

__all__ = ["fill", "open_store", "record"]

_REAL_VECTORS = 400
_BATCH = 50
# A memory a minute from here on.
_BEGINNING_MS = 1_600_000_000_000


async def open_store(folder: Path, graph_name: str) -> Store:
    """Open a store of the built-in model."""
    store = Store(EmbeddedAddress(folder), Keyspace(graph_name))
    await store.open()
    await store.claim(EmbeddingStamp(MODEL_ID, DIMENSION))
    return store


async def fill(store: Store, texts: Iterable[str], model: BuiltinModel) -> None:
    """Add memories of one chunk each."""
    chance = np.random.default_rng(0)
    real = model.encode(list(memories(_REAL_VECTORS)), "passage")
    minute = itertools.count(_BEGINNING_MS, 60_000)
    for some in itertools.batched(texts, _BATCH):
        pairs = real[chance.integers(0, _REAL_VECTORS, (2, len(some)))]
        noise = chance.normal(0, 0.01, (len(some), DIMENSION))
        mixed = (pairs.sum(axis=0) / 2 + noise).astype(np.float32)
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        given = zip(some, mixed, minute, strict=False)
        await store.add_many([record(text, vector, at) for text, vector, at in given])


def record(
    text: str, vector: Vector, at_ms: int = _BEGINNING_MS
) -> tuple[MemoryRecord, list[ChunkRecord]]:
    """Make a memory of one chunk."""
    memory = MemoryRecord(uuid.uuid4().hex, text, at_ms, at_ms, "bench", (), "{}")
    terms = " ".join(tokenize(text))
    return memory, [ChunkRecord(uuid.uuid4().hex, 0, 0, len(text), text, terms, vector)]
