"""Processes that share a store learn from its log what the others wrote, or that they cannot."""

import pytest

from tests.zapomni_db.samples import opened, sample
from zapomni_db import START, Address, Change, Keyspace, Store

pytestmark = pytest.mark.anyio


async def test_changes_are_listed_in_order_from_a_position(store: Store) -> None:
    first, second = sample(), sample()
    await store.add(*first)
    position = await store.position()
    await store.add(*second)
    await store.remove(first[0].id)

    changes = await store.changes_since(position)

    assert [(c.memory_id, c.is_removal) for c in changes] == [
        (second[0].id, False),
        (first[0].id, True),
    ]
    assert changes[-1].position == await store.position()
    assert await store.changes_since(changes[-1].position) == []
    assert [c.memory_id for c in await store.changes_since(START)] == [
        first[0].id,
        second[0].id,
        first[0].id,
    ]


async def test_another_user_of_the_store_sees_the_change(
    store: Store, address: Address, keyspace: Keyspace
) -> None:
    async with opened(address, keyspace) as other:
        position = await other.position()
        memory, chunks = sample()
        await store.add(memory, chunks)

        assert await other.changes_since(position) == [
            Change(await other.position(), memory.id, is_removal=False)
        ]


async def test_an_empty_log_can_be_followed_from_its_start_only(store: Store) -> None:
    assert await store.position() == START
    assert await store.can_follow(START)
    assert not await store.can_follow("1-0")


async def test_a_log_can_be_followed_from_every_entry_it_holds(store: Store) -> None:
    for _ in range(3):
        await store.add(*sample())

    for change in await store.changes_since(START):
        assert await store.can_follow(change.position)
    assert await store.can_follow(START)


async def test_a_position_from_the_future_cannot_be_followed(store: Store) -> None:
    await store.add(*sample())
    milliseconds, _, _ = (await store.position()).partition("-")

    assert not await store.can_follow(f"{int(milliseconds) + 1}-0")


async def test_a_position_whose_successors_were_dropped_cannot_be_followed(
    store: Store, keyspace: Keyspace
) -> None:
    for _ in range(5):
        await store.add(*sample())
    positions = [change.position for change in await store.changes_since(START)]

    await store._connection.execute("XTRIM", keyspace.changes, "MAXLEN", "=", 2)

    assert not await store.can_follow(START)
    assert not await store.can_follow(positions[0])
    assert await store.can_follow(positions[3])
    assert await store.can_follow(positions[4])
    assert [c.position for c in await store.changes_since(positions[3])] == [positions[4]]
