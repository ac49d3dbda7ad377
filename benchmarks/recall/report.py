"""Tables for people; every figure but the times is in percent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.recall.abstention import Abstention
from benchmarks.recall.measures import Interval
from benchmarks.recall.recipes import EVERYTHING
from benchmarks.recall.runs import Run
from benchmarks.recall.scores import Figures, Gain, Score, figures_of, gain_of, headline

__all__ = ["figures_by_category", "show_abstention", "show_folds", "show_set", "show_variants"]

_NAME = 28


def figures_by_category(scores: Sequence[Score]) -> dict[str, Figures]:
    """Return the headline's figures first, then those of each category if there are several."""
    counted = headline(scores)
    found = {"all" if len(counted) == len(scores) else "headline": figures_of(counted)}
    categories = sorted({score.category for score in scores})
    if len(categories) > 1:
        for name in categories:
            of_category = [score for score in scores if score.category == name]
            found[f"  {name}"] = figures_of(of_category)
    return found


def show_set(title: str, scores: Sequence[Score], previous: Run | None) -> None:
    """Print the headline, what changed since the previous run, and the categories."""
    print(f"\n{title}")
    print(
        f"{'':{_NAME}} {'n':>5} {'R@5':>6} {'R@10':>6} {'95 %':>13} {'R@20':>6} {'MRR':>6} "
        f"{'nDCG@10':>8} {'95 %':>13} {'p50 ms':>7}"
    )
    for place, (name, figures) in enumerate(figures_by_category(scores).items()):
        print(_line(name, figures))
        if place == 0 and previous is not None:
            gain = gain_of(headline(scores), headline(previous.scores))
            if gain is not None:
                print(_gain_line(f"  since {previous.at[5:16]}", gain))


def show_variants(variants: Mapping[str, Sequence[Score]]) -> None:
    """Print each ranking and how it differs from everything together, on the headline."""
    whole = headline(variants[EVERYTHING])
    print(
        f"{'  ranking':{_NAME}} {'R@10':>6} {'nDCG@10':>8} {'p50 ms':>7}   "
        f"{'R@10, to everything':>22} {'nDCG@10, to everything':>24}"
    )
    for name, scores in variants.items():
        counted = headline(scores)
        figures, gain = figures_of(counted), gain_of(counted, whole)
        compared = "" if name == EVERYTHING or gain is None else _compared(gain)
        print(
            f"{'  ' + name:{_NAME}} {_percent(figures.recall_10)} {_percent(figures.ndcg_10, 8)} "
            f"{figures.milliseconds:7.1f}   {compared}".rstrip()
        )


def show_folds(whole: Sequence[Score], simple: Sequence[Score]) -> None:
    """Print what everything gains over the simple hybrid in each group, and without the group."""
    groups = list(dict.fromkeys(_group(score) for score in whole))
    print(
        f"{'  gain over simple hybrid':{_NAME}} {'n':>5} {'R@10':>6} {'nDCG@10':>8}   "
        f"{'R@10 of the others':>18} {'nDCG@10 of the others':>21}"
    )
    for group in groups:
        here = [score for score in headline(whole) if _group(score) == group]
        others = [score for score in headline(whole) if _group(score) != group]
        gain, rest = gain_of(here, simple), gain_of(others, simple)
        if gain is not None and rest is not None:
            print(
                f"{'  ' + group:{_NAME}} {len(here):5} {_change(gain.recall_10)} "
                f"{_change(gain.ndcg_10, 8)}   {_change(rest.recall_10, 18)} "
                f"{_change(rest.ndcg_10, 21)}"
            )
    total = gain_of(headline(whole), simple)
    if total is not None:
        print(f"{'  all groups':{_NAME}} {'':5} {_compared(total)}")


def show_abstention(kinds: Sequence[Abstention]) -> None:
    """Print how well the unanswerable is recognized, for each kind of it."""
    print(
        f"{'  abstention':{_NAME}} {'n':>5} {'AUC':>6} {'precision':>10} {'recall':>7} "
        f"{'refused':>8}"
    )
    for kind in kinds:
        print(
            f"{'  ' + kind.kind:{_NAME}} {kind.negatives:5} {_percent(kind.area)} "
            f"{_percent(kind.precision, 10)} {_percent(kind.recall, 7)} "
            f"{_percent(kind.refused, 8)}   against {kind.positives} answerable"
        )


def _line(name: str, figures: Figures) -> str:
    return (
        f"{name:{_NAME}} {figures.questions:5} {_percent(figures.recall_5)} "
        f"{_percent(figures.recall_10)} {_bounds(figures.recall_10_interval)} "
        f"{_percent(figures.recall_20)} {_percent(figures.mrr)} {_percent(figures.ndcg_10, 8)} "
        f"{_bounds(figures.ndcg_10_interval)} {figures.milliseconds:7.1f}"
    )


def _gain_line(name: str, gain: Gain) -> str:
    return (
        f"{name:{_NAME}} {'':5} {_change(gain.recall_5)} {_change(gain.recall_10)} "
        f"{_changes(gain.recall_10_interval)} {_change(gain.recall_20)} {_change(gain.mrr)} "
        f"{_change(gain.ndcg_10, 8)} {_changes(gain.ndcg_10_interval)}"
    )


def _compared(gain: Gain) -> str:
    return (
        f"{_change(gain.recall_10, 8)} {_changes(gain.recall_10_interval)} "
        f"{_change(gain.ndcg_10, 10)} {_changes(gain.ndcg_10_interval)}"
    )


def _group(score: Score) -> str:
    return score.question.partition("/")[0]


def _percent(share: float, width: int = 6) -> str:
    return f"{100 * share:{width}.1f}"


def _change(share: float, width: int = 6) -> str:
    return f"{100 * share:+{width}.1f}"


def _bounds(interval: Interval) -> str:
    return f"{f'{100 * interval.low:.1f} - {100 * interval.high:.1f}':>13}"


def _changes(interval: Interval) -> str:
    return f"{f'({100 * interval.low:+.1f} {100 * interval.high:+.1f})':>13}"
