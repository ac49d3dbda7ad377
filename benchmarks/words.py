"""How fast the word index finds the best of many long messages, exactly."""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
import uuid

from benchmarks.corpus import memories, questions
from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_core.retrieval.terms import document_terms, query_terms
from zapomni_db import IndexEntry

_MEMORIES_PER_MESSAGE = 10
_BATCH = 500
_BEST = 100


def main() -> None:
    """Index long messages, ask, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=40_000)
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args()
    lexicon, words = _filled(given.messages)
    waits_ms = []
    for question in questions(given.questions):
        asked = time.perf_counter()
        lexicon.search(query_terms(question), _BEST)
        waits_ms.append(1000 * (time.perf_counter() - asked))
    worst = statistics.quantiles(waits_ms, n=20)[-1]
    print(f"{given.messages} messages of {words / given.messages:.0f} words")
    print(f"the {_BEST} best: p50 {statistics.median(waits_ms):.1f} ms, p95 {worst:.1f} ms")


def _filled(count: int) -> tuple[Lexicon, int]:
    lexicon, words = Lexicon(), 0
    # Ten different texts over and over would make every list of places the same.
    texts = itertools.batched(memories(count + _MEMORIES_PER_MESSAGE), 1)
    window = [text for (text,) in itertools.islice(texts, _MEMORIES_PER_MESSAGE)]
    known = [document_terms(text) for text in window]
    entries: list[IndexEntry] = []
    for (text,) in texts:
        known = [*known[1:], document_terms(text)]
        terms = " ".join(itertools.chain.from_iterable(known))
        words += len(terms.split())
        entries.append(IndexEntry(uuid.uuid4().hex, uuid.uuid4().hex, terms, 0, "", ()))
        if len(entries) == _BATCH:
            lexicon.add(entries)
            entries = []
    lexicon.add(entries)
    return lexicon, words


if __name__ == "__main__":
    main()
