"""Other metadata for the same text: the memory stays what it is found by."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.fakes import CountingEmbedder
from zapomni_core import MemoryEngine, SearchFilters, Settings

pytestmark = pytest.mark.anyio

LONG = "\n\n".join(f"Paragraph {n} is about the harbour of Lisbon. " * 12 for n in range(12))


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
async def engine(settings: Settings, embedder: CountingEmbedder) -> AsyncIterator[MemoryEngine]:
    # Without a cache, so that whatever is embedded again is seen.
    chosen = settings.model_copy(update={"auto_graph": False, "embedding_cache_size": 0})
    async with MemoryEngine(chosen, embedder=embedder) as engine:
        yield engine


@pytest.mark.parametrize("text", ["Maria lives in Oslo", LONG])
@pytest.mark.parametrize("says_text", [False, True])
async def test_the_same_text_is_neither_cut_nor_embedded_again(
    engine: MemoryEngine, embedder: CountingEmbedder, text: str, says_text: bool
) -> None:
    added = await engine.add_memory(text, {"tags": ["a"], "mood": "good"})
    before = await engine.get_memory(added.memory_id)
    embedder.batches.clear()

    updated = await engine.update_memory(
        added.memory_id, text if says_text else None, {"tags": ["b"], "source": "me"}
    )

    memory = await engine.get_memory(added.memory_id)
    assert embedder.batches == []
    assert (updated.memory_id, updated.is_changed) == (added.memory_id, True)
    assert updated.chunks == len(before.chunks)
    assert (memory.text, memory.chunks) == (before.text, before.chunks)
    assert memory.metadata == {"tags": ["b"], "mood": "good", "source": "me"}
    assert (memory.created_at, memory.timestamp) == (before.created_at, before.timestamp)
    (old,) = memory.history
    assert (old.text, old.metadata, old.until) == (before.text, before.metadata, memory.changed_at)


async def test_lists_and_searches_know_the_new_labels(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria lives in Oslo", {"tags": ["a"], "source": "mail"})
    await engine.search_memory("Oslo")

    await engine.update_memory(added.memory_id, None, {"tags": ["b"], "source": "letter"})

    for filters, count in (
        (SearchFilters(tags=("a",)), 0),
        (SearchFilters(tags=("b",)), 1),
        (SearchFilters(source="mail"), 0),
        (SearchFilters(source="letter"), 1),
    ):
        assert (await engine.search_memory("Oslo", filters=filters)).count == count
        assert (await engine.list_memories(filters)).total == count


async def test_a_duplicate_is_known_by_its_new_place(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria lives in Oslo", {"source": "mail"})
    await engine.update_memory(added.memory_id, None, {"source": "letter"})

    same = await engine.add_memory("Maria lives in Oslo", {"source": "letter"})
    other = await engine.add_memory("Maria lives in Oslo", {"source": "mail"})

    assert (same.memory_id, same.is_duplicate) == (added.memory_id, True)
    assert not other.is_duplicate


async def test_the_tags_of_a_duplicate_cost_no_embedding(
    engine: MemoryEngine, embedder: CountingEmbedder
) -> None:
    added = await engine.add_memory("Maria lives in Oslo", {"tags": ["a"]})
    embedder.batches.clear()

    await engine.add_memory("Maria lives in Oslo", {"tags": ["b"]})

    assert (await engine.get_memory(added.memory_id)).tags == ("a", "b")
    assert embedder.batches == []


async def test_all_tags_stay_that_the_same_text_is_given_at_once(settings: Settings) -> None:
    async with MemoryEngine(settings) as one, MemoryEngine(settings) as other:
        added = await one.add_memory("Maria lives in Oslo")
        tags = [f"t{number}" for number in range(8)]

        again = zip((one, other) * 4, tags, strict=True)
        await asyncio.gather(
            *(each.add_memory("Maria lives in Oslo", {"tags": [tag]}) for each, tag in again)
        )

        assert sorted((await one.get_memory(added.memory_id)).tags) == tags


async def test_changes_that_come_at_once_are_made_one_after_the_other(
    engine: MemoryEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_core.life.memories._MOST_TRIES", 1)
    added = await engine.add_memory("Maria lives in Oslo")

    await asyncio.gather(
        *(engine.update_memory(added.memory_id, None, {f"f{n}": n}) for n in range(20)),
        *(engine.add_memory("Maria lives in Oslo", {"tags": [f"t{n}"]}) for n in range(20)),
    )

    memory = await engine.get_memory(added.memory_id)
    assert len(memory.tags) == 20
    assert {f"f{n}": n for n in range(20)}.items() <= memory.metadata.items()


async def test_a_tag_that_is_a_secret_is_hidden_in_a_duplicate(engine: MemoryEngine) -> None:
    token = "ghp_" + "a1B2" * 9
    added = await engine.add_memory("Maria lives in Oslo", {"tags": ["a"]})

    for _ in range(2):
        await engine.add_memory("Maria lives in Oslo", {"tags": [token]})

    assert (await engine.get_memory(added.memory_id)).tags == ("a", "[redacted: GitHub token]")


@pytest.mark.parametrize("changes", [{"speaker": "Ben"}, {"language": "python"}])
async def test_what_changes_the_words_to_find_is_embedded(
    engine: MemoryEngine, embedder: CountingEmbedder, changes: dict[str, Any]
) -> None:
    added = await engine.add_memory("I live in Oslo", {"speaker": "Maria", "session": "monday"})
    embedder.batches.clear()

    await engine.update_memory(added.memory_id, None, changes)

    assert embedder.batches != []


async def test_pins_and_ends_are_changed(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria lives in Oslo")

    await engine.update_memory(added.memory_id, None, {"pinned": True, "expires": "2000-01-01"})
    pinned = await engine.get_memory(added.memory_id)
    await engine.update_memory(added.memory_id, None, {"pinned": None})

    assert (pinned.is_pinned, pinned.expires_at is None) == (True, False)
    assert (await engine.list_memories()).total == 0


async def test_the_graph_is_read_again_if_something_was_said_at_another_time(
    engine: MemoryEngine,
) -> None:
    added = await engine.add_memory("Maria Silva works at Acme since the spring.")
    await engine.build_graph()

    await engine.update_memory(added.memory_id, None, {"tags": ["work"]})
    tagged = await engine.graph_status()
    await engine.update_memory(added.memory_id, None, {"timestamp": "2020-05-01"})
    moved = await engine.graph_status()

    assert (tagged.memories_built, moved.memories_built) == (1, 0)


async def test_what_was_told_is_known_whatever_its_labels_are_since(engine: MemoryEngine) -> None:
    first = await engine.add_memory("Maria lives in Oslo")
    await engine.search_memory("Oslo")
    await engine.update_memory(first.memory_id, None, {"mood": "good"})
    again = [
        await engine.add_memory("Maria lives in Oslo", {"source": "notes", "tags": tags})
        for tags in ([], ["ops"], [])
    ]

    assert [each.memory_id for each in again] == [first.memory_id] * 3
    assert all(each.is_duplicate for each in again)


async def test_what_was_told_is_new_once_the_text_and_then_a_label_changed(
    engine: MemoryEngine,
) -> None:
    first = await engine.add_memory("Priya reports to Mark")
    await engine.get_memory(first.memory_id)
    await engine.update_memory(first.memory_id, "It is wrong that Priya reports to Mark")
    await engine.update_memory(first.memory_id, None, {"mood": "good"})
    await engine.prune_memory(["history"], dry_run=False, older_than_days=0)

    second = await engine.add_memory("Priya reports to Mark")

    assert not second.is_duplicate
