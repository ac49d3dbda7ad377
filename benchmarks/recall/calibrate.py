"""Fit the coefficients of `Confidence` on the question sets and print them.

python -m benchmarks.recall.calibrate [SET ...]

Every hit of every question counts, and every set counts the same. A question about one group
that is asked in the memory of another stands for what nobody can answer.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.recall.access import open_engine
from benchmarks.recall.embeddings import StoredEmbedder
from benchmarks.recall.sets import DATA, Group, Question, memories_of, read_set
from benchmarks.recall.stores import kept_store
from zapomni_core import (
    MAX_QUERY_CHARS,
    MemoryEngine,
    SearchResults,
    Settings,
    configure_logs,
    load_settings,
)
from zapomni_core.embedding import open_embedder

KEPT = Path(__file__).parents[2] / "build" / "eval"
SETS = ("locomo_conv0-4", "beam100K_chats1-10", "cranfield", "mbpp", "cosqa_dev500")
LIMIT = 20
FOREIGN = 225
ROUNDS = 60

type Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """One hit, or one question: what speaks for it, and whether it is right."""

    kind: str
    features: tuple[float, ...]
    is_right: bool


def fit(samples: Sequence[Sample]) -> Numbers:
    """Return the coefficients of a logistic regression, bias first; all kinds weigh the same."""
    kinds = np.array([sample.kind for sample in samples])
    weights = np.zeros(len(samples))
    for kind in set(kinds):
        weights[kinds == kind] = 1.0 / np.count_nonzero(kinds == kind)
    weights /= weights.mean()
    features = np.array([(1.0, *sample.features) for sample in samples])
    right = np.array([float(sample.is_right) for sample in samples])
    found = np.zeros(features.shape[1])
    for _ in range(ROUNDS):
        likely = 1.0 / (1.0 + np.exp(-features @ found))
        slope = features.T @ (weights * (right - likely))
        curve = (features * (weights * likely * (1.0 - likely))[:, None]).T @ features
        found += np.linalg.solve(curve + 1e-6 * np.eye(len(found)), slope)
    return found


def hits_of(name: str, found: SearchResults, relevant: frozenset[str]) -> list[Sample]:
    """Return a sample for each hit: its lead over the best, and the signs of its question."""
    explained = [(item.memory_id, item.why) for item in found.results if item.why is not None]
    totals = [sum(why.added.values()) for _, why in explained]
    usual = sum(totals) / LIMIT
    return [
        Sample(name, (total - usual, why.nearness, why.coverage), memory_id in relevant)
        for total, (memory_id, why) in zip(totals, explained, strict=True)
    ]


def question_of(name: str, found: SearchResults, *, is_own: bool) -> list[Sample]:
    """Return a sample for the question."""
    whys = [item.why for item in found.results if item.why is not None]
    kind = f"{name} {'own' if is_own else 'foreign'}"
    return [Sample(kind, (why.nearness, why.coverage), is_own) for why in whys[:1]]


async def samples_of(
    name: str, groups: Sequence[Group], others: Sequence[Question], embedder: StoredEmbedder
) -> AsyncIterator[tuple[list[Sample], list[Sample]]]:
    """Ask every group its own questions, and those of its neighbour or of another set."""
    for place, group in enumerate(groups):
        foreign = groups[place - 1].questions if len(groups) > 1 else others
        async with (
            kept_store(
                KEPT / "stores",
                f"{group.name}-metadata-engine",
                memories_of(group, "metadata"),
                embedder.model_id,
                lambda folder: open_engine(folder, embedder, None),
            ) as store,
            MemoryEngine(
                Settings(data_dir=store.folder, auto_graph=False), embedder=embedder
            ) as engine,
        ):
            ids_of = _ids_of(store.document_of)
            for question in group.questions:
                if question.relevant and question.category != "adversarial":
                    found = await ask(engine, question)
                    relevant = frozenset(ids_of[d] for d in question.relevant if d in ids_of)
                    yield hits_of(name, found, relevant), question_of(name, found, is_own=True)
            for question in foreign[:FOREIGN]:
                found = await ask(engine, question)
                yield hits_of(name, found, frozenset()), question_of(name, found, is_own=False)


async def ask(engine: MemoryEngine, question: Question) -> SearchResults:
    """Search once, with reasons."""
    return await engine.search_memory(question.text[:MAX_QUERY_CHARS], LIMIT, explain=True)


def _ids_of(document_of: Mapping[str, str]) -> dict[str, str]:
    return {document: memory_id for memory_id, document in document_of.items()}


async def main() -> None:
    """Fit both models on all sets that are there."""
    configure_logs("ERROR")
    settings = load_settings()
    wanted = sys.argv[1:] or SETS
    sets = {n: read_set(p) for n in wanted if (p := DATA / f"{n}.jsonl.gz").exists()}
    hits: list[Sample] = []
    questions: list[Sample] = []
    with ThreadPoolExecutor(settings.cpu_workers) as executor:
        embedder = StoredEmbedder(open_embedder(settings, executor), KEPT)
        names = list(sets)
        for place, name in enumerate(names):
            others = sets[names[place - 1]][0].questions
            async for some_hits, some_questions in samples_of(name, sets[name], others, embedder):
                hits += some_hits
                questions += some_questions
    if not hits:
        print("The question sets are not at hand; they are not part of this repository.")
        return
    print("hit: bias, lead, nearness, coverage    ", np.round(fit(hits), 2))
    print("any hit: bias, nearness, coverage      ", np.round(fit(questions), 2))


if __name__ == "__main__":
    asyncio.run(main())
