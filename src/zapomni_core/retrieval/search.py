"""Hybrid search: nearest vectors and best words, ranked together, one hit per memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

import numpy as np

from zapomni_core.embedding import CrossEncoder
from zapomni_core.models import moment_of
from zapomni_core.retrieval.index import WordIndex
from zapomni_core.retrieval.lexicon import Filters, Lexicon
from zapomni_core.retrieval.periods import Event, mentioned_event, mentioned_period
from zapomni_core.retrieval.ranking import Question, Ranked, rank
from zapomni_core.retrieval.recipe import Recipe
from zapomni_core.retrieval.terms import query_terms
from zapomni_db import HitRecord, Store, Vector

__all__ = ["Hit", "Searcher"]

# Up to here it is cheaper to compare every allowed chunk than to search around the others.
_COMPARE_ALL = 2_000
# Texts that may tell when something happened, and how close they must come to the best of them.
_SPEAKING_OF_IT, _ALL_WORDS = 20, 0.6
# Reading a pair costs as much as embedding both: more candidates only take longer.
_MOST_JUDGED = 50


@dataclass(frozen=True, slots=True)
class Hit:
    """A found chunk, how likely it answers the question, and why it was found.

    `judged` is what a cross-encoder says of it, where there is one.
    """

    record: HitRecord
    score: float
    ranked: Ranked | None = None
    judged: float | None = None


class Searcher:
    """Searches one store with the help of its word index."""

    def __init__(
        self, store: Store, index: WordIndex, recipe: Recipe, judge: CrossEncoder | None = None
    ) -> None:
        self._store = store
        self._index = index
        self._recipe = recipe
        self._judge = judge

    async def ask(self, query: str, limit: int, filters: Filters) -> Question:
        """Search by words: the part that needs no vector and can run while it is made."""
        await self._index.catch_up()
        latest_ms = await self._index.read(lambda lexicon: lexicon.latest_ms)
        period = mentioned_period(query, _reference(latest_ms))
        if period is None and (event := mentioned_event(query)) is not None:
            happened_ms = await self._index.read(partial(_happened_ms, event=event))
            period = None if happened_ms is None else event.period(happened_ms)
        limit = max(limit, _MOST_JUDGED) if self._judge else limit
        question = Question(query, query_terms(query), limit, filters, period, ())
        return replace(
            question, worded=await self._index.read(partial(_worded, question=question))
        )

    async def answer(
        self, question: Question, vector: Vector, named: Mapping[str, float]
    ) -> list[Hit]:
        """Search by vector too, and rank; `named` are chunks that name the same things."""
        similarities = await self._similarities(question, vector)
        ranked = await self._index.read(
            lambda lexicon: rank(lexicon, question, similarities, named, self._recipe)
        )
        found = await self._store.hits([one.chunk_id for one in ranked]) if ranked else []
        records = {record.chunk_id: record for record in found}
        hits = [
            Hit(records[one.chunk_id], one.score, one) for one in ranked if one.chunk_id in records
        ]
        return await self._judged(question.text, hits)

    async def _judged(self, query: str, hits: list[Hit]) -> list[Hit]:
        """Let the cross-encoder have as much of a say as the ranking, and no more."""
        if self._judge is None or not hits:
            return hits
        first, rest = hits[:_MOST_JUDGED], hits[_MOST_JUDGED:]
        judgements = await self._judge.judge(query, [hit.record.text for hit in first])
        both = [
            replace(hit, score=(hit.score + judged) / 2, judged=judged)
            for hit, judged in zip(first, judgements, strict=True)
        ]
        return sorted(both, key=lambda hit: -hit.score) + rest

    async def answer_by_vector(self, vector: Vector, limit: int, filters: Filters) -> list[Hit]:
        """Search while the word index is not ready: by vector, filtered afterwards."""
        depth = Question.depth_for(limit) * (1 if filters.is_empty else 10)
        similarities = await self._store.nearest(vector, depth)
        records = await self._store.hits(list(similarities))
        hits = [
            Hit(record, self._recipe.confidence.by_vector(similarities[record.chunk_id]))
            for record in records
            if _matches(record, filters)
        ]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def is_confident(self, hits: Sequence[Hit]) -> bool:
        """Tell whether anything that is stored is likely to answer the question."""
        ranked = next((hit.ranked for hit in hits if hit.ranked is not None), None)
        return ranked is not None and self._recipe.confidence.is_enough(ranked.signs)

    async def _similarities(self, question: Question, vector: Vector) -> dict[str, float]:
        """Compare the query with the nearest chunks that are allowed."""
        if question.filters.is_empty:
            return await self._store.nearest(vector, question.depth)
        look = partial(_few_allowed, filters=question.filters)
        if (allowed := await self._index.read(look)) is not None:
            return await self._store.similarities(vector, allowed)
        return await self._nearest_allowed(question, vector)

    async def _nearest_allowed(self, question: Question, vector: Vector) -> dict[str, float]:
        count, size = question.depth, await self._index.read(len)
        while True:
            found = await self._store.nearest(vector, count)
            look = partial(_only, chunk_ids=list(found), filters=question.filters)
            allowed = await self._index.read(look)
            if len(allowed) >= question.depth or count >= size:
                return {chunk_id: found[chunk_id] for chunk_id in allowed}
            count = min(size, count * 4)


def _reference(latest_ms: int | None) -> datetime:
    """Return the day from which "last week" counts: today, or the end of what is remembered.

    Who asks an archive about June means the last June that it knows.
    """
    now = datetime.now(UTC)
    if latest_ms is None or latest_ms >= now.timestamp() * 1000:
        return now
    return moment_of(latest_ms)


def _worded(lexicon: Lexicon, question: Question) -> list[str]:
    mask = None if question.filters.is_empty else lexicon.mask(question.filters)
    return lexicon.chunk_ids(lexicon.search(question.terms, question.depth, mask).rows)


def _happened_ms(lexicon: Lexicon, event: Event) -> int | None:
    """Return when an event was first spoken of, by a text that has every word of it."""
    terms = query_terms(event.words)
    found = lexicon.search(terms, _SPEAKING_OF_IT)
    if not terms or not len(found.rows):
        return None
    scores = lexicon.scores_of(terms, found.rows)
    telling = found.rows[scores >= _ALL_WORDS * scores.max()]
    has_every_word = all(lexicon.scores_of([term], telling).all() for term in terms)
    return int(lexicon.timestamps(telling).min()) if has_every_word else None


def _few_allowed(lexicon: Lexicon, filters: Filters) -> list[str] | None:
    rows = np.flatnonzero(lexicon.mask(filters))
    return lexicon.chunk_ids(rows) if rows.size <= _COMPARE_ALL else None


def _only(lexicon: Lexicon, chunk_ids: Sequence[str], filters: Filters) -> list[str]:
    rows, mask = lexicon.rows_of(chunk_ids), lexicon.mask(filters)
    return [i for i, row in zip(chunk_ids, rows.tolist(), strict=True) if row >= 0 and mask[row]]


def _matches(record: HitRecord, filters: Filters) -> bool:
    return (
        filters.tags <= set(record.tags)
        and filters.source in (None, record.source)
        and (filters.from_ms is None or record.timestamp_ms >= filters.from_ms)
        and (filters.to_ms is None or record.timestamp_ms <= filters.to_ms)
    )
