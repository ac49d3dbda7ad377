"""Let those who want the same thing have it one after the other."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["Turns"]


class Turns:
    """The turns of this process; whoever comes first has the first one."""

    def __init__(self) -> None:
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def of(self, wanted: str) -> AsyncIterator[None]:
        """Wait until nobody else has this."""
        self._waiting[wanted] += 1
        try:
            async with self._turns[wanted]:
                yield
        finally:
            self._waiting[wanted] -= 1
            if not self._waiting[wanted]:
                del self._waiting[wanted], self._turns[wanted]
