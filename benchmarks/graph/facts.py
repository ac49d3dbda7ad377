"""Measure how many of the facts that are read in texts are right.

Three parts: documents with listed relations (Re-DocRED), conversations judged by hand (LoCoMo),
and sequences of statements in which facts are replaced, or only look as if they were.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.graph.conversations import (
    read_judgements,
    sample_of,
    spoken_facts,
    write_sample,
)
from benchmarks.graph.relations import read_documents, read_verdicts, tally, unlisted
from benchmarks.graph.superseding import measure_superseding
from zapomni_core.knowledge.entities import TaggerExtractor

__all__ = ["main", "measure"]

DATA = Path(__file__).parents[3] / "shared" / "eval"


def main() -> None:
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sample", type=Path, help="write the facts to be judged here")
    parser.add_argument("--only", choices=("relations", "conversations", "superseding"))
    options = parser.parse_args()
    asyncio.run(measure(options.data, options.sample, options.only))


async def measure(data: Path, sample: Path | None = None, only: str | None = None) -> None:
    """Print the figures of each part whose data is there."""
    documents = data / "relations" / "redocred-dev.json.gz"
    conversations = data / "retrieval" / "locomo_conv0-4.jsonl.gz"
    if only in {None, "relations"} and _is_there(documents):
        show_relations(documents)
    if only in {None, "conversations"} and _is_there(conversations):
        await show_conversations(conversations, sample)
    if only in {None, "superseding"}:
        measure_superseding(documents if documents.exists() else None)


def _is_there(path: Path) -> bool:
    if not path.exists():
        print(f"{path.name}: not there; the data is not part of this repository")
    return path.exists()


def show_relations(path: Path) -> None:
    """Print precision by the lists, by the lists and the text, and recall."""
    documents = read_documents(path)
    counts = tally(documents)
    print("\nRe-DocRED dev, marked names\npredicate      found listed precision  known recall")
    for predicate, one in sorted(counts.items(), key=lambda item: -item[1].found):
        if one.found:
            print(
                f"{predicate:14} {one.found:5} {one.listed:6} {one.listed / one.found:9.1%}"
                f" {one.known:6} {one.listed / max(one.known, 1):6.1%}"
            )
    found, listed = sum(c.found for c in counts.values()), sum(c.listed for c in counts.values())
    # A relation that several predicates may stand for counts once.
    known = len(
        {(id(one), triple) for one in documents for triple in one.triples if one.is_mapped(triple)}
    )
    print(f"by the lists: {listed}/{found} = {listed / found:.1%}; recall {listed}/{known}")
    verdicts = read_verdicts()
    judged = Counter(verdicts.get(one.key) for one in unlisted(documents))
    right = listed + judged[True]
    print(
        f"with the unlisted ones judged by their text: {right}/{right + judged[False]}"
        f" = {right / (right + judged[False]):.1%}; not judged: {judged[None]}"
    )


async def show_conversations(path: Path, sample: Path | None) -> None:
    """Print the precision of the judged facts that are still found."""
    with ThreadPoolExecutor(1) as executor:
        facts = await spoken_facts(path, TaggerExtractor(executor))
    drawn = sample_of(facts)
    if sample is not None:
        write_sample(sample, drawn)
    verdicts = read_judgements()
    judged = Counter(verdicts.get(one.key) for one in drawn)
    print(f"\nLoCoMo conversations 0-4: {len(facts)} facts, {len(drawn)} drawn")
    print(_counts([one.predicate for one in facts]))
    answered = judged[True] + judged[False]
    if answered:
        print(f"judged by reading: {judged[True]}/{answered} = {judged[True] / answered:.1%}")
    print(f"not judged: {judged[None]}; judged but not found any more: {len(verdicts) - answered}")


def _counts(names: Sequence[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in Counter(names).most_common())
