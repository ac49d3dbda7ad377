"""Search: exact filters at every size, one result per memory first, best first."""

import uuid
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.folders import fresh_settings, keyspace_of
from zapomni_core import MemoryEngine, SearchFilters
from zapomni_core.retrieval import Filters, Searcher, WordIndex, recipe_for
from zapomni_db import (
    ChunkRecord,
    EmbeddedAddress,
    EmbeddingStamp,
    MemoryRecord,
    Store,
    Vector,
)

pytestmark = pytest.mark.anyio

DIMENSION = 16
# More than are compared one by one.
MANY = 2_400
FEW = 30
DAY_MS = 86_400_000


class Library:
    """A store with many small memories of known vectors, and a searcher in it."""

    def __init__(self, store: Store, index: WordIndex) -> None:
        self.store = store
        self.searcher = Searcher(store, index, recipe_for("test"))
        self.vectors: dict[str, Vector] = {}
        self.memories: dict[str, MemoryRecord] = {}

    async def fill(self, count: int, seed: int = 7) -> None:
        """Store memories: all have one tag, a few have another one too."""
        numbers = np.random.default_rng(seed).standard_normal((count, DIMENSION))
        samples = []
        for i, row in enumerate(numbers.astype(np.float32)):
            tags = ("all", "few") if i % (MANY // FEW) == 0 else ("all",)
            text = f"Entry {i}"
            memory = MemoryRecord(uuid.uuid4().hex, text, 0, i * DAY_MS, f"s{i % 7}", tags, "{}")
            chunk = ChunkRecord(uuid.uuid4().hex, 0, 0, len(text), text, f"entri {i}", row)
            samples.append((memory, [chunk]))
            self.vectors[memory.id], self.memories[memory.id] = row, memory
        for first in range(0, count, 400):
            await self.store.add_many(samples[first : first + 400])

    def ranking(self, query: Vector, allowed: list[str]) -> list[str]:
        """Order memories by exact cosine similarity."""
        rows = np.array([self.vectors[memory_id] for memory_id in allowed])
        similarity = rows @ query / np.linalg.norm(rows, axis=1)
        return [allowed[i] for i in np.argsort(-similarity)]

    async def search(self, query: Vector, limit: int, filters: Filters) -> list[str]:
        """Search by vector; the words of the question are in no memory."""
        question = await self.searcher.ask("unheard", limit, filters)
        hits = await self.searcher.answer(question, query, {})
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)
        return [hit.record.memory_id for hit in hits]


@pytest.fixture
async def library(memory_folder: Path) -> AsyncIterator[Library]:
    settings = fresh_settings(memory_folder)
    store = Store(EmbeddedAddress(memory_folder), keyspace_of(settings))
    await store.open()
    await store.claim(EmbeddingStamp("test", DIMENSION))
    with ThreadPoolExecutor(1) as executor:
        index = WordIndex(store, executor, memory_folder / f"{settings.graph_name}.words")
        await index.load()
        yield Library(store, index)
    await store.close()


def unit(seed: int) -> Vector:
    vector = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


async def test_filters_are_exact_with_few_and_with_many_allowed(library: Library) -> None:
    await library.fill(MANY)
    everything = list(library.memories)
    few = [i for i in everything if "few" in library.memories[i].tags]
    assert len(few) == FEW

    for seed in range(3):
        query = unit(seed)
        found_few = await library.search(query, 10, Filters(tags=frozenset({"few"})))
        found_many = await library.search(query, 10, Filters(tags=frozenset({"all"})))
        found_all = await library.search(query, 10, Filters())

        assert found_few == library.ranking(query, few)[:10]
        best = library.ranking(query, everything)[:10]
        assert len(set(found_many) & set(best)) >= 8
        assert len(set(found_all) & set(best)) >= 8
        assert found_many[0] == found_all[0] == best[0]


async def test_a_filter_that_allows_many_but_not_the_nearest_finds_enough(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_core.retrieval.search._COMPARE_ALL", 10)
    await library.fill(600)
    query = unit(1)
    far = library.ranking(query, list(library.memories))[300:]
    source = library.memories[far[0]].source
    last = max(library.memories[i].timestamp_ms for i in library.memories)
    filters = Filters(source=source, from_ms=0, to_ms=last)

    found = await library.search(query, 20, filters)

    allowed = [i for i, memory in library.memories.items() if memory.source == source]
    assert len(found) == 20
    assert set(found) <= set(allowed)
    assert len(set(found) & set(library.ranking(query, allowed)[:20])) >= 18


async def test_a_filter_by_time_includes_both_ends(library: Library) -> None:
    await library.fill(40)
    times = sorted(memory.timestamp_ms for memory in library.memories.values())

    found = await library.search(unit(1), 100, Filters(from_ms=times[10], to_ms=times[14]))

    assert sorted(library.memories[i].timestamp_ms for i in found) == times[10:15]


async def test_a_filter_that_nothing_meets_finds_nothing(library: Library) -> None:
    await library.fill(40)

    for filters in (Filters(source="nobody"), Filters(tags=frozenset({"no", "all"}))):
        assert await library.search(unit(1), 10, filters) == []


async def test_an_empty_store_answers_with_nothing(engine: MemoryEngine) -> None:
    for filters in (None, SearchFilters(tags=("a",))):
        found = await engine.search_memory("anything", 10, filters)
        assert (found.results, found.notice) == ((), None)


async def test_every_memory_comes_once_before_any_comes_twice(engine: MemoryEngine) -> None:
    chapters = "\n\n".join(f"Chapter {i}. {'The whale swims north. ' * 60}" for i in range(4))
    whales = await engine.add_memory(chapters)
    assert whales.chunks_created > 4
    others = [
        (await engine.add_memory(text)).memory_id
        for text in ("The boiler was serviced.", "Rent is due in May.", "Buy more flour.")
    ]

    few = [item.memory_id for item in (await engine.search_memory("whale", 4)).results]
    many = [item.memory_id for item in (await engine.search_memory("whale", 8)).results]

    assert sorted(few) == sorted([whales.memory_id, *others])
    assert len(many) == 8
    assert many.count(whales.memory_id) == 5
    assert set(many) == {whales.memory_id, *others}


async def test_a_rare_word_is_found_among_many_similar_texts(engine: MemoryEngine) -> None:
    for i in range(30):
        await engine.add_memory(f"Ticket {i}: the printer on floor {i} is out of paper.")
    await engine.add_memory("Ticket QX-7731: the printer in the lobby is out of paper.")

    found = await engine.search_memory("QX-7731", 3)

    assert "QX-7731" in found.results[0].text


async def test_the_word_leg_keeps_to_the_filters_too(engine: MemoryEngine) -> None:
    await engine.add_memory("zyzzyva here", {"tags": ["wrong"]})
    await engine.add_memory("something else", {"tags": ["right"]})

    found = await engine.search_memory("zyzzyva", 10, SearchFilters(tags=("right",)))

    assert [item.text for item in found.results] == ["something else"]
