"""Measure how well names are found: exact place and type, on texts with known names."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from benchmarks.graph.corpora import (
    UNCOUNTED,
    Corpus,
    Span,
    read_all,
    read_speakers,
    read_technologies,
)
from zapomni_core.knowledge.entities import SpacyExtractor, TaggerExtractor
from zapomni_core.knowledge.entities.technologies import is_known
from zapomni_core.knowledge.model import Mention

DATA = Path("../shared/eval/entities")
TECHNOLOGIES = Path(__file__).with_name("technologies.jsonl")
BATCH = 64
WITH_TECHNOLOGIES = ("documentation", "crossner-ai")


class Extractor(Protocol):
    """What is measured."""

    def _extract_entities_sync(self, texts: Sequence[str]) -> list[list[Mention]]: ...


@dataclass(slots=True)
class Score:
    """Counts of one corpus, for each type."""

    right: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)

    def add(self, found: set[Span], known: set[Span]) -> None:
        """Count one text."""
        for counter, spans in (
            (self.right, found & known),
            (self.found, found),
            (self.known, known),
        ):
            counter.update(kind for *_, kind in spans)

    def f1(self, kind: str | None = None) -> float:
        """Return F1 in per cent, of one type or of all together."""
        right, found, known = self.counts(kind)
        return 200 * right / (found + known) if found + known else 0.0

    def counts(self, kind: str | None = None) -> tuple[int, int, int]:
        """Return how many names are right, found and known."""
        counters = (self.right, self.found, self.known)
        right, found, known = (each.total() if kind is None else each[kind] for each in counters)
        return right, found, known


def main() -> None:
    """Print a table for each extractor."""
    parser = argparse.ArgumentParser(prog="benchmarks.graph entities", description=__doc__)
    parser.add_argument("--extractor", choices=("tagger", "spacy"), action="append")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    arguments = parser.parse_args()
    chosen = arguments.extractor or ["tagger", *(["spacy"] if find_spec("spacy") else [])]
    corpora = list(_corpora(arguments.data))
    with ThreadPoolExecutor(1) as executor:
        for name in chosen:
            extractor = TaggerExtractor(executor) if name == "tagger" else SpacyExtractor(executor)
            print(f"\n{extractor.name}")
            _measure(extractor, corpora)


def _corpora(folder: Path) -> Iterator[Corpus]:
    yield read_technologies(TECHNOLOGIES)
    if not folder.is_dir():
        print(f"{folder} is not there: only the sentences of this repository are read")
        return
    yield from read_all(folder)
    yield read_speakers(folder.parent / "retrieval" / "locomo_conv0-4.jsonl.gz")


def _measure(extractor: Extractor, corpora: Iterable[Corpus]) -> None:
    technologies = Score()
    for corpus in corpora:
        texts = [labelled.text for labelled in corpus.texts]
        began = time.perf_counter()
        found = list(_extracted(extractor, texts))
        seconds = time.perf_counter() - began
        score = Score()
        for labelled, mentions in zip(corpus.texts, found, strict=True):
            both = _compared(corpus, labelled.spans, mentions)
            score.add(*both)
            if corpus.name in WITH_TECHNOLOGIES:
                technologies.add(*({s for s in part if s[2] == "technology"} for part in both))
        _report(corpus, score, seconds)
        if corpus.name == "documentation":
            _report_unknown(corpus, found)
    total = technologies.counts()[2]
    print(
        f"technologies of {' and '.join(WITH_TECHNOLOGIES)}: F1 {technologies.f1():.1f} of {total}"
    )


def _extracted(extractor: Extractor, texts: list[str]) -> Iterator[list[Mention]]:
    for start in range(0, len(texts), BATCH):
        yield from extractor._extract_entities_sync(texts[start : start + BATCH])  # noqa: SLF001


def _compared(
    corpus: Corpus, known: frozenset[Span], mentions: Iterable[Mention]
) -> tuple[set[Span], set[Span]]:
    """Leave out what the corpus does not mark, and what it marks as something of many kinds."""
    uncounted = [(start, end) for start, end, kind in known if kind == UNCOUNTED]
    found: set[Span] = {
        (each.start, each.end, each.type)
        for each in mentions
        if each.type in corpus.types
        and not any(each.start < end and start < each.end for start, end in uncounted)
    }
    return found, {span for span in known if span[2] in corpus.types}


def _report(corpus: Corpus, score: Score, seconds: float) -> None:
    right, found, known = score.counts()
    words = sum(len(labelled.text.split()) for labelled in corpus.texts)
    precision, recall = 100 * right / max(found, 1), 100 * right / max(known, 1)
    speed = f"{len(corpus.texts) / seconds:6.0f} texts/s {words / seconds:7.0f} words/s"
    print(
        f"{corpus.name:20} F1 {score.f1():5.1f}  precision {precision:5.1f}  recall {recall:5.1f}"
        f"  names {known:5}  {speed}"
    )
    kinds = sorted(kind for kind in corpus.types if score.known[kind])
    if len(kinds) > 1:
        print(" " * 21 + "  ".join(f"{kind} {score.f1(kind):.1f}" for kind in kinds))


def _report_unknown(corpus: Corpus, found: list[list[Mention]]) -> None:
    """Tell how many of the names were found that no list has."""
    known = right = 0
    for labelled, mentions in zip(corpus.texts, found, strict=True):
        places = {(each.start, each.end, str(each.type)) for each in mentions}
        unlisted = {
            span for span in labelled.spans if not is_known(labelled.text[span[0] : span[1]])
        }
        known, right = known + len(unlisted), right + len(unlisted & places)
    print(" " * 21 + f"of {known} names that are in no list: {right} found")
