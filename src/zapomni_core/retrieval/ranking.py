"""Rank chunks by all that is known: vectors, words, who speaks, when, and what stands around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from math import isnan
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from zapomni_core.retrieval.confidence import Signs
from zapomni_core.retrieval.distinct import distinct
from zapomni_core.retrieval.lexicon import Filters, Lexicon
from zapomni_core.retrieval.periods import Period, closeness
from zapomni_core.retrieval.recipe import Recipe
from zapomni_core.retrieval.strands import Strands

__all__ = ["Evidence", "Question", "Ranked", "rank"]

type Scores = NDArray[np.float32]

_LEAST_CANDIDATES = 100
_SHARES = ("word_scores", "vectors", "words", "context", "speaker", "period", "named")
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


class Evidence(NamedTuple):
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
    candidates = lexicon.rows_of([*similarities, *named, *question.worded])
    rows = candidates[: len(similarities)]
    naming_rows = candidates[len(similarities) : len(similarities) + len(named)]
    strands = lexicon.strands(distinct(candidates[candidates >= 0]))
    if not len(strands.rows):
        return []
    near = _lined_up(strands, rows, similarities, np.nan)
    word_scores = lexicon.scores_of(question.terms, strands.rows)
    signs = Signs(
        nearness=float(np.fmax.reduce(near, initial=-1.0)),
        coverage=float(word_scores.max()) / (lexicon.best_possible(question.terms) or 1.0),
    )
    naming = _lined_up(strands, naming_rows, named, 0.0)
    parts = _Parts.of(lexicon, question, strands, near, word_scores, naming, recipe)
    total = parts.total
    scores = recipe.confidence.of(total, signs)
    is_found = (total > 0) | ~np.isnan(parts.similarities)
    if not question.filters.is_empty:
        is_found &= lexicon.mask(question.filters)[strands.rows]
    chosen = np.array(_chosen(total, is_found, strands.memory_of, question.limit), np.intp)
    return list(
        map(
            Ranked,
            lexicon.chunk_ids(strands.rows[chosen]),
            lexicon.memory_ids(strands.rows[chosen]),
            scores[chosen].tolist(),
            repeat(signs),
            _evidence(parts, chosen),
            *_beside(lexicon, strands, chosen),
        )
    )


def _beside(
    lexicon: Lexicon, strands: Strands, places: NDArray[np.intp]
) -> tuple[list[str | None], list[str | None]]:
    """Name the chunk before each place and the one after it, if they are of the same thread."""
    here, last = np.concatenate((places, places)), len(strands.rows) - 1
    there = np.concatenate((np.maximum(places - 1, 0), np.minimum(places + 1, last)))
    thread_of = strands.thread_of[strands.memory_of]
    is_near = (thread_of[there] == thread_of[here]) & (there != here)
    names = zip(lexicon.chunk_ids(strands.rows[there]), is_near.tolist(), strict=True)
    beside = [name if near else None for name, near in names]
    return beside[: len(places)], beside[len(places) :]


def _lined_up(
    strands: Strands, rows: NDArray[np.int64], values: Mapping[str, float], absent: float
) -> Scores:
    """Line values up with the rows."""
    known = np.full(int(max(rows.max(initial=0), strands.rows.max())) + 1, absent, np.float32)
    known[rows[rows >= 0]] = np.fromiter(values.values(), np.float32)[rows >= 0]
    return known[strands.rows]


def _floor(near: Scores, depth: int) -> float:
    """Return the similarity of the last of the nearest; what is less near counts nothing."""
    known = near[~np.isnan(near)]
    if len(known) > depth:
        return float(np.partition(known, -depth)[-depth])
    return float(known.min()) if len(known) else 0.0


def _stretched(scores: Scores, floor: float) -> Scores:
    span = float(np.fmax.reduce(scores, initial=floor)) - floor
    if span <= 0:
        return np.where(scores >= max(floor, 1e-9), np.float32(1), np.float32(0))
    # This prefers a number to none; `nan_to_num` and `clip` take four times as long.
    stretched: Scores = np.fmax((scores - floor) / span, np.float32(0))
    return np.minimum(stretched, np.float32(1))


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
    if len(chosen) == limit:
        return chosen
    taken = set(chosen)
    taken.update([place for place in order if place not in taken][: limit - len(chosen)])
    return [place for place in order if place in taken]


def _evidence(parts: _Parts, places: NDArray[np.intp]) -> Iterator[Evidence]:
    # Column by column: item by item, this took a third of the ranking.
    columns = zip(
        parts.similarities[places].tolist(),
        _ranks(parts.similarities, places),
        _ranks(parts.word_scores, places),
        *(getattr(parts, name)[places].tolist() for name in _SHARES),
        strict=True,
    )
    for similarity, vector_rank, word_rank, word_score, *shares in columns:
        is_near = not isnan(similarity)
        yield Evidence(
            similarity if is_near else None,
            vector_rank if is_near else None,
            word_rank if word_score > 0 else None,
            word_score,
            *shares,
        )


def _ranks(scores: Scores, places: NDArray[np.intp]) -> list[int]:
    ranks: list[int] = (1 + (scores > scores[places, np.newaxis]).sum(axis=1)).tolist()
    return ranks
