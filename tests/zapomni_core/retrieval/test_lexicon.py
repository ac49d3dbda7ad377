"""What the lexical index finds, and that its history does not matter."""

import random
from collections import Counter
from collections.abc import Sequence
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zapomni_core.retrieval.lexicon import Filters, Lexicon
from zapomni_db import IndexEntry

unhurried = settings(deadline=None)

WORDS = ["ash", "birch", "cedar", "elm", "é", "日本"]
TAGS = ["", "a", "A", "a\n", "\ud800"]
SOURCES = ["", "notes", "Notes"]


def hex_id(number: int) -> str:
    # Ids that end in zero bytes are the ones a fixed-width text column could confuse.
    return f"{number:02x}".ljust(32, "0")


entries = st.tuples(
    st.integers(0, 20).map(hex_id),
    st.integers(0, 6).map(hex_id),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    st.integers(-3, 3),
    st.sampled_from(SOURCES),
    st.lists(st.sampled_from(TAGS), max_size=3).map(tuple),
).map(lambda known: IndexEntry(*known))
memory_ids = st.frozensets(st.integers(0, 7).map(hex_id), max_size=3)
histories = st.lists(st.lists(entries, max_size=6) | memory_ids, max_size=12)
queries = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=5)
filters = st.builds(
    Filters,
    tags=st.frozensets(st.sampled_from(TAGS), max_size=2),
    source=st.none() | st.sampled_from(SOURCES),
    from_ms=st.none() | st.integers(-4, 4),
    to_ms=st.none() | st.integers(-4, 4),
)
type History = list[list[IndexEntry] | frozenset[str]]


def replay(history: History, lexicon: Lexicon) -> Lexicon:
    for step in history:
        if isinstance(step, frozenset):
            lexicon.remove_memories(step)
        else:
            lexicon.add(step)
    return lexicon


def survivors(history: History) -> list[IndexEntry]:
    alive: dict[str, IndexEntry] = {}
    for step in history:
        if isinstance(step, frozenset):
            alive = {key: entry for key, entry in alive.items() if entry.memory_id not in step}
        else:
            for entry in step:
                alive.setdefault(entry.chunk_id, entry)
    return list(alive.values())


def bm25(chunks: Sequence[IndexEntry], query: Sequence[str]) -> dict[str, float]:
    bags = [Counter(chunk.terms.split()) for chunk in chunks]
    average = sum(bag.total() for bag in bags) / max(1, len(bags)) or 1
    scores = dict.fromkeys((chunk.chunk_id for chunk in chunks), 0.0)
    for term in query:
        holders = sum(term in bag for bag in bags)
        idf = log(1 + (len(bags) - holders + 0.5) / (holders + 0.5))
        for chunk, bag in zip(chunks, bags, strict=True):
            norm = 1.2 * (1 - 0.75 + 0.75 * bag.total() / average)
            scores[chunk.chunk_id] += idf * 2.2 * bag[term] / (bag[term] + norm)
    return {key: score for key, score in scores.items() if score > 0}


def ranked(lexicon: Lexicon, query: Sequence[str], limit: int = 99) -> list[tuple[str, float]]:
    ranking = lexicon.search(query, limit)
    return list(zip(lexicon.chunk_ids(ranking.rows), ranking.scores.tolist(), strict=True))


def passing(lexicon: Lexicon, wanted: Filters) -> list[str]:
    return lexicon.chunk_ids(np.flatnonzero(lexicon.mask(wanted)))


def chunk(number: int, terms: str, memory: int | None = None) -> IndexEntry:
    memory_id = hex_id(number if memory is None else memory)
    return IndexEntry(hex_id(number), memory_id, terms, 0, "notes", ())


@unhurried
@given(histories, queries, st.integers(0, 8))
def test_scores_are_bm25_over_the_chunks_that_are_left(
    history: History, query: list[str], fold_at: int
) -> None:
    lexicon, expected = replay(history, Lexicon(fold_at=fold_at)), bm25(survivors(history), query)

    found = ranked(lexicon, query)

    assert dict(found) == pytest.approx(expected, rel=1e-5)
    assert [score for _, score in found] == sorted(dict(found).values(), reverse=True)
    assert all(score <= lexicon.best_possible(query) * 1.0001 for _, score in found)


@unhurried
@given(histories, queries, st.integers(0, 8), st.integers(0, 8))
def test_an_index_with_a_history_equals_a_fresh_one(
    history: History, query: list[str], fold_at: int, limit: int
) -> None:
    lexicon, fresh = (
        replay(history, Lexicon(fold_at=fold_at)),
        replay([survivors(history)], Lexicon(fold_at=0)),
    )

    assert ranked(lexicon, query, limit) == ranked(fresh, query, limit)
    assert lexicon.best_possible(query) == fresh.best_possible(query)
    assert len(lexicon) == len(fresh) == len(survivors(history))
    assert lexicon.memory_count == len({entry.memory_id for entry in survivors(history)})


@unhurried
@given(histories, filters, st.integers(0, 8))
def test_a_mask_passes_exactly_the_matching_chunks(
    history: History, wanted: Filters, fold_at: int
) -> None:
    lexicon = replay(history, Lexicon(fold_at=fold_at))

    assert passing(lexicon, wanted) == [
        entry.chunk_id
        for entry in survivors(history)
        if wanted.tags <= set(entry.tags)
        and wanted.source in {None, entry.source}
        and (wanted.from_ms is None or wanted.from_ms <= entry.timestamp_ms)
        and (wanted.to_ms is None or entry.timestamp_ms <= wanted.to_ms)
    ]


@unhurried
@given(histories, queries, filters, st.integers(0, 8))
def test_a_masked_search_is_the_search_without_the_masked_chunks(
    history: History, query: list[str], wanted: Filters, fold_at: int
) -> None:
    lexicon = replay(history, Lexicon(fold_at=fold_at))
    mask, everything = lexicon.mask(wanted), lexicon.search(query, 99)

    masked = lexicon.search(query, 99, mask)

    assert masked.rows.tolist() == [row for row in everything.rows.tolist() if mask[row]]
    assert masked.scores.tolist() == everything.scores[mask[everything.rows]].tolist()


@unhurried
@given(histories, queries, st.integers(0, 8))
def test_given_rows_score_as_in_a_search(history: History, query: list[str], fold_at: int) -> None:
    lexicon = replay(history, Lexicon(fold_at=fold_at))
    ids = [hex_id(number) for number in range(22)]

    scores = lexicon.scores_of(query, lexicon.rows_of(ids))

    found = dict(ranked(lexicon, query))
    assert scores.tolist() == [found.get(chunk_id, 0) for chunk_id in ids]


@unhurried
@given(histories, st.integers(0, 8))
def test_rows_lead_to_ids_and_back(history: History, fold_at: int) -> None:
    lexicon, left = replay(history, Lexicon(fold_at=fold_at)), survivors(history)
    gone = {hex_id(number) for number in range(22)} - {entry.chunk_id for entry in left}

    rows = lexicon.rows_of([entry.chunk_id for entry in left])

    assert lexicon.chunk_ids(rows) == [entry.chunk_id for entry in left]
    assert lexicon.memory_ids(rows) == [entry.memory_id for entry in left]
    assert lexicon.rows_of(list(gone)).tolist() == [-1] * len(gone)


@settings(unhurried, max_examples=40)
@given(histories, histories, queries, filters, st.integers(0, 8))
def test_a_loaded_index_answers_and_goes_on_like_the_saved_one(
    before: History, after: History, query: list[str], wanted: Filters, fold_at: int
) -> None:
    saved = replay(before, Lexicon(fold_at=fold_at))
    with TemporaryDirectory() as folder:
        saved.save(Path(folder, "index"), "17-3")
        loaded, position = Lexicon.load(Path(folder, "index"))

    replay(after, saved)
    replay(after, loaded)

    assert position == "17-3"
    assert ranked(loaded, query) == ranked(saved, query)
    assert passing(loaded, wanted) == passing(saved, wanted)


@pytest.mark.parametrize("limit", [1, 7, 90, 500])
def test_a_limit_keeps_the_best_of_many_and_the_lower_row_among_equals(limit: int) -> None:
    generator = random.Random(limit)
    lexicon = Lexicon()
    lexicon.add(
        [
            chunk(0, " ".join(generator.choices(WORDS, k=3)))._replace(chunk_id=f"{number:032x}")
            for number in range(3000)
        ]
    )

    best = lexicon.search(["ash", "elm", "elm"], limit)

    scores = lexicon.scores_of(["ash", "elm", "elm"], np.arange(3000))
    order = sorted(range(3000), key=lambda row: (-scores[row], row))
    assert best.rows.tolist() == order[:limit]


def test_a_term_repeated_in_the_query_counts_again() -> None:
    lexicon = Lexicon()
    lexicon.add([chunk(1, "ash"), chunk(2, "elm")])

    assert [key for key, _ in ranked(lexicon, ["ash", "elm", "elm"])] == [hex_id(2), hex_id(1)]


def test_a_term_repeated_thousands_of_times_is_counted_in_full() -> None:
    lexicon = Lexicon(b=0, fold_at=0)
    lexicon.add([chunk(number, "ash " * count) for number, count in enumerate([300, 50, 65_537])])

    assert [key for key, _ in ranked(lexicon, ["ash"])] == [hex_id(2), hex_id(0), hex_id(1)]


def test_a_chunk_that_is_there_is_not_replaced() -> None:
    lexicon = Lexicon()
    lexicon.add([chunk(1, "ash")])
    lexicon.add([chunk(1, "elm"), chunk(2, "elm")])

    assert [key for key, _ in ranked(lexicon, ["elm"])] == [hex_id(2)]


def test_a_removed_chunk_can_come_back_with_other_terms() -> None:
    lexicon = Lexicon()
    lexicon.add([chunk(1, "ash")])
    removed = lexicon.remove_memories([hex_id(1), hex_id(5)])
    lexicon.add([chunk(1, "elm")])

    assert removed == 1
    assert ranked(lexicon, ["ash"]) == []
    assert [key for key, _ in ranked(lexicon, ["elm"])] == [hex_id(1)]


def test_terms_nobody_holds_raise_the_best_possible_score() -> None:
    lexicon = Lexicon()
    lexicon.add([chunk(1, "ash"), chunk(2, "elm")])

    assert lexicon.best_possible(["ash", "unknown"]) > lexicon.best_possible(["ash"]) > 0


def test_filters_know_when_they_pass_everything() -> None:
    assert Filters().is_empty
    assert not Filters(source="").is_empty
    assert not Filters(from_ms=0).is_empty
