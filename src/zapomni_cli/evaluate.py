"""`zapomni eval`: how often your own questions find what they should."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zapomni_cli.options import common
from zapomni_cli.output import dim, one_line, show, strong
from zapomni_cli.progress import progress_bar
from zapomni_cli.questions import Asked, BadQuestion, Score, read_questions, score_of
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine

__all__ = ["eval_"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_SHOWN_MISSES = 10


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well questions were answered; `missed` are those that did not find all."""

    questions: int
    limit: int
    recall: dict[str, float]
    mrr: float
    missed: tuple[str, ...]


@click.command("eval")
@click.argument("path", type=_FILE)
@click.option("--limit", "-n", default=10, show_default=True, help="Results of each question.")
@common
def eval_(path: Path, limit: int, workspace: str | None, *, as_json: bool) -> None:
    """Ask every question of the file PATH and measure how well the answers fit.

    Each line of the file is JSON: a `query`, and what it should find as `memory_ids`, as `texts`
    that a result has to contain, or both. Recall@k is the share of these within the first k
    results, MRR the mean of 1 / place of the first.
    """
    try:
        questions = read_questions(path)
    except BadQuestion as exc:
        raise click.ClickException(str(exc)) from exc

    async def work(engine: MemoryEngine) -> list[Score]:
        scores = []
        with progress_bar("Asking", is_silent=as_json) as report:
            for number, question in enumerate(questions, start=1):
                found = await engine.search_memory(question.query, limit)
                asked = [
                    Asked((item.memory_id, *item.also_in), item.text) for item in found.results
                ]
                scores.append(score_of(question, asked))
                await report(number, len(questions))
        return scores

    evaluation = _evaluated(run(work, workspace), limit)
    show(evaluation, _told(evaluation), as_json=as_json)


def _evaluated(scores: list[Score], limit: int) -> Evaluation:
    cuts = sorted({cut for cut in (1, 3, 5, 10, limit) if cut <= limit})
    count = len(scores)
    return Evaluation(
        questions=count,
        limit=limit,
        recall={str(cut): round(sum(s.recall(cut) for s in scores) / count, 4) for cut in cuts},
        mrr=round(sum(score.reciprocal_rank for score in scores) / count, 4),
        missed=tuple(score.query for score in scores if score.recall(limit) < 1),
    )


def _told(evaluation: Evaluation) -> str:
    lines = [f"{evaluation.questions} questions"]
    lines += [f"recall@{cut:<3} {value:.3f}" for cut, value in evaluation.recall.items()]
    lines.append(f"MRR        {evaluation.mrr:.3f}")
    if evaluation.missed:
        lines.append(strong(f"Not all was found of {len(evaluation.missed)}:"))
        lines += [f"  {one_line(query, 120)}" for query in evaluation.missed[:_SHOWN_MISSES]]
    if len(evaluation.missed) > _SHOWN_MISSES:
        lines.append(dim(f"  and {len(evaluation.missed) - _SHOWN_MISSES} more; --json has all"))
    return "\n".join(lines)
