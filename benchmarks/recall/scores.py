"""The score of each question, and the figures of many."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.recall.asking import Answer, Asked
from benchmarks.recall.measures import (
    Interval,
    interval_of_mean,
    ndcg,
    recall,
    reciprocal_rank,
)

__all__ = ["APART", "Figures", "Gain", "Score", "figures_of", "gain_of", "headline", "scores_of"]

# Reported apart, as the authors of the set do: its questions are meant to have no answer.
APART = "adversarial"


@dataclass(frozen=True, slots=True)
class Score:
    """How well one question was answered."""

    question: str
    category: str
    recall_5: float
    recall_10: float
    recall_20: float
    mrr: float
    ndcg_10: float
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The means of some scores, with the intervals of the two that matter most."""

    questions: int
    recall_5: float
    recall_10: float
    recall_20: float
    mrr: float
    ndcg_10: float
    milliseconds: float
    recall_10_interval: Interval
    ndcg_10_interval: Interval


@dataclass(frozen=True, slots=True)
class Gain:
    """What the same questions gained on average, each compared with itself."""

    recall_5: float
    recall_10: float
    recall_20: float
    mrr: float
    ndcg_10: float
    recall_10_interval: Interval
    ndcg_10_interval: Interval


def scores_of(asked: Iterable[Asked]) -> list[Score]:
    """Score every question that has an answer."""
    return [_score(answer) for group in asked for answer in group.own if answer.question.relevant]


def headline(scores: Iterable[Score]) -> list[Score]:
    """Leave out what is reported apart."""
    return [score for score in scores if score.category != APART]


def figures_of(scores: Sequence[Score]) -> Figures:
    """Summarize some scores."""
    return Figures(
        questions=len(scores),
        recall_5=statistics.fmean(score.recall_5 for score in scores),
        recall_10=statistics.fmean(score.recall_10 for score in scores),
        recall_20=statistics.fmean(score.recall_20 for score in scores),
        mrr=statistics.fmean(score.mrr for score in scores),
        ndcg_10=statistics.fmean(score.ndcg_10 for score in scores),
        milliseconds=statistics.median(score.milliseconds for score in scores),
        recall_10_interval=interval_of_mean([score.recall_10 for score in scores]),
        ndcg_10_interval=interval_of_mean([score.ndcg_10 for score in scores]),
    )


def gain_of(scores: Iterable[Score], before: Iterable[Score]) -> Gain | None:
    """Compare the questions that both have; None if there are none."""
    former = {score.question: score for score in before}
    pairs = [(score, former[score.question]) for score in scores if score.question in former]
    if not pairs:
        return None
    recalls = [now.recall_10 - then.recall_10 for now, then in pairs]
    ndcgs = [now.ndcg_10 - then.ndcg_10 for now, then in pairs]
    return Gain(
        recall_5=statistics.fmean(now.recall_5 - then.recall_5 for now, then in pairs),
        recall_10=statistics.fmean(recalls),
        recall_20=statistics.fmean(now.recall_20 - then.recall_20 for now, then in pairs),
        mrr=statistics.fmean(now.mrr - then.mrr for now, then in pairs),
        ndcg_10=statistics.fmean(ndcgs),
        recall_10_interval=interval_of_mean(recalls),
        ndcg_10_interval=interval_of_mean(ndcgs),
    )


def _score(answer: Answer) -> Score:
    question, ranked = answer.question, answer.ranked
    return Score(
        question=question.id,
        category=question.category,
        recall_5=recall(ranked, question.relevant, 5),
        recall_10=recall(ranked, question.relevant, 10),
        recall_20=recall(ranked, question.relevant, 20),
        mrr=reciprocal_rank(ranked, question.relevant),
        ndcg_10=ndcg(ranked, question.relevant, 10),
        milliseconds=answer.milliseconds,
    )
