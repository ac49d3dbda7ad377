"""Measure code search: how high the files that answer a question stand, as NDCG@10.

Symbols are chosen and ranked as for a user; a file counts where the first of its symbols stands.
Vectors are kept in build/code/ by the hash of their text, so a run that was broken off goes on
where it stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from math import log2
from operator import itemgetter
from statistics import mean
from typing import Final, Literal

from benchmarks.code.measures import Figure
from benchmarks.code.search_index import SearchedRepository
from benchmarks.code.search_questions import OTHERS, Block, Project, Question, blocks
from benchmarks.code.sources import FOLDER
from benchmarks.recall.embeddings import StoredEmbedder
from zapomni_core import load_settings
from zapomni_core.code.searching.candidates import Legs, candidate
from zapomni_core.code.searching.query import CodeQuery, read_query
from zapomni_core.code.searching.ranking import BUILT_IN, Weights, rank
from zapomni_core.embedding import open_embedder
from zapomni_db.code import Symbol

__all__ = ["figures", "ndcg"]

_TOP: Final = 10
_TARGET: Final = 0.85
_FACTORS: Final = frozenset({"test", "aside", "prose", "further"})
_VECTORS: Final = frozenset({"vectors", "alone_vectors", "symbol_vectors"})


type Leg = Literal["words", "vectors", "both"]
# The kind of a question, its project, and how well it was answered.
type Gain = tuple[str, str, float]


@dataclass(frozen=True, slots=True)
class Variant:
    """What is compared: which legs bring symbols, and how these are ranked."""

    title: str
    leg: Leg
    weights: Weights = BUILT_IN


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with everything that was found for it."""

    project: str
    question: Question
    query: CodeQuery
    found: Mapping[Leg, Legs]


def ndcg(question: Question, found: Sequence[Symbol]) -> float:
    """Compute NDCG@10: each target counts where it is first met, as much as its grade."""
    met: dict[int, int] = {}
    for target in question.targets:
        for place, symbol in enumerate(found[:_TOP]):
            is_inside = symbol.line <= target.last and symbol.end_line >= target.first
            if symbol.path == target.path and is_inside:
                met[place] = max(target.grade, met.get(place, 0))
                break
    best = sorted((target.grade for target in question.targets), reverse=True)[:_TOP]
    return _discounted(met.items()) / _discounted(enumerate(best))


def _discounted(grades: Iterable[tuple[int, int]]) -> float:
    return sum(grade / log2(place + 2) for place, grade in grades)


def _variants(*, has_vectors: bool) -> list[Variant]:
    plain = replace(BUILT_IN, **{each.name: _neutral(each.name) for each in fields(BUILT_IN)})
    words = [Variant("words unranked", "words", plain), Variant("words", "words")]
    vectors = [Variant("vectors unranked", "vectors", plain), Variant("everything", "both")]
    return words + vectors if has_vectors else words


def _ablations(*, has_vectors: bool) -> list[Variant]:
    leg: Leg = "both" if has_vectors else "words"
    signals = [each.name for each in fields(BUILT_IN) if each.name not in _VECTORS]
    return [
        Variant(f"less {name}", leg, replace(BUILT_IN, **{name: _neutral(name)}))
        for name in signals
    ]


def _neutral(name: str) -> float:
    return 1.0 if name in _FACTORS else 0.0


async def _ask(project: Project, embedder: StoredEmbedder | None) -> list[Asked]:
    print(f"reading {project.name} ...", file=sys.stderr, flush=True)
    repository = SearchedRepository(project.folder, project.exclude)
    texts = [question.text for question in project.questions]
    near: Sequence[Mapping[str, float]] = [{}] * len(texts)
    if embedder is not None:
        near = await repository.nearest(embedder, texts)
    return [
        _asked(project.name, question, repository, each)
        for question, each in zip(project.questions, near, strict=True)
    ]


def _asked(
    name: str, question: Question, repository: SearchedRepository, near: Mapping[str, float]
) -> Asked:
    query = read_query(question.text)
    found: dict[Leg, Legs] = {
        "words": repository.found(query, {}),
        "vectors": repository.found_near(near),
        "both": repository.found(query, near),
    }
    return Asked(name, question, query, found)


def _gain(asked: Asked, variant: Variant) -> Gain:
    legs = asked.found[variant.leg]
    candidates = [candidate(key, key, legs) for key in legs.symbols]
    ranked = rank(asked.query, candidates, _TOP, variant.weights)
    gain = ndcg(asked.question, [legs.symbols[one.id] for one in ranked])
    return asked.question.kind, asked.project, gain


def _show(block: Block, asked: Sequence[Asked], variants: Sequence[Variant]) -> None:
    columns = [_by_subject([_gain(each, variant) for each in asked]) for variant in variants]
    print(f"\n{block.title:28}{'':5}" + "".join(f"{each.title:>18}" for each in variants))
    for subject, gains in columns[0].items():
        figures = "".join(f"{mean(column[subject]):18.3f}" for column in columns)
        print(f"  {subject:26}{len(gains):5}{figures}")


def _by_subject(gains: Sequence[Gain]) -> dict[str, list[float]]:
    """Group by all, by kind and by project, in this order."""
    grouped: dict[str, list[float]] = defaultdict(list)
    for each in (lambda _: "all", itemgetter(0), itemgetter(1)):
        for gain in sorted(gains, key=each):
            grouped[each(gain)].append(gain[2])
    return grouped


def _show_ablations(asked: Sequence[Asked], variants: Sequence[Variant]) -> None:
    for variant in variants:
        print(f"  {variant.title:31}{mean(_gain(each, variant)[2] for each in asked):18.3f}")


def figures(_show: int) -> Iterator[Figure]:
    """Yield how well questions are answered; those of others only where they are at hand."""
    measured = asyncio.run(_measured(frozenset(), has_vectors=True))
    words, *_, everything = _variants(has_vectors=True)[1:]
    for block, asked in measured:
        alone, together = (
            mean(_gain(each, variant)[2] for each in asked) for variant in (words, everything)
        )
        target = _TARGET if block.title == OTHERS else None
        note = f"words alone {alone:.3f}"
        yield Figure(f"{block.title}, NDCG@10", len(asked), together, target, note=note)


async def _measured(
    projects: frozenset[str], *, has_vectors: bool
) -> list[tuple[Block, list[Asked]]]:
    settings = load_settings()
    with ThreadPoolExecutor(settings.cpu_workers) as executor:
        embedder = open_embedder(settings, executor) if has_vectors else None
        stored = None if embedder is None else StoredEmbedder(embedder, FOLDER)
        measured = [
            (block, [each for one in block.projects for each in await _ask(one, stored)])
            for block in blocks(projects)
        ]
        if embedder is not None:
            await embedder.close()
    return measured


def main() -> None:
    """Measure our questions, and those of others that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="*", help="as the questions name them; all if none")
    parser.add_argument("--ablations", action="store_true", help="leave out a signal at a time")
    parser.add_argument("--words", action="store_true", help="do without embeddings")
    options = parser.parse_args()
    has_vectors = not options.words
    measured = asyncio.run(_measured(frozenset(options.projects), has_vectors=has_vectors))
    for block, asked in measured:
        _show(block, asked, _variants(has_vectors=has_vectors))
        if options.ablations and not block.is_held_out:
            _show_ablations(asked, _ablations(has_vectors=has_vectors))


if __name__ == "__main__":
    main()
