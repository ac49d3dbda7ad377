"""How many connections of the pool one question takes."""

import asyncio

import pytest
from structlog.testing import capture_logs

from tests.zapomni_db.samples import STAMP, fresh_keyspace, opened, sample
from zapomni_db import Address, Keyspace, Store
from zapomni_db.connection import Connection

pytestmark = pytest.mark.anyio


async def test_counting_takes_two_connections_at_most(
    address: Address, keyspace: Keyspace
) -> None:
    async with opened(address, keyspace):
        store = Store(address, keyspace, pool_size=2)
        await store.open()
        await store.claim(STAMP)
        await store.add(*sample(chunks=3))

        with capture_logs() as logs:
            counts = await store.counts()
        await store.close()

    assert (counts.memories, counts.chunks, counts.vectors) == (1, 3, 3)
    assert not [line for line in logs if line["event"] == "pool_exhausted"]


async def test_a_crowd_at_the_pool_is_one_warning(address: Address) -> None:
    connection = Connection(address, pool_size=2)
    await connection.open()
    key = fresh_keyspace().about

    with capture_logs() as logs:
        await asyncio.gather(*(connection.execute("HGETALL", key) for _ in range(50)))
    await connection.close()

    assert [line["event"] for line in logs] == ["pool_exhausted"]
