"""A connection says why it cannot work, and goes on working when the database comes back."""

import asyncio
from pathlib import Path

import anyio
import pytest
from structlog.testing import capture_logs

from tests.zapomni_db.samples import fresh_keyspace, opened, sample, unit_vector
from tests.zapomni_db.servers import (
    LOOPBACK,
    WITH_GRAPHS,
    Server,
    cluster_is_whole,
    free_ports,
    running_server,
    wait_until,
)
from zapomni_db import (
    Address,
    Keyspace,
    ServerAddress,
    Store,
    StoreRefused,
    StoreUnavailable,
)
from zapomni_db.connection import Connection
from zapomni_db.vectors import Vectors

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("password", ["wrong", None])
async def test_a_wrong_or_missing_password_is_refused(
    server: Server, password: str | None
) -> None:
    address = ServerAddress(LOOPBACK, server.port, password=password)

    with pytest.raises(StoreRefused):
        await Store(address, fresh_keyspace()).open()


async def test_a_port_where_nobody_listens_is_reported_at_once() -> None:
    address = ServerAddress(LOOPBACK, free_ports(1)[0])

    with anyio.fail_after(30), pytest.raises(StoreUnavailable):
        await Store(address, fresh_keyspace()).open()


async def test_a_server_that_accepts_but_never_answers_is_reported_after_the_timeout() -> None:
    listener = await anyio.create_tcp_listener(local_host=LOOPBACK)
    port = listener.extra(anyio.abc.SocketAttribute.local_port)
    async with listener:
        store = Store(ServerAddress(LOOPBACK, port), fresh_keyspace(), timeout_s=0.3)

        with anyio.fail_after(30), pytest.raises(StoreUnavailable):
            await store.open()


async def test_a_server_that_is_not_falkordb_is_refused_and_left_empty(tmp_path: Path) -> None:
    with running_server(tmp_path) as plain:
        with pytest.raises(StoreRefused, match="not a FalkorDB"):
            await Store(plain.address, fresh_keyspace()).open()

        assert plain.ask("DBSIZE") == 0


async def test_a_closed_store_is_unavailable(address: Address, keyspace: Keyspace) -> None:
    async with opened(address, keyspace) as store:
        pass

    with anyio.fail_after(30), pytest.raises(StoreUnavailable, match="closed"):
        await store.counts()


async def test_more_commands_than_connections_wait_for_their_turn(address: Address) -> None:
    connection = Connection(address, pool_size=2)
    await connection.open()
    key = fresh_keyspace().about

    with capture_logs() as logs:
        replies = await asyncio.gather(
            *(connection.execute("HINCRBY", key, "count", 1) for _ in range(50))
        )
    await connection.close()

    assert sorted(replies) == list(range(1, 51))
    warnings = [entry for entry in logs if entry["event"] == "pool_exhausted"]
    assert warnings
    assert all(entry["pool_size"] == 2 for entry in warnings)


async def test_transactions_share_a_small_pool_as_well(address: Address) -> None:
    keyspace = fresh_keyspace()
    store = Store(address, keyspace, pool_size=2)
    async with opened(address, keyspace):
        await store.open()
    samples = [sample() for _ in range(20)]

    await asyncio.gather(*(store.add(*one) for one in samples))

    assert (await store.counts()).vectors == 20
    await store.close()


async def test_a_server_that_was_restarted_is_used_again(tmp_path: Path) -> None:
    options = ("--appendonly", "yes", "--appendfsync", "always", *WITH_GRAPHS)
    memory, chunks = sample()
    with running_server(tmp_path, *options) as restarted:
        async with opened(restarted.address, fresh_keyspace()) as store:
            await store.add(memory, chunks)
            restarted.kill()
            with pytest.raises(StoreUnavailable):
                await store.hits([chunks[0].id])
            restarted.start()

            assert len(await store.hits([chunks[0].id])) == 1


async def test_a_missing_command_can_be_told_from_a_known_one(address: Address) -> None:
    connection = Connection(address)
    await connection.open()

    assert await Vectors.are_known(connection)
    assert await connection.execute("COMMAND LIST", "FILTERBY", "PATTERN", "nosuch") == []
    await connection.close()


async def test_replies_are_read_alike_whatever_runs_the_database(address: Address) -> None:
    connection = Connection(address)
    await connection.open()
    named = fresh_keyspace()
    fields, members, stream = named.about, named.forgotten, named.changes
    await connection.transaction(
        [
            ("HSET", fields, "ash", "1", "elm", "2"),
            ("SADD", members, "ash", "elm"),
            ("XADD", stream, "5-1", "added", "ash"),
        ]
    )

    assert await connection.execute("HGETALL", fields) == {b"ash": b"1", b"elm": b"2"}
    assert await connection.execute("HSCAN", fields, 0) == (0, {b"ash": b"1", b"elm": b"2"})
    assert await connection.execute("SMEMBERS", members) == {b"ash", b"elm"}
    assert await connection.execute("XRANGE", stream, "-", "+") == [(b"5-1", {b"added": b"ash"})]
    assert (await connection.usage(fields))["used_memory"] > 0
    assert await connection.keys(fields.replace("{", "?")) == [fields]
    await connection.close()


async def test_without_vector_sets_every_chunk_is_compared(store: Store) -> None:
    store.has_vector_sets = False
    memory, chunks = sample(chunks=60)
    await store.add(memory, chunks)
    query = unit_vector()

    exact = await store.similarities(query, [chunk.id for chunk in chunks])
    best = sorted(exact, key=lambda chunk_id: -exact[chunk_id])[:10]
    assert await store.nearest(query, 10) == {i: exact[i] for i in best}
    assert (await store.counts()).vectors == 0
    assert (await store.check()).did_nothing
    await store.remove(memory.id)
    assert await store.nearest(query, 10) == {}


async def test_a_cluster_that_does_not_serve_is_unavailable(tmp_path: Path) -> None:
    options = ("--cluster-enabled", "yes", "--cluster-port", str(free_ports(1)[0]))
    with (
        running_server(tmp_path, *options, *WITH_GRAPHS) as lonely,
        pytest.raises(StoreUnavailable),
    ):
        await Store(lonely.address, fresh_keyspace()).open()


async def test_a_server_whose_memory_is_full_is_named_as_the_reason(tmp_path: Path) -> None:
    memory, chunks = sample()
    with running_server(tmp_path, *WITH_GRAPHS) as crowded:
        async with opened(crowded.address, fresh_keyspace()) as store:
            await store.add(memory, chunks)
            crowded.ask("CONFIG", "SET", "maxmemory", "1mb")

            with pytest.raises(StoreRefused, match="full"):
                await store.add(*sample())

            assert len(await store.hits([chunks[0].id])) == 1


async def test_a_cluster_goes_on_when_a_primary_is_killed(cluster: list[Server]) -> None:
    keyspace = fresh_keyspace()
    acknowledged: list[str] = []
    async with opened(cluster[0].address, keyspace) as store:
        slot = cluster[0].ask("CLUSTER", "KEYSLOT", keyspace.graph)
        (victim,) = [node for node in cluster if _is_primary_of(node, slot)]
        for number in range(60):
            memory, chunks = sample(f"memory {number}")
            await store.add(memory, chunks)
            acknowledged.append(chunks[0].id)
            if number == 30:
                victim.kill()

        hits = await store.hits(acknowledged)
        report = await store.check()
    victim.start()
    wait_until(lambda: cluster_is_whole(cluster))

    assert {hit.chunk_id for hit in hits} == set(acknowledged)
    assert report.did_nothing


def _is_primary_of(node: Server, slot: int) -> bool:
    identity = node.ask("CLUSTER", "MYID")
    for first, last, primary, *_ in node.ask("CLUSTER", "SLOTS"):
        if first <= slot <= last:
            return bool(primary[2] == identity)
    return False
