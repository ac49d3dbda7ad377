"""Memories with an end: found until then, and known no longer."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from tests.zapomni_core.life.asking import count, expire, texts_found
from zapomni_core import MemoryEngine, Settings, ValidationError
from zapomni_core.knowledge.results import Related

pytestmark = pytest.mark.anyio


async def test_an_expired_memory_is_not_found_and_pruned_on_request(settings: Settings) -> None:
    async with MemoryEngine(settings) as engine:
        added = await engine.add_memory("Parked on level 3", {"ttl": "PT1H"})
        pinned = await engine.add_memory("Parked for ever", {"ttl": "PT1H", "pinned": True})
        known = await engine.get_memory(added.memory_id)
        for each in (added, pinned):
            await expire(engine, each.memory_id)

        found = await texts_found(engine, "parked")
        dry = await engine.prune_memory(["expired"])
        wet = await engine.prune_memory(["expired"], dry_run=False)

        assert known.expires_at is not None
        assert known.expires_at - known.created_at == timedelta(hours=1)
        assert found == ["Parked for ever"]
        assert (dry.is_dry_run, dry.kinds[0].count) == (True, 1)
        assert dry.kinds[0].examples == (added.memory_id,)
        assert (wet.is_dry_run, wet.kinds[0].count) == (False, 1)
        assert await count(engine) == 1


async def test_a_memory_that_would_never_be_found_is_refused(engine: MemoryEngine) -> None:
    with pytest.raises(ValidationError, match=r"metadata\.expires is over already"):
        await engine.add_memory("Too late", {"expires": "2020-01-01"})

    assert await count(engine) == 0


async def test_the_end_of_a_memory_can_be_moved(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Parked on level 3", {"ttl": "PT1H"})

    await engine.update_memory(added.memory_id, metadata={"expires": "2999-01-01T00:00:00Z"})

    memory = await engine.get_memory(added.memory_id)
    assert memory.expires_at == datetime(2999, 1, 1, tzinfo=UTC)
    assert "ttl" not in memory.metadata


async def test_what_is_stored_again_has_no_history_of_that(engine: MemoryEngine) -> None:
    first = await engine.add_memory("Standup at ten", {"ttl": "P1D"})
    for number in range(5):
        await engine.add_memory(
            "Standup at ten", {"ttl": f"P{number + 2}D", "tags": [f"{number}"]}
        )
    again = await engine.get_memory(first.memory_id)
    await engine.update_memory(first.memory_id, "Standup at eleven")

    memory = await engine.get_memory(first.memory_id)
    (old,) = memory.history
    assert (again.history, again.changed_at, len(again.tags)) == ((), None, 5)
    assert (old.since, old.until) == (memory.created_at, memory.changed_at)


async def test_what_is_stored_at_once_lives_on_if_one_asks_for_no_end(
    settings: Settings,
) -> None:
    async with MemoryEngine(settings) as one, MemoryEngine(settings) as other:
        for number in range(5):
            text = f"The alarm code is nine-two-{number}"
            first = await one.add_memory(text, {"ttl": "PT1H"})

            await asyncio.gather(
                one.add_memory(text, {"ttl": "P1D"}),
                other.add_memory(text),
                other.add_memory(text, {"ttl": "P2D"}),
                one.add_memory(text),
            )

            assert (await one.get_memory(first.memory_id)).expires_at is None


async def test_what_an_expired_memory_said_is_no_longer_known(engine: MemoryEngine) -> None:
    kept = await engine.add_memory("Anna Petrova works at Siemens.")
    gone = await engine.add_memory("Anna Petrova lives in Vienna.", {"ttl": "PT1H"})
    await engine.build_graph()
    before = await engine.get_related("Anna Petrova")
    await expire(engine, gone.memory_id)

    after = await engine.get_related("Anna Petrova")
    await engine.build_graph()
    status = await engine.graph_status()

    def told(related: Related) -> set[str]:
        return {each.memory_id for one in related.relations for each in one.evidence}

    assert told(before) == {kept.memory_id, gone.memory_id}
    assert told(after) == {kept.memory_id}
    assert (await engine.get_related("Vienna")).entity is None
    assert (status.memories_built, status.memories_total) == (1, 1)
