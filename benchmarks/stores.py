"""Fill stores with many memories quickly: real texts and terms, vectors mixed from real ones."""

from __future__ import annotations

import itertools
import uuid
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


async def open_store(folder: Path, graph_name: str) -> Store:
    """Open a store of the built-in model."""
    store = Store(EmbeddedAddress(folder), Keyspace(graph_name))
    await store.open()
    await store.claim(EmbeddingStamp(MODEL_ID, DIMENSION))
    return store


async def fill(store: Store, count: int, model: BuiltinModel) -> None:
    """Add `count` memories of one chunk each."""
    chance = np.random.default_rng(0)
    real = model.encode(list(memories(_REAL_VECTORS)), "passage")
    for texts in itertools.batched(memories(count), _BATCH):
        pairs = real[chance.integers(0, _REAL_VECTORS, (2, len(texts)))]
        noise = chance.normal(0, 0.01, (len(texts), DIMENSION))
        mixed = (pairs.sum(axis=0) / 2 + noise).astype(np.float32)
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        await store.add_many([record(t, v) for t, v in zip(texts, mixed, strict=True)])


def record(text: str, vector: Vector) -> tuple[MemoryRecord, list[ChunkRecord]]:
    """Make a memory of one chunk."""
    memory = MemoryRecord(uuid.uuid4().hex, text, 0, 0, "bench", (), "{}")
    terms = " ".join(tokenize(text))
    return memory, [ChunkRecord(uuid.uuid4().hex, 0, 0, len(text), text, terms, vector)]
