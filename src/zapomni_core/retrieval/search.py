"""Hybrid search: nearest vectors and best words, joined, filtered exactly, one hit per memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from zapomni_core.retrieval.fusion import SimilarityScale, fuse
from zapomni_core.retrieval.index import WordIndex
from zapomni_core.retrieval.lexicon import Filters, Lexicon
from zapomni_core.retrieval.terms import query_terms
from zapomni_db import HitRecord, Store, Vector

__all__ = ["Hit", "Searcher"]

_LEAST_CANDIDATES = 50
# Up to here it is cheaper to compare every allowed chunk than to search around the others.
_COMPARE_ALL = 2_000


@dataclass(frozen=True, slots=True)
class Hit:
    """A found chunk and its score in 0..1."""

    record: HitRecord
    score: float


@dataclass(frozen=True, slots=True)
class _Candidates:
    chunk_ids: list[str]
    memory_ids: list[str]
    words: NDArray[np.float32]
    best_words: float

    def only(self, places: list[int]) -> _Candidates:
        chunk_ids = [self.chunk_ids[place] for place in places]
        memory_ids = [self.memory_ids[place] for place in places]
        return _Candidates(chunk_ids, memory_ids, self.words[places], self.best_words)


class Searcher:
    """Searches one store with the help of its word index."""

    def __init__(self, store: Store, index: WordIndex, scale: SimilarityScale) -> None:
        self._store = store
        self._index = index
        self._scale = scale

    async def search(self, query: str, vector: Vector, limit: int, filters: Filters) -> list[Hit]:
        """Find the best chunks, at most one per memory unless there are too few memories."""
        depth = max(_LEAST_CANDIDATES, 4 * limit)
        neighbours, changes = await self._store.nearest(vector, depth, self._index.position)
        await self._index.follow(changes)
        near = [neighbour.chunk_id for neighbour in neighbours]
        if not filters.is_empty:
            near = await self._near_allowed(vector, near, filters, depth)
        terms = query_terms(query)
        candidates = await self._index.read(
            lambda lexicon: _candidates(lexicon, terms, near, filters, depth)
        )
        return await self._ranked(candidates, vector, limit) if candidates.chunk_ids else []

    async def search_vectors_only(self, vector: Vector, limit: int, filters: Filters) -> list[Hit]:
        """Search while the word index is not ready: by vector, filtered afterwards."""
        depth = max(_LEAST_CANDIDATES, 4 * limit) * (1 if filters.is_empty else 10)
        neighbours, _ = await self._store.nearest(vector, depth, self._index.position)
        scores = {n.chunk_id: self._scale.confidence(n.similarity) for n in neighbours}
        records = [r for r in await self._store.hits(list(scores)) if _matches(r, filters)]
        hits = [Hit(record, scores[record.chunk_id]) for record in records]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    async def _near_allowed(
        self, vector: Vector, near: list[str], filters: Filters, depth: int
    ) -> list[str]:
        """Find the nearest among the allowed chunks: all of them if they are few."""
        allowed = await self._index.read(lambda lexicon: _few_allowed(lexicon, filters))
        if allowed is not None:
            return allowed
        count, size = depth, await self._index.read(len)
        near = await self._index.read(partial(_only, chunk_ids=near, filters=filters))
        while len(near) < depth and count < size:
            count = min(size, count * 4)
            neighbours, _ = await self._store.nearest(vector, count, self._index.position)
            wider = [neighbour.chunk_id for neighbour in neighbours]
            near = await self._index.read(partial(_only, chunk_ids=wider, filters=filters))
        return near[:depth]

    async def _ranked(self, found: _Candidates, vector: Vector, limit: int) -> list[Hit]:
        exact = {
            n.chunk_id: n.similarity
            for n in await self._store.similarities(vector, found.chunk_ids)
        }
        found = found.only([i for i, chunk_id in enumerate(found.chunk_ids) if chunk_id in exact])
        if not found.chunk_ids:
            return []
        similarities = np.array([exact[chunk_id] for chunk_id in found.chunk_ids], np.float32)
        scores = fuse(similarities, found.words, found.best_words, self._scale)
        chosen = _best_of_each_memory(scores, found.memory_ids, limit)
        return await self._fetch([(found.chunk_ids[i], float(scores[i])) for i in chosen])

    async def _fetch(self, scored: Sequence[tuple[str, float]]) -> list[Hit]:
        records = {r.chunk_id: r for r in await self._store.hits([i for i, _ in scored])}
        return [Hit(records[i], score) for i, score in scored if i in records]


def _candidates(
    lexicon: Lexicon, terms: Sequence[str], near: Sequence[str], filters: Filters, depth: int
) -> _Candidates:
    mask = None if filters.is_empty else lexicon.mask(filters)
    near_rows = lexicon.rows_of(near)
    rows = np.union1d(near_rows[near_rows >= 0], lexicon.search(terms, depth, mask).rows)
    return _Candidates(
        lexicon.chunk_ids(rows),
        lexicon.memory_ids(rows),
        lexicon.scores_of(terms, rows),
        lexicon.best_possible(terms),
    )


def _few_allowed(lexicon: Lexicon, filters: Filters) -> list[str] | None:
    rows = np.flatnonzero(lexicon.mask(filters))
    return lexicon.chunk_ids(rows) if rows.size <= _COMPARE_ALL else None


def _only(lexicon: Lexicon, chunk_ids: Sequence[str], filters: Filters) -> list[str]:
    rows, mask = lexicon.rows_of(chunk_ids), lexicon.mask(filters)
    return [i for i, row in zip(chunk_ids, rows.tolist(), strict=True) if row >= 0 and mask[row]]


def _best_of_each_memory(
    scores: NDArray[np.float32], memory_ids: Sequence[str], limit: int
) -> list[int]:
    order = np.argsort(-scores, kind="stable").tolist()
    first_of: dict[str, int] = {}
    for place in order:
        first_of.setdefault(memory_ids[place], place)
    chosen = list(first_of.values())[:limit]
    if len(chosen) < limit:
        taken = set(chosen)
        chosen += [place for place in order if place not in taken][: limit - len(chosen)]
    return sorted(chosen, key=lambda place: (-scores[place], place))


def _matches(record: HitRecord, filters: Filters) -> bool:
    return (
        filters.tags <= set(record.tags)
        and filters.source in (None, record.source)
        and (filters.from_ms is None or record.timestamp_ms >= filters.from_ms)
        and (filters.to_ms is None or record.timestamp_ms <= filters.to_ms)
    )
