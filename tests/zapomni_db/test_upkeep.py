"""A store refuses what it must not touch, and heals what an interrupted write left behind."""

import time
from contextlib import suppress

import anyio
import pytest

from tests.zapomni_db.samples import NOW_MS, STAMP, Sample, opened, sample
from tests.zapomni_db.servers import Server
from zapomni_db import (
    START,
    Address,
    EmbeddedAddress,
    EmbeddingStamp,
    Keyspace,
    RepairReport,
    Store,
    StoreMismatch,
)
from zapomni_db.graph import Graph

pytestmark = pytest.mark.anyio

LONG_AGO_MS = NOW_MS - 365 * 86_400_000


async def _add_unfinished(store: Store, unfinished: Sample) -> None:
    memory, chunks = unfinished
    commands = store._commands(memory, chunks, is_first=True, is_last=False)
    await store._connection.transaction(commands)


async def _is_seen(store: Store, one: Sample) -> bool:
    memory, chunks = one
    listed = [entry.memory_id async for page in store.all_entries() for entry in page]
    hits = await store.hits([chunk.id for chunk in chunks])
    changes = await store.changes_since(START)
    entries = await store.entries_of([memory.id])
    return bool(hits or entries or memory.id in {*listed, *(c.memory_id for c in changes)})


async def _content(store: Store, keyspace: Keyspace) -> list[object]:
    graph = Graph(store._connection, keyspace.graph)
    keys = (keyspace.about, keyspace.changes, keyspace.vectors(STAMP.model_id))
    return [
        sorted(await graph.read("MATCH (n) RETURN labels(n), properties(n)"), key=str),
        sorted(await graph.read("MATCH (a)-[r]->(b) RETURN a.id, type(r), b.id")),
        *[await store._connection.execute("DUMP", key) for key in keys],
    ]


async def test_a_store_bound_to_another_model_is_refused_with_the_way_out(
    store: Store, address: Address, keyspace: Keyspace
) -> None:
    memory, chunks = sample()
    await store.add(memory, chunks)

    with pytest.raises(StoreMismatch, match=r"test-model.*GRAPH_NAME"):
        await store.claim(EmbeddingStamp("another-model", STAMP.dimension))
    with pytest.raises(StoreMismatch):
        await store.claim(EmbeddingStamp(STAMP.model_id, STAMP.dimension * 2))

    async with opened(address, keyspace) as again:
        assert set(await again.nearest(chunks[0].embedding, 10)) == {chunks[0].id}


async def test_a_store_with_a_newer_schema_is_refused_and_left_as_it_is(
    store: Store, address: Address, keyspace: Keyspace
) -> None:
    await store.add(*sample())
    await store._connection.execute("HSET", keyspace.about, "schema", "1000")
    before = await _content(store, keyspace)
    newer = Store(address, keyspace)

    with pytest.raises(StoreMismatch, match="newer Zapomni"):
        await newer.open()

    assert await _content(store, keyspace) == before


async def test_unfinished_memories_are_invisible(store: Store) -> None:
    unfinished = sample(chunks=3)

    await _add_unfinished(store, unfinished)

    assert not await _is_seen(store, unfinished)


async def test_a_check_discards_only_unfinished_memories_that_are_old(store: Store) -> None:
    finished, abandoned = sample(created_ms=LONG_AGO_MS), sample(created_ms=LONG_AGO_MS, chunks=3)
    being_written = sample(created_ms=int(time.time() * 1000), chunks=2)
    await store.add(*finished)
    await _add_unfinished(store, abandoned)
    await _add_unfinished(store, being_written)

    assert await store.check() == RepairReport(memories_discarded=1)

    counts = await store.counts()
    assert (counts.memories, counts.chunks, counts.vectors) == (2, 3, 3)
    assert await _is_seen(store, finished)
    await store.add(*being_written)
    assert await _is_seen(store, being_written)
    assert (await store.check()).did_nothing


async def test_a_cancelled_write_stays_invisible_until_a_check_clears_it_away(
    store: Store, address: Address, keyspace: Keyspace
) -> None:
    cancelled = sample(chunks=2000, created_ms=LONG_AGO_MS)

    async with opened(address, keyspace) as observer, anyio.create_task_group() as group:
        group.start_soon(store.add, *cancelled)
        while not (await observer.counts()).chunks:
            assert not await _is_seen(observer, cancelled)
        group.cancel_scope.cancel()

    assert await store.entries_of([cancelled[0].id]) == []
    while not (await store.check()).did_nothing:
        pass
    counts = await store.counts()
    assert (counts.memories, counts.chunks, counts.vectors) == (0, 0, 0)


async def test_a_check_restores_vectors_that_are_missing(store: Store, keyspace: Keyspace) -> None:
    memory, chunks = sample(chunks=30)
    await store.add(memory, chunks)
    before = await store.nearest(chunks[3].embedding, 30)
    for chunk in chunks[:10]:
        key = keyspace.vectors(STAMP.model_id)
        await store._connection.execute("VREM", key, chunk.id)

    assert await store.check() == RepairReport(vectors_restored=10)

    assert await store.nearest(chunks[3].embedding, 30) == before
    assert (await store.check()).did_nothing


async def test_a_check_rebuilds_a_vector_set_that_is_gone(
    store: Store, keyspace: Keyspace
) -> None:
    memory, chunks = sample(chunks=3)
    await store.add(memory, chunks)
    await store._connection.execute("DEL", keyspace.vectors(STAMP.model_id))

    assert await store.check() == RepairReport(vectors_restored=3)

    assert set(await store.nearest(chunks[0].embedding, 10)) == {chunk.id for chunk in chunks}


async def test_a_check_removes_vectors_without_a_chunk(store: Store) -> None:
    memory, chunks = sample(chunks=3)
    await store.add(memory, chunks)
    _, orphans = sample(chunks=2)
    for orphan in orphans:
        await store._connection.execute(*store._vector_set.add(orphan.id, orphan.embedding))

    assert await store.check() == RepairReport(vectors_removed=2)

    assert set(await store.nearest(chunks[0].embedding, 10)) == {chunk.id for chunk in chunks}


async def test_a_check_of_a_whole_store_changes_nothing(store: Store, keyspace: Keyspace) -> None:
    await store.add(*sample(chunks=60))
    before = await _content(store, keyspace)

    assert (await store.check()).did_nothing

    assert await _content(store, keyspace) == before


async def _growth_until_rewritten(store: Store) -> int:
    _, percent = await store._connection.execute("CONFIG", "GET", "auto-aof-rewrite-percentage")
    return int(percent)


async def test_the_log_is_left_alone_while_much_is_written(
    embedded: EmbeddedAddress, keyspace: Keyspace
) -> None:
    async with opened(embedded, keyspace) as store:
        usual = await _growth_until_rewritten(store)
        with suppress(ZeroDivisionError):
            async with store.code.much_to_write():
                assert await _growth_until_rewritten(store) == 0
                raise ZeroDivisionError
        assert await _growth_until_rewritten(store) == usual > 0


async def test_the_log_of_a_server_is_not_our_business(server: Server, keyspace: Keyspace) -> None:
    async with opened(server.address, keyspace) as store:
        usual = await _growth_until_rewritten(store)
        async with store.code.much_to_write():
            assert await _growth_until_rewritten(store) == usual > 0
