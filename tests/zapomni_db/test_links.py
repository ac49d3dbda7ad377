"""Calls to an embedded server get their own replies, whatever became of the calls before them."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.zapomni_db.samples import fresh_keyspace
from zapomni_db import EmbeddedAddress, StoreError, StoreRefused, StoreUnavailable
from zapomni_db.connection import Connection

pytestmark = pytest.mark.anyio


@pytest.fixture
def key() -> str:
    return fresh_keyspace().about


@pytest.fixture
async def connection(embedded: EmbeddedAddress) -> AsyncIterator[Connection]:
    connection = Connection(embedded, pool_size=1)
    await connection.open()
    yield connection
    await connection.close()


async def test_replies_come_in_the_order_of_the_commands(connection: Connection) -> None:
    numbers = [str(number) for number in range(5000)]

    replies = await connection.pipeline([("ECHO", number) for number in numbers])

    assert [reply.decode() for reply in replies] == numbers


async def test_a_long_reply_comes_whole(connection: Connection) -> None:
    text = "All the otters sleep. " * 200_000

    assert await connection.execute("ECHO", text) == text.encode()


async def test_the_reply_to_a_call_that_was_given_up_is_nobodys(
    connection: Connection, key: str
) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await connection.execute("BLPOP", key, 20)

    assert await connection.execute("RPUSH", key, "otter") == 1
    assert await connection.execute("ECHO", "mine") == b"mine"
    assert await connection.execute("LLEN", key) == 1


async def test_calls_fail_when_their_connection_is_closed_even_those_that_wait_for_their_turn(
    connection: Connection, key: str
) -> None:
    calls = [asyncio.create_task(connection.execute("BLPOP", key, 20)) for _ in range(3)]
    await asyncio.sleep(0)
    assert connection.pool.in_use == 1

    await connection.close()

    replies = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(reply) for reply in replies] == [StoreUnavailable] * 3


async def test_an_error_is_raised_and_the_next_call_works(connection: Connection) -> None:
    with pytest.raises(StoreError):
        await connection.execute("HGET", "too-few-arguments")
    with pytest.raises(StoreError):
        await connection.pipeline([("ECHO", "one"), ("HGET", "too-few-arguments")])

    assert await connection.execute("ECHO", "mine") == b"mine"


async def test_a_transaction_that_cannot_be_queued_changes_nothing(
    connection: Connection, key: str
) -> None:
    with pytest.raises(StoreRefused):
        await connection.transaction([("SET", key, "otter"), ("NONSENSE",)])

    assert await connection.execute("GET", key) is None


async def test_an_error_inside_a_transaction_is_raised(connection: Connection, key: str) -> None:
    with pytest.raises(StoreError):
        await connection.transaction([("SET", key, "otter"), ("LPUSH", key, "walrus")])

    assert await connection.transaction([("GET", key), ("DEL", key)]) == [b"otter", 1]


async def test_a_connection_that_the_server_has_dropped_is_replaced(
    embedded: EmbeddedAddress, connection: Connection
) -> None:
    dropped = await connection.execute("CLIENT ID")
    other = Connection(embedded)
    await other.open()

    await other.execute("CLIENT KILL", "ID", dropped)
    await other.close()

    assert await connection.execute("CLIENT ID") != dropped
