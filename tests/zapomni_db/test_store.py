"""A store keeps what it acknowledged and gives it back, whatever kind of database is below."""

import asyncio
import json
from dataclasses import replace

import numpy as np
import pytest

from tests.zapomni_db.samples import STAMP, fresh_keyspace, opened, sample, unit_vector
from zapomni_db import (
    START,
    Address,
    Change,
    ChunkRecord,
    HitRecord,
    IndexEntry,
    Keyspace,
    MemoryRecord,
    Store,
    StoreError,
    Vector,
)

pytestmark = pytest.mark.anyio

QUANTISATION_ERROR = 0.02
NASTY_TEXTS = [
    "It's \"quoted\", 'twice' and `once`",
    "C:\\new\\table\\u0041 \\\\ \\\" \\' \\x00 one at the end \\",
    "first\nsecond\r\nthird\ttabbed\v\f\x1b[0m",
    "emoji 👩‍👩‍👧‍👦 🇺🇦, accents e\u0301 é, right to left שלום, zero width \u200b\ufeff",
    '"}) DETACH DELETE (n) //',
    "x' OR 1=1 RETURN * UNION MATCH (n) DELETE n; CYPHER id=1",
    "$id {id: $id} ${id} %(id)s ` /* comment */ -- end",
    "  leading and trailing spaces  ",
    "\x01\x7f\u2028\u2029\U0010ffff",
]


def _hit(memory: MemoryRecord, chunk: ChunkRecord) -> HitRecord:
    place = (chunk.id, memory.id, chunk.index, chunk.start, chunk.end)
    about = (memory.source, memory.tags, memory.timestamp_ms, memory.metadata_json)
    return HitRecord(*place, chunk.text, *about)


def _entry(memory: MemoryRecord, chunk: ChunkRecord) -> IndexEntry:
    about = (memory.timestamp_ms, memory.source, memory.tags)
    return IndexEntry(
        chunk.id,
        memory.id,
        chunk.terms,
        *about,
        created_ms=memory.created_ms,
        is_head=chunk.index == 0,
    )


async def _everything(store: Store) -> list[IndexEntry]:
    return [entry async for page in store.all_entries() for entry in page]


def _cosine(left: Vector, right: Vector) -> float:
    a, b = left.astype(np.float64), right.astype(np.float64)
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


async def test_text_comes_back_exactly_as_it_was_given(store: Store) -> None:
    samples = [
        sample(text, source=text, tags=(text, "plain"), metadata_json=json.dumps({"note": text}))
        for text in NASTY_TEXTS
    ]

    for memory, chunks in samples:
        await store.add(memory, chunks)

    for memory, chunks in samples:
        assert await store.hits([chunks[0].id]) == [_hit(memory, chunks[0])]
    assert (await store.counts()).memories == len(NASTY_TEXTS)


async def test_hits_of_unknown_chunks_are_left_out(store: Store) -> None:
    memory, chunks = sample()
    await store.add(memory, chunks)

    found = await store.hits(["0" * 32, chunks[0].id])

    assert found == [_hit(memory, chunks[0])]


async def test_a_long_memory_appears_with_all_its_chunks_and_in_the_log_once(store: Store) -> None:
    memory, chunks = sample(chunks=120)

    await store.add(memory, chunks)

    expected = [_entry(memory, chunk) for chunk in chunks]
    assert sorted(await store.entries_of([memory.id]), key=str) == sorted(expected, key=str)
    assert [c.memory_id for c in await store.changes_since(START)] == [memory.id]


async def test_many_small_memories_are_written_at_once(store: Store) -> None:
    samples = [sample(f"memory {number}", chunks=1 + number % 2) for number in range(30)]

    await store.add_many(samples)

    expected = [_hit(memory, chunk) for memory, chunks in samples for chunk in chunks]
    found = await store.hits([hit.chunk_id for hit in expected])
    assert sorted(found, key=str) == sorted(expected, key=str)
    changes = await store.changes_since(START)
    assert [change.memory_id for change in changes] == [memory.id for memory, _ in samples]
    assert (await store.check()).did_nothing


async def test_a_reader_never_sees_a_part_of_a_long_memory(
    store: Store, address: Address, keyspace: Keyspace
) -> None:
    memory, chunks = sample(chunks=120)
    ids = [chunk.id for chunk in chunks]
    seen: set[int] = set()

    async with opened(address, keyspace) as reader:
        writing = asyncio.create_task(store.add(memory, chunks))
        while not writing.done():
            seen |= {len(await reader.entries_of([memory.id])), len(await reader.hits(ids))}
        await writing
        seen |= {len(await reader.entries_of([memory.id])), len(await reader.hits(ids))}

    assert seen == {0, 120}


async def test_similarities_are_exact_cosines(store: Store) -> None:
    memory, chunks = sample(chunks=60)
    await store.add(memory, chunks)
    query = unit_vector()

    found = await store.similarities(query, [chunk.id for chunk in chunks[:30]])

    expected = {chunk.id: _cosine(query, chunk.embedding) for chunk in chunks[:30]}
    assert found == pytest.approx(expected, abs=1e-6)


async def test_the_nearest_chunks_are_found_with_their_cosines(store: Store) -> None:
    memory, chunks = sample(chunks=60)
    await store.add(memory, chunks)
    query = chunks[17].embedding

    found = await store.nearest(query, 10)

    cosines = {chunk.id: _cosine(query, chunk.embedding) for chunk in chunks}
    assert len(found) == 10
    assert max(found, key=lambda chunk_id: found[chunk_id]) == chunks[17].id
    assert found == pytest.approx({i: cosines[i] for i in found}, abs=QUANTISATION_ERROR)
    tenth = sorted(cosines.values(), reverse=True)[9]
    assert min(cosines[i] for i in found) >= tenth - QUANTISATION_ERROR


async def test_the_nearest_in_an_empty_store_are_nobody(store: Store) -> None:
    assert await store.nearest(unit_vector(), 10) == {}
    assert await store.similarities(unit_vector(), []) == {}


@pytest.mark.parametrize("count", [3, 120])
async def test_adding_the_same_memory_twice_leaves_one(store: Store, count: int) -> None:
    memory, chunks = sample(chunks=count)

    await store.add(memory, chunks)
    await store.add(memory, chunks)

    counts = await store.counts()
    assert (counts.memories, counts.chunks, counts.vectors) == (1, count, count)
    assert len(await store.hits([chunk.id for chunk in chunks])) == count


async def test_removing_takes_a_memory_out_of_graph_vectors_and_everybodys_index(
    store: Store,
) -> None:
    (memory, chunks), (other, other_chunks) = sample(chunks=60), sample()
    await store.add(memory, chunks)
    await store.add(other, other_chunks)
    position = await store.position()

    await store.remove(memory.id)

    counts = await store.counts()
    assert (counts.memories, counts.chunks, counts.vectors) == (1, 1, 1)
    assert await store.hits([chunks[0].id, other_chunks[0].id]) == [_hit(other, other_chunks[0])]
    assert set(await store.nearest(chunks[0].embedding, 100)) == {other_chunks[0].id}
    assert await store.changes_since(position) == [
        Change(await store.position(), memory.id, is_removal=True)
    ]


async def test_entries_are_listed_for_some_memories_or_for_all(store: Store) -> None:
    first, second = sample(chunks=2, tags=("a", "b c")), sample("pine", source="book")
    for memory, chunks in (first, second):
        await store.add(memory, chunks)

    expected = [_entry(memory, chunk) for memory, chunks in (first, second) for chunk in chunks]
    assert sorted(await _everything(store), key=str) == sorted(expected, key=str)
    assert await store.entries_of([second[0].id]) == [_entry(second[0], second[1][0])]
    assert await store.entries_of([]) == []


async def test_all_entries_of_an_empty_store_are_none(store: Store) -> None:
    assert await _everything(store) == []


async def test_counts_tell_size_and_content(store: Store) -> None:
    await store.add(*sample(chunks=3))
    await store.add(*sample(chunks=1))

    counts = await store.counts()

    assert (counts.memories, counts.chunks, counts.vectors) == (2, 4, 4)
    assert counts.memory_bytes > 0
    assert not counts.is_indexing


async def test_a_reopened_store_still_holds_everything(
    address: Address, keyspace: Keyspace
) -> None:
    memory, chunks = sample('🌲 "pine"', chunks=2)
    async with opened(address, keyspace) as first:
        await first.add(memory, chunks)
        store_id, position = first.store_id, await first.position()

    async with opened(address, keyspace) as second:
        assert second.store_id == store_id
        assert await second.position() == position
        assert await second.hits([chunks[1].id]) == [_hit(memory, chunks[1])]
        assert set(await second.nearest(chunks[0].embedding, 1)) == {chunks[0].id}


async def test_stores_with_different_graph_names_do_not_see_each_other(
    store: Store, address: Address
) -> None:
    memory, chunks = sample()
    await store.add(memory, chunks)

    async with opened(address, fresh_keyspace()) as other:
        assert other.store_id != store.store_id
        assert await other.hits([chunks[0].id]) == []
        assert await _everything(other) == []
        assert await other.nearest(chunks[0].embedding, 10) == {}
        await other.remove(memory.id)

    assert await store.hits([chunks[0].id]) == [_hit(memory, chunks[0])]


async def test_concurrent_writers_all_land(
    store: Store, address: Address, keyspace: Keyspace
) -> None:
    samples = [sample(f"memory {number}", chunks=1 + number % 3) for number in range(20)]

    async with opened(address, keyspace) as second:
        writers = (store, second)
        await asyncio.gather(*(writers[i % 2].add(*one) for i, one in enumerate(samples)))

    counts = await store.counts()
    chunks = sum(len(chunks) for _, chunks in samples)
    assert (counts.memories, counts.chunks, counts.vectors) == (20, chunks, chunks)
    logged = {change.memory_id for change in await store.changes_since(START)}
    assert logged == {memory.id for memory, _ in samples}


async def test_a_refused_write_leaves_nothing_behind(store: Store) -> None:
    memory, chunks = sample(chunks=60)
    too_long = np.ones(STAMP.dimension + 1, np.float32)
    await store.add(*sample())

    with pytest.raises(StoreError):
        await store.add(memory, [*chunks[:-1], replace(chunks[-1], embedding=too_long)])

    counts = await store.counts()
    assert (counts.memories, counts.chunks, counts.vectors) == (1, 1, 1)
    assert await store.entries_of([memory.id]) == []
