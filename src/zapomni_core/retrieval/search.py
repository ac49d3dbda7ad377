"""Hybrid search: nearest vectors and best words, joined, filtered exactly, one hit per memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from zapomni_core.retrieval.fusion import SimilarityScale, fuse
from zapomni_core.retrieval.index import WordIndex
from zapomni_core.retrieval.lexicon import Filters, Lexicon
from zapomni_core.retrieval.terms import query_terms
from zapomni_db import HitRecord, Store, Vector

__all__ = ["Hit", "Question", "Searcher"]

_LEAST_CANDIDATES = 50
# Up to here it is cheaper to compare every allowed chunk than to search around the others.
_COMPARE_ALL = 2_000


@dataclass(frozen=True, slots=True)
class Hit:
    """A found chunk and its score in 0..1."""

    record: HitRecord
    score: float


@dataclass(frozen=True, slots=True)
class Question:
    """A query and what its words alone have found."""

    text: str
    terms: list[str]
    limit: int
    filters: Filters
    worded: list[str]

    @property
    def depth(self) -> int:
        """How many candidates each leg brings."""
        return max(_LEAST_CANDIDATES, 4 * self.limit)


@dataclass(frozen=True, slots=True)
class _Candidates:
    chunk_ids: list[str]
    memory_ids: list[str]
    words: NDArray[np.float32]
    best_words: float


class Searcher:
    """Searches one store with the help of its word index."""

    def __init__(self, store: Store, index: WordIndex, scale: SimilarityScale) -> None:
        self._store = store
        self._index = index
        self._scale = scale

    async def ask(self, query: str, limit: int, filters: Filters) -> Question:
        """Search by words: the part that needs no vector and can run while it is made."""
        await self._index.catch_up()
        question = Question(query, query_terms(query), limit, filters, [])
        return replace(
            question, worded=await self._index.read(partial(_worded, question=question))
        )

    async def answer(self, question: Question, vector: Vector) -> list[Hit]:
        """Search by vector too and rank; one hit per memory unless there are too few memories."""
        similarities = await self._similarities(question, vector)
        found = await self._index.read(
            lambda lexicon: _candidates(lexicon, question.terms, list(similarities))
        )
        if not found.chunk_ids:
            return []
        near = np.array([similarities[chunk_id] for chunk_id in found.chunk_ids], np.float32)
        scores = fuse(near, found.words, found.best_words, self._scale, question.text)
        chosen = _best_of_each_memory(scores, found.memory_ids, question.limit)
        return await self._fetch([(found.chunk_ids[i], float(scores[i])) for i in chosen])

    async def answer_by_vector(self, vector: Vector, limit: int, filters: Filters) -> list[Hit]:
        """Search while the word index is not ready: by vector, filtered afterwards."""
        depth = max(_LEAST_CANDIDATES, 4 * limit) * (1 if filters.is_empty else 10)
        similarities = await self._store.nearest(vector, depth)
        records = await self._store.hits(list(similarities))
        hits = [
            Hit(record, self._scale.confidence(similarities[record.chunk_id]))
            for record in records
            if _matches(record, filters)
        ]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    async def _similarities(self, question: Question, vector: Vector) -> dict[str, float]:
        """Compare the query with the nearest chunks that are allowed, and the worded ones."""
        if question.filters.is_empty:
            return await self._store.nearest(vector, question.depth, question.worded)
        look = partial(_few_allowed, filters=question.filters)
        if (allowed := await self._index.read(look)) is not None:
            return await self._store.similarities(vector, allowed)
        return await self._nearest_allowed(question, vector)

    async def _nearest_allowed(self, question: Question, vector: Vector) -> dict[str, float]:
        count, size = question.depth, await self._index.read(len)
        while True:
            found = await self._store.nearest(vector, count, question.worded)
            look = partial(_only, chunk_ids=list(found), filters=question.filters)
            allowed = await self._index.read(look)
            if len(allowed) >= question.depth + len(question.worded) or count >= size:
                return {chunk_id: found[chunk_id] for chunk_id in allowed}
            count = min(size, count * 4)

    async def _fetch(self, scored: Sequence[tuple[str, float]]) -> list[Hit]:
        records = {r.chunk_id: r for r in await self._store.hits([i for i, _ in scored])}
        return [Hit(records[i], score) for i, score in scored if i in records]


def _worded(lexicon: Lexicon, question: Question) -> list[str]:
    mask = None if question.filters.is_empty else lexicon.mask(question.filters)
    return lexicon.chunk_ids(lexicon.search(question.terms, question.depth, mask).rows)


def _candidates(lexicon: Lexicon, terms: Sequence[str], chunk_ids: Sequence[str]) -> _Candidates:
    rows = lexicon.rows_of(chunk_ids)
    rows = np.sort(rows[rows >= 0])
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
