"""Processes share one embedded database, and it lives exactly as long as somebody uses it."""

import os
import signal
import sys
from contextlib import ExitStack
from pathlib import Path

import anyio
import pytest

from tests.zapomni_db.processes import is_alive, joined, kill, pair_of, running_writer
from tests.zapomni_db.samples import opened, sample
from tests.zapomni_db.servers import wait_until
from zapomni_db import EmbeddedAddress, Keyspace, Store, StoreUnavailable
from zapomni_db.connection import Connection
from zapomni_db.embedded import EmbeddedServer

pytestmark = pytest.mark.anyio


def test_the_last_user_stops_the_database_that_the_first_started(tmp_path: Path) -> None:
    first, second = EmbeddedServer(tmp_path), EmbeddedServer(tmp_path)
    first.start()
    second.start()
    pair = pair_of(first)

    assert pair_of(second) == pair
    first.stop()
    assert is_alive(pair.database)
    assert pair_of(second) == pair
    second.stop()
    wait_until(lambda: pair.is_gone)


def test_stopping_twice_or_before_the_start_does_nothing(tmp_path: Path) -> None:
    server = EmbeddedServer(tmp_path)
    server.stop()
    server.start()
    pair = pair_of(server)

    server.stop()
    server.stop()

    wait_until(lambda: pair.is_gone)


def test_a_database_can_be_opened_again_at_once(tmp_path: Path) -> None:
    pairs = []
    for _ in range(5):
        with joined(tmp_path) as server:
            pairs.append(pair_of(server))

    wait_until(lambda: all(pair.is_gone for pair in pairs))


@pytest.mark.parametrize(("written_bytes", "is_rewritten"), [(20_000, False), (400_000, True)])
async def test_a_log_that_would_take_long_to_read_is_rewritten_when_the_last_user_leaves(
    tmp_path: Path, *, written_bytes: int, is_rewritten: bool
) -> None:
    connection = Connection(EmbeddedAddress(tmp_path))
    await connection.open()
    with joined(tmp_path) as server:
        pair = pair_of(server)
    await connection.execute("SET", "key", "otter " * (written_bytes // 6))
    await connection.close()
    wait_until(lambda: pair.is_gone)

    (tail,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    assert (tail.stat().st_size < written_bytes // 2) == is_rewritten
    await connection.open()
    assert len(await connection.execute("GET", "key")) > written_bytes - 6
    await connection.close()


async def test_what_eight_processes_got_acknowledged_is_there_although_two_were_killed(
    tmp_path: Path, keyspace: Keyspace
) -> None:
    acknowledged: list[str] = []
    with ExitStack() as stack:
        writers = [
            stack.enter_context(running_writer(tmp_path, keyspace, memories=20)) for _ in range(6)
        ]
        victims = [
            stack.enter_context(running_writer(tmp_path, keyspace, memories=100_000))
            for _ in range(2)
        ]
        for victim in victims:
            assert victim.stdout is not None
            lines = [victim.stdout.readline() for _ in range(11)]
            victim.kill()
            acknowledged += [*lines[1:], *victim.stdout.read().splitlines(keepends=True)]
        for writer in writers:
            output, _ = writer.communicate(timeout=60)
            assert writer.returncode == 0
            assert output.count("\n") == 21
            acknowledged += output.splitlines(keepends=True)[1:]
    whole = [line.rstrip("\n") for line in acknowledged if line.endswith("\n")]

    with joined(tmp_path) as server:
        pair = pair_of(server)
        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            found = {hit.chunk_id for hit in await store.hits(whole)}
            assert (await store.check()).did_nothing

    assert len(whole) >= 140
    assert found == set(whole)
    wait_until(lambda: pair.is_gone)


def test_the_database_ends_by_itself_when_its_last_user_is_killed(
    tmp_path: Path, keyspace: Keyspace
) -> None:
    with running_writer(tmp_path, keyspace, memories=1) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        with joined(tmp_path) as server:
            pair = pair_of(server)
        assert is_alive(pair.database)

        kill(writer.pid)

        wait_until(lambda: pair.is_gone)


async def test_nothing_acknowledged_is_lost_when_the_database_is_killed_again_and_again(
    tmp_path: Path, keyspace: Keyspace
) -> None:
    acknowledged: list[str] = []
    with joined(tmp_path) as server:
        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            for _ in range(15):
                memory, chunks = sample(chunks=2)
                await store.add(memory, chunks)
                os.kill(pair_of(server).database, signal.SIGKILL)
                acknowledged += [chunk.id for chunk in chunks]

                assert len(await store.hits(acknowledged)) == len(acknowledged)

            assert (await store.check()).did_nothing
            assert len(await store.nearest(chunks[0].embedding, 100)) == len(acknowledged)


async def test_all_waiting_commands_survive_a_killed_database(
    tmp_path: Path, keyspace: Keyspace
) -> None:
    samples = [sample() for _ in range(20)]
    with joined(tmp_path) as server:
        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            async with anyio.create_task_group() as group:
                for memory, chunks in samples[:10]:
                    group.start_soon(store.add, memory, chunks)
            os.kill(pair_of(server).database, signal.SIGKILL)
            async with anyio.create_task_group() as group:
                for memory, chunks in samples[10:]:
                    group.start_soon(store.add, memory, chunks)

            hits = await store.hits([chunks[0].id for _, chunks in samples])

    assert {hit.memory_id for hit in hits} == {memory.id for memory, _ in samples}


async def test_a_write_goes_on_when_the_database_is_killed_in_its_middle(
    tmp_path: Path, keyspace: Keyspace
) -> None:
    memory, chunks = sample(chunks=2000)
    with joined(tmp_path) as server:
        async with (
            opened(EmbeddedAddress(tmp_path), keyspace) as store,
            opened(EmbeddedAddress(tmp_path), keyspace) as observer,
        ):
            async with anyio.create_task_group() as group:
                group.start_soon(store.add, memory, chunks)
                while not 0 < (count := (await observer.counts()).chunks) < len(chunks):
                    assert count == 0
                os.kill(pair_of(server).database, signal.SIGKILL)

            assert len(await store.entries_of([memory.id])) == len(chunks)
            assert (await store.check()).did_nothing


async def test_a_check_clears_away_what_a_killed_writer_left_of_a_long_memory(
    tmp_path: Path, keyspace: Keyspace
) -> None:
    with joined(tmp_path) as server:
        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            await store.add(*sample())
            with running_writer(tmp_path, keyspace, memories=1, chunks=5000) as writer:
                while (await store.counts()).chunks < 200:
                    assert writer.poll() is None
                kill(writer.pid)
            os.kill(pair_of(server).database, signal.SIGKILL)
            assert 200 <= (await store.counts()).chunks < 5001

            report = await store.check()

            counts = await store.counts()
            assert report.memories_discarded == 1
            assert (counts.memories, counts.chunks, counts.vectors) == (1, 1, 1)
            assert (await store.check()).did_nothing


async def test_a_hung_database_is_reported_and_works_again_when_it_wakes_up(
    tmp_path: Path, keyspace: Keyspace
) -> None:
    memory, chunks = sample()
    async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
        await store.add(memory, chunks)
    with joined(tmp_path) as server:
        pair = pair_of(server)
        hurried = Store(EmbeddedAddress(tmp_path), keyspace, timeout_s=2.0)
        await hurried.open()
        os.kill(pair.database, signal.SIGSTOP)
        try:
            with anyio.fail_after(30):
                for _ in range(3):
                    with pytest.raises(StoreUnavailable):
                        await hurried.hits([chunks[0].id])
        finally:
            os.kill(pair.database, signal.SIGCONT)

        assert len(await hurried.hits([chunks[0].id])) == 1
        assert pair_of(server) == pair
        await hurried.close()


async def test_commands_go_on_when_the_guardian_is_told_to_end(tmp_path: Path) -> None:
    connection = Connection(EmbeddedAddress(tmp_path))
    await connection.open()
    with joined(tmp_path) as server:
        before = pair_of(server)
        await connection.execute("SET", "key", "value")
        os.kill(before.guardian, signal.SIGTERM)
        wait_until(lambda: before.is_gone)

        assert await connection.execute("GET", "key") == b"value"
        after = pair_of(server)
    await connection.close()

    wait_until(lambda: after.is_gone)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a process to its parent")
def test_the_database_does_not_outlive_a_killed_guardian(tmp_path: Path) -> None:
    with joined(tmp_path) as server:
        pair = pair_of(server)

        os.kill(pair.guardian, signal.SIGKILL)

        wait_until(lambda: pair.is_gone)
