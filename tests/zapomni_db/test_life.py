"""Single memories in the store: replaced as a whole, kept as history, cleared."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.folders import database_process
from tests.zapomni_db.knowledge_samples import EXTRACTOR, knowledge
from tests.zapomni_db.samples import Sample, fresh_keyspace, opened, sample
from zapomni_db import EmbeddedAddress, Store, StoreError

pytestmark = pytest.mark.anyio

NOW_MS = time.time_ns() // 1_000_000


def version_of(first: Sample, text: str, chunks: int = 1) -> Sample:
    memory, pieces = sample(text, chunks=chunks)
    return replace(memory, id=first[0].id), pieces


async def text_in(store: Store, memory_id: str) -> str | None:
    stored = await store.life.whole(memory_id, NOW_MS)
    return None if stored is None else stored.record.text


@pytest.mark.parametrize("chunks", [1, 3, 120])
async def test_a_version_takes_the_place_of_the_old_one(store: Store, chunks: int) -> None:
    first = sample("the walrus sleeps", metadata_json='{"a":1}')
    memory, pieces = version_of(first, "the walrus wakes", chunks)
    await store.add(*first)

    position = await store.replace(memory, pieces, NOW_MS)

    stored = await store.life.whole(memory.id, NOW_MS)
    (old,) = await store.life.versions(memory.id)
    (_, change) = await store.changes_since("0-0")
    counts = await store.counts()
    assert stored is not None
    assert (stored.record.text, stored.changed_ms) == ("the walrus wakes", NOW_MS)
    assert stored.record.created_ms == first[0].created_ms
    assert [chunk_id for chunk_id, _, _ in stored.chunks] == [piece.id for piece in pieces]
    assert (old.text, old.metadata_json, old.until_ms) == ("the walrus sleeps", '{"a":1}', NOW_MS)
    assert (change.position, change.memory_id, change.is_update) == (position, memory.id, True)
    assert (counts.memories, counts.chunks, counts.vectors) == (1, chunks, chunks)


async def test_a_memory_that_is_gone_is_not_replaced(store: Store) -> None:
    memory, pieces = sample("nobody knows me")

    position = await store.replace(memory, pieces, NOW_MS)

    counts = await store.counts()
    assert position is None
    assert (counts.memories, counts.chunks, counts.vectors) == (0, 0, 0)


async def test_whoever_reads_meanwhile_sees_one_version_or_another(store: Store) -> None:
    first = sample("version 0")
    await store.add(*first)
    seen: list[str | None] = []

    async def read() -> None:
        seen.extend([await text_in(store, first[0].id) for _ in range(60)])

    async def write() -> None:
        for number in range(1, 16):
            memory, pieces = version_of(first, f"version {number}", 3)
            await store.replace(memory, pieces, NOW_MS + number)

    await asyncio.gather(read(), read(), write())

    assert set(seen) <= {f"version {number}" for number in range(16)}
    assert len(await store.life.versions(first[0].id)) == 15


async def test_a_killed_database_has_the_old_version_or_the_new_one(tmp_path: Path) -> None:
    first = sample("version 0")
    async with opened(EmbeddedAddress(tmp_path), fresh_keyspace()) as store:
        await store.add(*first)

        for number in range(1, 6):
            memory, pieces = version_of(first, f"version {number}", 2)
            replacing = asyncio.create_task(store.replace(memory, pieces, NOW_MS + number))
            await asyncio.to_thread(database_process(tmp_path).kill)
            await replacing

            stored = await store.life.whole(first[0].id, NOW_MS)
            assert stored is not None
            assert stored.record.text == f"version {number}"
            assert len(stored.chunks) == 2
        await store.check()
        counts = await store.counts()
        assert (counts.memories, counts.chunks, counts.vectors) == (1, 2, 2)


async def test_a_version_of_what_has_changed_since_is_not_written(store: Store) -> None:
    first = sample("the walrus sleeps", metadata_json='{"a":1}')
    await store.add(*first)
    other = replace(first[0], metadata_json='{"a":2}')
    await store.labels.change(first[0], other, NOW_MS)

    late, pieces = version_of(first, "the walrus wakes")
    position = await store.replace(late, pieces, NOW_MS + 1, first[0])
    is_changed = await store.labels.change(first[0], replace(first[0], source="zoo"), NOW_MS + 1)

    stored = await store.life.whole(first[0].id, NOW_MS)
    counts = await store.counts()
    assert (position, is_changed) == (None, False)
    assert stored is not None
    assert stored.record == other
    assert (counts.memories, counts.chunks, counts.vectors) == (1, 1, 1)


async def test_what_a_late_version_clears_is_to_be_read_whatever_ends_the_writing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sample("Anna knows Ben", metadata_json='{"a":1}')
    await store.add(*first)
    said = knowledge(first, ["Anna", "Ben"], [("Anna", "knows", "Ben")])
    await store.labels.change(first[0], replace(first[0], metadata_json='{"a":2}'), NOW_MS)
    await store.knowledge.write([said])
    read_before = await store.knowledge.coverage(EXTRACTOR)

    async def end(_: Store, memory_id: str) -> None:
        raise StoreError(f"The end, before {memory_id} is removed.")

    monkeypatch.setattr(Store, "remove", end)
    with pytest.raises(StoreError, match="The end"):
        await store.replace(*version_of(first, "Anna knows Eva"), NOW_MS + 1, first[0])

    assert read_before == (1, 1)
    assert (await store.life.losses(first[0].id)).facts == 0
    assert await store.knowledge.unbuilt(EXTRACTOR, 10) == [first[0].id]


async def test_what_is_removed_while_it_changes_leaves_no_vector(store: Store) -> None:
    for number in range(20):
        first = sample(f"walrus {number}")
        await store.add(*first)
        changing = store.replace(*version_of(first, f"seal {number}"), NOW_MS)
        await asyncio.gather(changing, store.remove(first[0].id))

    counts = await store.counts()
    assert (counts.memories, counts.chunks, counts.vectors) == (0, 0, 0)
    assert await store.orphan_vectors() == 0


async def test_the_history_goes_with_its_memory(store: Store) -> None:
    first = sample("the walrus sleeps")
    await store.add(*first)
    await store.replace(*version_of(first, "the walrus wakes"), NOW_MS)
    lost = await store.life.losses(first[0].id)

    await store.remove(first[0].id)

    assert (lost.memories, lost.chunks, lost.versions) == (1, 1, 1)
    assert await store.life.versions(first[0].id) == []
    assert await store.life.lost_versions() == 0
    assert (await store.life.losses(first[0].id)).memories == 0


async def test_a_cleared_store_is_empty_and_works(store: Store) -> None:
    first = sample("the walrus sleeps")
    await store.add(*first)
    await store.replace(*version_of(first, "the walrus wakes"), NOW_MS)

    await store.clear()
    empty = await store.counts()
    again = sample("a new beginning")
    await store.add(*again)

    change = (await store.changes_since("0-0"))[-2]
    full = await store.counts()
    assert (empty.memories, empty.chunks, empty.vectors) == (0, 0, 0)
    assert await store.life.versions(first[0].id) == []
    assert (change.memory_id, change.is_removal) == ("", True)
    assert (full.memories, full.vectors) == (1, 1)
    assert list(await store.nearest(again[1][0].embedding, 1)) == [again[1][0].id]


async def test_what_has_expired_is_not_found_unless_it_is_pinned(store: Store) -> None:
    samples = [sample("over"), sample("pinned"), sample("not yet")]
    details = [
        {"expires_ms": NOW_MS - 1},
        {"expires_ms": NOW_MS - 1, "is_pinned": True},
        {"expires_ms": NOW_MS + 3_600_000},
    ]
    for (memory, pieces), given in zip(samples, details, strict=True):
        await store.add(replace(memory, **given), pieces)  # type: ignore[arg-type]

    hits = await store.hits([pieces[0].id for _, pieces in samples])

    assert sorted(hit.text for hit in hits) == ["not yet", "pinned"]
    assert [await text_in(store, memory.id) for memory, _ in samples] == [
        None,
        "pinned",
        "not yet",
    ]
    assert await store.life.expired(NOW_MS) == [samples[0][0].id]


async def test_a_memory_is_found_by_its_identity_if_it_has_one(store: Store) -> None:
    known, nameless = sample("ash"), sample("elm")
    await store.add(replace(known[0], identity="ab" * 16), known[1])
    await store.add(*nameless)

    found = await store.life.identical(["ab" * 16, "cd" * 16], NOW_MS)

    assert found == {"ab" * 16: known[0].id}


async def test_old_versions_go_but_not_those_of_pinned_memories(store: Store) -> None:
    plain, pinned = sample("plain"), sample("pinned")
    for first, is_pinned in ((plain, False), (pinned, True)):
        await store.add(*first)
        memory, pieces = version_of(first, "changed")
        await store.replace(replace(memory, is_pinned=is_pinned), pieces, NOW_MS)

    before = await store.life.old_versions(NOW_MS + 1)
    await store.life.drop_old_versions(NOW_MS + 1)

    assert before == 1
    assert await store.life.versions(plain[0].id) == []
    assert len(await store.life.versions(pinned[0].id)) == 1


async def test_a_list_shows_the_beginning_of_each_text(store: Store) -> None:
    short, long = sample("ash and elm"), sample("oak and beech", chunks=3)
    await store.add(*short)
    await store.add(*long)

    listed = await store.life.listed([short[0].id, long[0].id], 3)

    shown = {each.id: (each.beginning, each.length, each.chunk_count) for each in listed}
    assert shown == {short[0].id: ("ash", 11, 1), long[0].id: ("oak", 13, 3)}


async def test_vectors_without_a_chunk_are_counted_and_dropped(store: Store) -> None:
    kept, doomed = sample("ash"), sample("elm")
    await store.add(*kept)
    await store.add(*doomed)
    await store._memories._graph.write("MATCH (c:Chunk {id: $id}) DELETE c", id=doomed[1][0].id)

    before = await store.orphan_vectors()
    await store.drop_orphan_vectors()

    assert (before, await store.orphan_vectors()) == (1, 0)
    assert list(await store.nearest(kept[1][0].embedding, 5)) == [kept[1][0].id]


@pytest.mark.parametrize("chunks", [1, 3])
async def test_other_labels_leave_text_and_chunks_alone(store: Store, chunks: int) -> None:
    memory, pieces = sample("the walrus sleeps", chunks=chunks, metadata_json='{"a":1}')
    await store.add(memory, pieces)
    changed = replace(memory, source="zoo", tags=("b",), metadata_json='{"b":2}', is_pinned=True)

    await store.labels.change(memory, changed, NOW_MS)
    await store.labels.change(memory, changed, NOW_MS + 1)

    stored = await store.life.whole(memory.id, NOW_MS)
    (old,) = await store.life.versions(memory.id)
    assert stored is not None
    assert (stored.record, stored.changed_ms) == (changed, NOW_MS)
    assert [chunk_id for chunk_id, _, _ in stored.chunks] == [piece.id for piece in pieces]
    assert (old.text, old.metadata_json, old.until_ms) == (memory.text, '{"a":1}', NOW_MS)
    assert [each.is_update for each in await store.changes_since("0-0")] == [False, True, True]
    entries = await store.entries_of([memory.id])
    assert {(entry.source, entry.tags) for entry in entries} == {("zoo", ("b",))}


async def test_a_memory_that_is_gone_gets_no_labels(store: Store) -> None:
    memory, _ = sample("nobody knows me", metadata_json='{"a":1}')

    await store.labels.change(memory, memory, NOW_MS)

    assert (await store.counts()).memories == 0
    assert await store.life.versions(memory.id) == []


async def test_what_was_forgotten_is_known_until_the_store_is_cleared(store: Store) -> None:
    await store.forgotten.note("a" * 32)
    ids = ["a" * 32, "b" * 32]

    assert await store.forgotten.among(ids) == {"a" * 32}
    assert await store.forgotten.among([]) == set()
    await store.clear()
    assert await store.forgotten.among(ids) == set()
