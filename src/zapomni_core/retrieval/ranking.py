"""Rank chunks by all that is known: vectors, words, who speaks, when, and what stands around."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from zapomni_core.retrieval.confidence import Signs
from zapomni_core.retrieval.lexicon import Filters, Lexicon
from zapomni_core.retrieval.periods import Period, closeness
from zapomni_core.retrieval.recipe import Recipe
from zapomni_core.retrieval.strands import Strands

__all__ = ["Evidence", "Question", "Ranked", "rank"]

type Scores = NDArray[np.float32]

_LEAST_CANDIDATES = 100
_MARKS = "?!.,;:'\"()"
_FIRST_PERSON = frozenset(("i", "i'm", "i've", "i'd", "me", "my", "mine", "we", "our", "myself"))


@dataclass(frozen=True, slots=True)
class Question:
    """A query, what it was read as, and what its words alone have found."""

    text: str
    terms: Sequence[str]
    limit: int
    filters: Filters
    period: Period | None
    worded: Sequence[str]

    @property
    def depth(self) -> int:
        """How many candidates each leg brings."""
        return self.depth_for(self.limit)

    @staticmethod
    def depth_for(limit: int) -> int:
        """Return how many candidates an answer of this size is chosen from."""
        return max(_LEAST_CANDIDATES, 4 * limit)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a chunk was found: each leg, and what each circumstance added to the score.

    `similarity` and `vector_rank` are None for a chunk that only its words or its surroundings
    brought up.
    """

    similarity: float | None
    vector_rank: int | None
    word_rank: int | None
    word_score: float
    vectors: float
    words: float
    context: float
    speaker: float
    period: float
    named: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk, how likely it answers, why it is here, and the chunks that stand around it."""

    chunk_id: str
    memory_id: str
    score: float
    signs: Signs
    evidence: Evidence
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    similarities: Scores
    word_scores: Scores
    vectors: Scores
    words: Scores
    context: Scores
    speaker: Scores
    period: Scores
    named: Scores

    @classmethod
    def of(
        cls,
        lexicon: Lexicon,
        question: Question,
        strands: Strands,
        near: Scores,
        word_scores: Scores,
        named: Scores,
        recipe: Recipe,
    ) -> Self:
        is_near = ~np.isnan(near)
        code, talk = lexicon.code_share(strands.rows[is_near]), strands.talk_share(is_near)
        weight = recipe.weight(question.text, code, talk) if word_scores.max() > 0 else 1.0
        vectors = weight * _stretched(near, _floor(near, question.depth))
        words = (1.0 - weight) * _stretched(word_scores, 0.0)
        return cls(
            similarities=near,
            word_scores=word_scores,
            vectors=vectors,
            words=words,
            context=strands.gains(vectors + words, recipe.context),
            speaker=_spoken(lexicon, question, strands.rows, recipe),
            period=np.float32(recipe.period) * _timely(lexicon, question.period, strands.rows),
            named=np.float32(recipe.named) * named,
        )

    @property
    def total(self) -> Scores:
        return self.vectors + self.words + self.context + self.speaker + self.period + self.named


def rank(
    lexicon: Lexicon,
    question: Question,
    similarities: Mapping[str, float],
    named: Mapping[str, float],
    recipe: Recipe,
) -> list[Ranked]:
    """Return the best chunks, one of each memory unless there are too few memories."""
    rows = lexicon.rows_of(list(similarities))
    naming_rows = lexicon.rows_of(list(named))
    candidates = np.concatenate([rows, lexicon.rows_of(question.worded), naming_rows])
    strands = lexicon.strands(np.unique(candidates[candidates >= 0]))
    if not len(strands.rows):
        return []
    near = _lined_up(strands, rows, similarities)
    word_scores = lexicon.scores_of(question.terms, strands.rows)
    signs = Signs(
        nearness=float(np.nanmax(near, initial=-1.0)),
        coverage=float(word_scores.max()) / (lexicon.best_possible(question.terms) or 1.0),
    )
    naming = np.nan_to_num(_lined_up(strands, naming_rows, named))
    parts = _Parts.of(lexicon, question, strands, near, word_scores, naming, recipe)
    total = parts.total
    scores = recipe.confidence.of(total, signs)
    is_found = (total > 0) | ~np.isnan(parts.similarities)
    if not question.filters.is_empty:
        is_found &= lexicon.mask(question.filters)[strands.rows]
    chosen = np.array(_chosen(total, is_found, strands.memory_of, question.limit), np.intp)
    places = zip(
        chosen.tolist(),
        lexicon.chunk_ids(strands.rows[chosen]),
        lexicon.memory_ids(strands.rows[chosen]),
        _beside(lexicon, strands, chosen, -1),
        _beside(lexicon, strands, chosen, 1),
        strict=True,
    )
    return [
        Ranked(
            chunk_id=chunk_id,
            memory_id=memory_id,
            score=float(scores[place]),
            signs=signs,
            evidence=_evidence(parts, place),
            before=before,
            after=after,
        )
        for place, chunk_id, memory_id, before, after in places
    ]


def _beside(
    lexicon: Lexicon, strands: Strands, places: NDArray[np.intp], by: int
) -> list[str | None]:
    """Name the chunk before or after each place, if it is of the same thread."""
    there = np.clip(places + by, 0, len(strands.rows) - 1)
    thread_of = strands.thread_of[strands.memory_of]
    is_near = (thread_of[there] == thread_of[places]) & (there != places)
    names = lexicon.chunk_ids(strands.rows[there])
    return [name if near else None for name, near in zip(names, is_near.tolist(), strict=True)]


def _lined_up(strands: Strands, rows: NDArray[np.int64], values: Mapping[str, float]) -> Scores:
    """Line values up with the rows; where there is none, there is not a number."""
    known = np.full(int(max(rows.max(initial=0), strands.rows.max())) + 1, np.nan, np.float32)
    known[rows[rows >= 0]] = np.fromiter(values.values(), np.float32)[rows >= 0]
    return known[strands.rows]


def _floor(near: Scores, depth: int) -> float:
    """Return the similarity of the last of the nearest; what is less near counts nothing."""
    known = near[~np.isnan(near)]
    if len(known) > depth:
        return float(np.partition(known, -depth)[-depth])
    return float(known.min()) if len(known) else 0.0


def _stretched(scores: Scores, floor: float) -> Scores:
    span = float(np.nanmax(scores, initial=floor)) - floor
    if span <= 0:
        return np.where(scores >= max(floor, 1e-9), np.float32(1), np.float32(0))
    return np.asarray(np.clip(np.nan_to_num((scores - floor) / span), 0.0, 1.0), np.float32)


def _spoken(
    lexicon: Lexicon, question: Question, rows: NDArray[np.int64], recipe: Recipe
) -> Scores:
    """Raise what was said by somebody whom the question names, or by the one who asks."""
    words = {word.strip(_MARKS).removesuffix("'s") for word in question.text.casefold().split()}
    heard = dict.fromkeys(words, recipe.speaker)
    if words & _FIRST_PERSON:
        heard["user"] = recipe.asker
    spoken = np.zeros(len(rows), np.float32)
    for name, weight in heard.items():
        # Most words are nobody's name.
        if len(said := lexicon.spoken_by(name)):
            spoken[np.isin(rows, said)] = weight
    return spoken


def _timely(lexicon: Lexicon, period: Period | None, rows: NDArray[np.int64]) -> Scores:
    if period is None:
        return np.zeros(len(rows), np.float32)
    return closeness(period, lexicon.timestamps(rows))


def _chosen(
    scores: Scores, is_found: NDArray[np.bool_], memory_of: NDArray[np.intp], limit: int
) -> list[int]:
    order = np.argsort(-scores, kind="stable")
    order = order[is_found[order]].tolist()
    first_of: dict[int, int] = {}
    for place in order:
        first_of.setdefault(int(memory_of[place]), place)
        if len(first_of) == limit:
            break
    chosen = list(first_of.values())
    if len(chosen) < limit:
        taken = set(chosen)
        chosen += [place for place in order if place not in taken][: limit - len(chosen)]
    return sorted(chosen, key=lambda place: (-scores[place], place))


def _evidence(parts: _Parts, place: int) -> Evidence:
    similarity, word_score = parts.similarities[place], parts.word_scores[place]
    is_known = not np.isnan(similarity)
    return Evidence(
        similarity=float(similarity) if is_known else None,
        vector_rank=1 + int((parts.similarities > similarity).sum()) if is_known else None,
        word_rank=1 + int((parts.word_scores > word_score).sum()) if word_score > 0 else None,
        word_score=float(parts.word_scores[place]),
        vectors=float(parts.vectors[place]),
        words=float(parts.words[place]),
        context=float(parts.context[place]),
        speaker=float(parts.speaker[place]),
        period=float(parts.period[place]),
        named=float(parts.named[place]),
    )
