"""Know whether a session has work in flight, so that it is not ended in the middle of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["Activity", "busy"]

# Turns of the event loop that the SDK takes from a message to its handler: 4 in mcp 2.3.
_TURNS_TO_BEGIN = 20


class Activity:
    """Counts what a session has in flight."""

    def __init__(self) -> None:
        self._in_flight = 0
        self._idle = asyncio.Event()
        self._idle.set()

    def begin(self) -> None:
        """Note that work has begun."""
        self._in_flight += 1
        self._idle.clear()

    def end(self) -> None:
        """Note that work has ended."""
        self._in_flight -= 1
        if not self._in_flight:
            self._idle.set()

    async def idle(self) -> None:
        """Wait until nothing is in flight and nothing has just been handed over either."""
        quiet_turns = 0
        while quiet_turns < _TURNS_TO_BEGIN:
            quiet_turns = quiet_turns + 1 if self._idle.is_set() else 0
            await self._idle.wait()
            await asyncio.sleep(0)

    @contextmanager
    def current(self) -> Iterator[None]:
        """Have the work that is started in this block count as this session's."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


_current: ContextVar[Activity | None] = ContextVar("activity", default=None)


@contextmanager
def busy() -> Iterator[None]:
    """Count the block as work of the session that it belongs to, if it belongs to one."""
    activity = _current.get()
    if activity is None:
        yield
        return
    activity.begin()
    try:
        yield
    finally:
        activity.end()
