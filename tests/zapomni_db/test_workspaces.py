"""The registry of workspaces, on every kind of database: nothing is doubled, mixed or left."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zapomni_db.samples import NOW_MS, STAMP, sample, unit_vector
from zapomni_db import (
    Address,
    Connection,
    EmbeddedAddress,
    Keyspace,
    Store,
    StoreError,
    StoreMismatch,
    WorkspaceRecord,
    WorkspaceRegistry,
)
from zapomni_db.keyspace import check_name

pytestmark = pytest.mark.anyio

HOSTILE = ["", " ", "a b", "a:b", "{a}", "a*", "a\n", "ä", "a/b", "../x", "x" * 65, "a\0", "[a]"]


@pytest.fixture
async def connection(address: Address) -> AsyncIterator[Connection]:
    connection = Connection(address)
    await connection.open()
    yield connection
    await connection.close()


@pytest.fixture
def registry(connection: Connection, keyspace: Keyspace) -> WorkspaceRegistry:
    return WorkspaceRegistry(connection, keyspace.graph_name)


async def made(registry: WorkspaceRegistry, name: str) -> WorkspaceRecord:
    record = await registry.create(name, "", NOW_MS)
    assert record is not None
    return record


async def filled(connection: Connection, keyspace: Keyspace) -> Store:
    """Put something under every kind of key that a workspace has."""
    store = Store(connection, keyspace)
    await store.open()
    await store.claim(STAMP)
    await store.add(*sample("ash and elm", chunks=3))
    await store.kept_facts.keep("f")
    await connection.execute("SET", keyspace.code("repo").vectors(STAMP.model_id), "x")
    return store


async def test_there_is_a_default_workspace_before_anything_else(
    registry: WorkspaceRegistry,
) -> None:
    assert [record.name for record in await registry.all()] == ["default"]
    assert await registry.create("default", "", NOW_MS) is None


async def test_a_workspace_is_found_by_its_exact_name_only(registry: WorkspaceRegistry) -> None:
    work = await registry.create("Work", "my job", NOW_MS)
    await registry.create("work", "another", NOW_MS + 1)

    assert await registry.get("Work") == work
    assert await registry.get("WORK") is None
    assert [record.name for record in await registry.all()] == ["default", "Work", "work"]
    assert len({record.id.casefold() for record in await registry.all()}) == 3


async def test_a_name_is_given_once(registry: WorkspaceRegistry) -> None:
    made = await asyncio.gather(*(registry.create("same", str(n), NOW_MS) for n in range(10)))

    (winner,) = [record for record in made if record is not None]
    assert await registry.get("same") == winner


async def test_the_end_of_a_workspace_takes_every_key_of_it_and_no_other(
    connection: Connection, registry: WorkspaceRegistry, keyspace: Keyspace
) -> None:
    doomed, other = await made(registry, "doomed"), await made(registry, "doomed.")
    for each in (keyspace, registry.keyspace(doomed.id), registry.keyspace(other.id)):
        await filled(connection, each)
    others = await connection.keys(registry.keyspace(other.id).pattern)

    assert await registry.mark(doomed)
    assert await registry.finish() == [doomed.id]

    assert await connection.keys(registry.keyspace(doomed.id).pattern) == []
    assert await connection.keys(registry.keyspace(other.id).pattern) == others
    assert await registry.memories(await registry.all()) == [1, 1]
    assert await registry.finish() == []


async def test_a_marked_workspace_is_gone_at_once_and_its_name_is_free(
    connection: Connection, registry: WorkspaceRegistry
) -> None:
    doomed = await made(registry, "work")
    await filled(connection, registry.keyspace(doomed.id))

    await registry.mark(doomed)
    again = await made(registry, "work")

    assert await registry.memories([again]) == [0]
    await filled(connection, registry.keyspace(again.id))
    assert await registry.finish() == [doomed.id]  # as if a crash had cut it off before
    assert await registry.memories([again]) == [1]


async def test_whoever_is_late_does_not_mark_the_next_one_of_that_name(
    registry: WorkspaceRegistry,
) -> None:
    first = await made(registry, "work")
    await registry.mark(first)
    await registry.finish()
    second = await made(registry, "work")

    assert not await registry.mark(first)
    assert await registry.get("work") == second


async def test_marking_twice_is_marking_once(registry: WorkspaceRegistry) -> None:
    doomed = await made(registry, "work")

    assert await registry.mark(doomed)
    assert await registry.mark(doomed)
    assert await registry.finish() == [doomed.id]


async def test_the_default_workspace_cannot_be_ended(registry: WorkspaceRegistry) -> None:
    (default,) = await registry.all()

    with pytest.raises(ValueError, match="always exists"):
        await registry.mark(default)
    with pytest.raises(ValueError, match="always exists"):
        await registry.sweep(default.id)


async def test_a_store_hears_at_its_next_write_or_search_that_its_workspace_is_gone(
    connection: Connection, registry: WorkspaceRegistry
) -> None:
    doomed = await made(registry, "work")
    keyspace = registry.keyspace(doomed.id)
    store = await filled(connection, keyspace)
    await registry.mark(doomed)
    await registry.finish()

    with pytest.raises(StoreMismatch):
        await store.nearest(unit_vector(), 3)
    with pytest.raises(StoreMismatch):
        await store.add(*sample("too late"))
    assert await registry.memories([doomed]) == [0]


async def test_stores_on_one_connection_leave_it_open(
    connection: Connection, registry: WorkspaceRegistry
) -> None:
    one, other = await made(registry, "one"), await made(registry, "other")
    first = await filled(connection, registry.keyspace(one.id))
    second = await filled(connection, registry.keyspace(other.id))

    await first.close()

    assert (await second.counts()).memories == 1


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_names_reach_no_key(embedded: EmbeddedAddress, name: str) -> None:
    connection = Connection(embedded)
    await connection.open()
    before = await connection.keys("*")
    registry = WorkspaceRegistry(connection, "hostile")

    with pytest.raises(ValueError, match="name takes"):
        await registry.create(name, "", NOW_MS)
    with pytest.raises(ValueError, match="name takes"):
        await registry.get(name)

    assert await connection.keys("*") == before
    await connection.close()


async def test_an_entry_that_nobody_wrote_is_an_error_of_the_store(
    connection: Connection, registry: WorkspaceRegistry, keyspace: Keyspace
) -> None:
    await connection.execute("HSET", f"{{{keyspace.graph_name}}}:workspaces", "odd", "not json")

    with pytest.raises(StoreError):
        await registry.all()


@given(st.text(max_size=70))
def test_a_name_that_passes_has_nothing_that_a_pattern_or_a_path_reads(name: str) -> None:
    try:
        check_name(name)
    except ValueError:
        return
    assert 1 <= len(name) <= 64
    assert not set(name) & set("{}:*?[]\\/ \n\0")
    assert Keyspace("g", name).pattern == f"{{g:{name}}}:*"
