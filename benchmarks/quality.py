"""How often the right memory is found, on public question sets, through the engine.

One document is one memory, one question is one search; a question is asked against the
documents of its own group only. Questions without evidence do not count.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import math
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zapomni_core import MemoryEngine, Settings, configure_logs

DATA = Path(__file__).parents[2] / "shared" / "eval" / "retrieval"
SETS = ("locomo_conv0-4", "beam100K_chats1-10", "cranfield", "cacm", "mbpp", "cosqa_dev500")
LIMIT = 20
CONCURRENT = 4
# Reported apart, as the authors of the set do: its questions are meant to have no answer.
APART = "adversarial"


@dataclass(slots=True)
class Group:
    """Documents and the questions that are asked about them."""

    documents: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Score:
    """How well one question was answered."""

    category: str
    recall_5: float
    recall_10: float
    recall_20: float
    ndcg_10: float
    milliseconds: float


def load(path: Path) -> list[Group]:
    """Read a set, group by group."""
    groups: dict[str, Group] = defaultdict(Group)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            group = groups[row["group"]]
            (group.documents if row["kind"] == "doc" else group.questions).append(row)
    return list(groups.values())


def text_of(document: dict[str, Any]) -> str:
    """Write a document as an agent would store it: with date and speaker, if it has them."""
    prefix = f"[{document['date']}] " if document.get("date") else ""
    speaker = f"{document['speaker']}: " if document.get("speaker") else ""
    return f"{prefix}{speaker}{document['text']}"


async def store(engine: MemoryEngine, documents: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Remember the documents; return the document of each memory."""
    document_of: dict[str, str] = {}
    turn = asyncio.Semaphore(CONCURRENT)

    async def add(document: dict[str, Any]) -> None:
        async with turn:
            result = await engine.add_memory(text_of(document))
        document_of[result.memory_id] = document["id"]

    await asyncio.gather(*(add(document) for document in documents if text_of(document).strip()))
    return document_of


async def ask(engine: MemoryEngine, group: Group, document_of: dict[str, str]) -> list[Score]:
    """Search for every question that has an answer."""
    scores = []
    for question in group.questions:
        relevant: dict[str, float] = question["rel"]
        if not relevant:
            continue
        started = time.perf_counter()
        found = await engine.search_memory(question["text"][:1000], LIMIT)
        taken = (time.perf_counter() - started) * 1000
        ranked = list(dict.fromkeys(document_of[item.memory_id] for item in found.results))
        scores.append(
            Score(
                question["cat"],
                recall(ranked[:5], relevant),
                recall(ranked[:10], relevant),
                recall(ranked[:20], relevant),
                ndcg(ranked, relevant),
                taken,
            )
        )
    return scores


def recall(ranked: list[str], relevant: dict[str, float]) -> float:
    """Return which share of the relevant documents was found."""
    return len(relevant.keys() & set(ranked)) / len(relevant)


def ndcg(ranked: list[str], relevant: dict[str, float], depth: int = 10) -> float:
    """Discount the gain of each document by its rank, relative to the best possible order."""
    gains = [relevant.get(document, 0) for document in ranked[:depth]]
    best = sorted(relevant.values(), reverse=True)[:depth]
    return _discounted(gains) / _discounted(best)


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


async def evaluate(path: Path) -> list[Score]:
    """Answer a whole set, each group in a memory of its own."""
    scores: list[Score] = []
    for group in load(path):
        with tempfile.TemporaryDirectory() as folder:
            async with MemoryEngine(Settings(data_dir=Path(folder) / "memory")) as engine:
                document_of = await store(engine, group.documents)
                scores += await ask(engine, group, document_of)
    return scores


def show(name: str, scores: list[Score]) -> None:
    """Print a line for the set and one for each of its categories."""
    counted = [score for score in scores if score.category != APART]
    _line(name, counted)
    categories = sorted({score.category for score in scores})
    if len(categories) > 1:
        for category in categories:
            _line(f"  {category}", [score for score in scores if score.category == category])


def _line(name: str, scores: list[Score]) -> None:
    def mean(attribute: str) -> float:
        return 100 * statistics.fmean(getattr(score, attribute) for score in scores)

    print(
        f"{name:30} {len(scores):5} {mean('recall_5'):6.1f} {mean('recall_10'):6.1f} "
        f"{mean('recall_20'):6.1f} {mean('ndcg_10'):7.1f} "
        f"{statistics.median(score.milliseconds for score in scores):8.1f}"
    )


async def main() -> None:
    """Evaluate the sets that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=SETS, help="names of sets")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets")
    options = parser.parse_args()
    configure_logs("ERROR")
    print(f"{'set':30} {'n':>5} {'R@5':>6} {'R@10':>6} {'R@20':>6} {'nDCG@10':>7} {'p50 ms':>8}")
    for name in options.sets:
        path = options.data / f"{name}.jsonl.gz"
        if path.exists():
            show(name, await evaluate(path))
        else:
            print(f"{name:30} not there: the sets are not part of this repository")


if __name__ == "__main__":
    asyncio.run(main())
