"""Have work done in the background, one piece after another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

__all__ = ["Line", "in_line"]

type _Work = Callable[[], Awaitable[object]]


class Line:
    """Work that waits for its turn; what fails is raised to the next one who adds or waits."""

    def __init__(self, length: int) -> None:
        self._waiting = asyncio.Queue[_Work](length)
        self._working = asyncio.create_task(self._work())

    async def add(self, work: _Work) -> None:
        """Put work at the end of the line; wait if it is too long already."""
        await self._unless_failed(self._waiting.put(work))

    async def done(self) -> None:
        """Wait until everything in the line is done."""
        await self._unless_failed(self._waiting.join())

    async def close(self) -> None:
        """Give up what is not done."""
        self._working.cancel()
        await asyncio.gather(self._working, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            work = await self._waiting.get()
            await work()
            self._waiting.task_done()

    async def _unless_failed(self, waiting: Awaitable[Any]) -> None:
        task = asyncio.ensure_future(waiting)
        try:
            await asyncio.wait([task, self._working], return_when=asyncio.FIRST_COMPLETED)
        finally:
            task.cancel()
        if self._working.done():
            self._working.result()


@asynccontextmanager
async def in_line(length: int = 2) -> AsyncIterator[Line]:
    """Open a line of work, and wait for its end."""
    line = Line(length)
    try:
        yield line
        await line.done()
    finally:
        await line.close()
