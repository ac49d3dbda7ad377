"""Whether a memory knows that it does not know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.recall.asking import Answer, Asked
from benchmarks.recall.measures import area_under_curve, precision
from benchmarks.recall.scores import APART

__all__ = ["Abstention", "abstentions_of"]


@dataclass(frozen=True, slots=True)
class Abstention:
    """How well answerable questions are told from those that nothing answers.

    `precision` is the share of confident answers that were answerable, `recall` the share of
    answerable questions that were answered with confidence.
    """

    kind: str
    positives: int
    negatives: int
    area: float
    precision: float
    recall: float
    refused: float


def abstentions_of(asked: Sequence[Asked]) -> list[Abstention]:
    """Judge against the questions without evidence, and against those about another group."""
    own = [answer for group in asked for answer in group.own]
    positives = _answerable(own)
    kinds = {
        "no evidence": [answer for answer in own if not answer.question.relevant],
        "another group's": _answerable(answer for group in asked for answer in group.foreign),
    }
    return [_judge(kind, positives, negatives) for kind, negatives in kinds.items() if negatives]


def _answerable(answers: Iterable[Answer]) -> list[Answer]:
    """Leave out what nothing answers, and what is worded to look as if nothing did."""
    return [a for a in answers if a.question.relevant and a.question.category != APART]


def _judge(kind: str, positives: Sequence[Answer], negatives: Sequence[Answer]) -> Abstention:
    right = sum(answer.is_confident for answer in positives)
    wrong = sum(answer.is_confident for answer in negatives)
    return Abstention(
        kind=kind,
        positives=len(positives),
        negatives=len(negatives),
        area=area_under_curve(
            [answer.best_score for answer in positives],
            [answer.best_score for answer in negatives],
        ),
        precision=precision(right, wrong),
        recall=right / len(positives),
        refused=1 - wrong / len(negatives),
    )
