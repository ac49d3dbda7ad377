"""Hand work from one who makes it to one who finishes it, both at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

__all__ = ["handing_over"]

_WAITING = 2


@asynccontextmanager
async def handing_over[T](
    finish: Callable[[T], Awaitable[None]],
) -> AsyncIterator[Callable[[T], Awaitable[None]]]:
    """Have things finished one after another while the next are made.

    What fails there is raised at the next hand-over, or at the end.
    """
    waiting = asyncio.Queue[T | None](_WAITING)

    async def work() -> None:
        while (thing := await waiting.get()) is not None:
            await finish(thing)

    working = asyncio.create_task(work())

    async def hand_over(thing: T | None) -> None:
        handing = asyncio.create_task(waiting.put(thing))
        await asyncio.wait([handing, working], return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            handing.cancel()
            working.result()

    try:
        yield hand_over
        await hand_over(None)
        await working
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
