"""Have work done in the background, in its order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

__all__ = ["Line", "in_line"]

_PAUSE_S: Final = 0.5

type _Work = Callable[[], Awaitable[object]]


class Line:
    """Work that waits for its turn; what fails is raised to the next one who adds or waits.

    Work that `gathers` first leaves the machine to those who add it: it is begun when they say
    so or pause, or when there is no more place for it. With several `workers` a piece is begun
    while others are still being done.
    """

    def __init__(self, length: int, *, gathers: bool = False, workers: int = 1) -> None:
        self._waiting = asyncio.Queue[_Work](length)
        self._added = asyncio.Event()
        self._is_begun = not gathers
        self._working = [asyncio.create_task(self._work()) for _ in range(workers)]

    async def add(self, work: _Work) -> None:
        """Put work at the end of the line; wait if it is too long already."""
        await self._unless_failed(self._waiting.put(work))
        self._is_begun = self._is_begun or self._waiting.full()
        self._added.set()

    def begin(self) -> None:
        """Gather no more."""
        self._is_begun = True
        self._added.set()

    async def done(self) -> None:
        """Wait until everything in the line is done."""
        self.begin()
        await self._unless_failed(self._waiting.join())

    async def close(self) -> None:
        """Give up what is not done."""
        for working in self._working:
            working.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)

    async def _work(self) -> None:
        while not self._is_begun:
            await self._gather()
        while True:
            work = await self._waiting.get()
            await work()
            self._waiting.task_done()

    async def _gather(self) -> None:
        self._added.clear()
        try:
            await asyncio.wait_for(self._added.wait(), _PAUSE_S)
        except TimeoutError:
            self._is_begun = self._is_begun or not self._waiting.empty()

    async def _unless_failed(self, waiting: Awaitable[Any]) -> None:
        task = asyncio.ensure_future(waiting)
        try:
            await asyncio.wait([task, *self._working], return_when=asyncio.FIRST_COMPLETED)
        finally:
            task.cancel()
        for working in self._working:
            if working.done():
                working.result()


@asynccontextmanager
async def in_line(
    length: int = 2, *, gathers: bool = False, workers: int = 1
) -> AsyncIterator[Line]:
    """Open a line of work, and wait for its end.

    What was gathered is also done if those who added it fail or are cancelled; they hear of
    that, not of what fails after it.
    """
    line = Line(length, gathers=gathers, workers=workers)
    try:
        yield line
        await line.done()
    except BaseException:
        if gathers:
            await asyncio.gather(line.done(), return_exceptions=True)
        raise
    finally:
        await line.close()
