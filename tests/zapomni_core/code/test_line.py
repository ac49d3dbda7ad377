"""Work in a line is done in its order, beside everything else, and its failures are heard of."""

import asyncio
from contextlib import suppress
from functools import partial

import pytest

from zapomni_core.code.line import Line, in_line

pytestmark = pytest.mark.anyio


async def test_everything_is_done_in_order_when_the_line_is_closed() -> None:
    done: list[int] = []

    async def work(number: int) -> None:
        await asyncio.sleep(0.001 * (3 - number))
        done.append(number)

    async with in_line() as line:
        for number in range(4):
            await line.add(partial(work, number))

    assert done == [0, 1, 2, 3]


async def test_who_adds_waits_only_for_a_place_in_the_line() -> None:
    may_go_on = asyncio.Event()

    async with in_line(2) as line:
        for _ in range(2):
            await line.add(may_go_on.wait)
        await asyncio.sleep(0)
        await line.add(may_go_on.wait)  # the first one is at work
        late = asyncio.create_task(line.add(may_go_on.wait))
        await asyncio.sleep(0.01)
        assert not late.done()
        may_go_on.set()
        await late


async def _fail() -> None:
    raise ZeroDivisionError


async def test_a_failure_is_raised_to_who_waits_and_nothing_is_done_after_it() -> None:
    done: list[int] = []

    async def work() -> None:
        done.append(1)

    async def wait_and_fail() -> None:
        await may_go_on.wait()
        await _fail()

    line, may_go_on = Line(2), asyncio.Event()
    await line.add(wait_and_fail)
    await line.add(work)
    may_go_on.set()
    with pytest.raises(ZeroDivisionError):
        await line.done()
    await line.close()

    assert done == []


async def test_a_failure_is_raised_at_the_end_at_the_latest() -> None:
    with pytest.raises(ZeroDivisionError):
        async with in_line() as line:
            await line.add(_fail)


async def test_work_is_given_up_with_what_it_was_for() -> None:
    was_cancelled = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            was_cancelled.set()
            raise

    with suppress(KeyError):
        async with in_line() as line:
            await line.add(work)
            await asyncio.sleep(0.01)
            raise KeyError

    assert was_cancelled.is_set()


async def test_work_gathers_until_it_is_to_begin() -> None:
    done: list[int] = []

    async def work() -> None:
        done.append(1)

    async with in_line(3, gathers=True) as line:
        await line.add(work)
        await line.add(work)
        await asyncio.sleep(0.01)
        before = len(done)
        line.begin()
        await line.done()

    assert (before, len(done)) == (0, 2)


async def test_work_gathers_no_longer_than_there_is_place_for_it() -> None:
    is_done = asyncio.Event()

    async def work() -> None:
        is_done.set()

    async with in_line(2, gathers=True) as line:
        await line.add(work)
        await line.add(work)
        async with asyncio.timeout(5):
            await is_done.wait()


async def test_work_gathers_no_longer_than_somebody_adds_to_it() -> None:
    is_done = asyncio.Event()

    async def work() -> None:
        is_done.set()

    async with in_line(100, gathers=True) as line:
        await line.add(work)
        async with asyncio.timeout(5):
            await is_done.wait()


async def test_what_was_gathered_is_done_when_it_is_given_up() -> None:
    done: list[int] = []
    is_added = asyncio.Event()

    async def work() -> None:
        done.append(1)

    async def add_and_wait() -> None:
        async with in_line(100, gathers=True) as line:
            await line.add(work)
            await line.add(work)
            is_added.set()
            await asyncio.Event().wait()

    adding = asyncio.create_task(add_and_wait())
    await is_added.wait()
    adding.cancel()
    with suppress(asyncio.CancelledError):
        await adding

    assert (adding.cancelled(), len(done)) == (True, 2)


async def test_what_was_gathered_is_done_when_who_added_it_fails() -> None:
    done: list[int] = []

    async def work() -> None:
        done.append(1)

    async def add_and_fail() -> None:
        async with in_line(100, gathers=True) as line:
            await line.add(work)
            await _fail()

    with pytest.raises(ZeroDivisionError):
        await add_and_fail()

    assert done == [1]


async def test_who_is_cancelled_hears_of_that_and_not_of_what_fails_after_it() -> None:
    is_added = asyncio.Event()

    async def add_and_wait() -> None:
        async with in_line(100, gathers=True) as line:
            await line.add(_fail)
            is_added.set()
            await asyncio.Event().wait()

    adding = asyncio.create_task(add_and_wait())
    await is_added.wait()
    adding.cancel()
    await asyncio.wait([adding])

    assert adding.cancelled()


async def test_with_several_workers_a_piece_is_begun_while_another_is_being_done() -> None:
    both = asyncio.Barrier(2)

    async with asyncio.timeout(5), in_line(2, workers=2) as line:
        await line.add(both.wait)
        await line.add(both.wait)


async def test_one_of_several_workers_that_fails_is_heard_of() -> None:
    async def wait_and_fail() -> None:
        async with in_line(2, workers=2) as line:
            await line.add(asyncio.Event().wait)
            await line.add(_fail)

    with pytest.raises(ZeroDivisionError):
        await wait_and_fail()
