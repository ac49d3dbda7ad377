"""Hold up the reading of source files in the middle."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing
from pathlib import Path

import anyio
import pytest

from zapomni_core.code.parsing.pool import ParserPool
from zapomni_core.code.parsing.report import FileReport

type Interruption = Callable[[], Awaitable[None]]


class Hold:
    """Waits after some files until it may go on."""

    def __init__(self) -> None:
        self.reached = anyio.Event()
        self.allowed = anyio.Event()

    async def __call__(self) -> None:
        """Say that it was reached, and wait."""
        self.reached.set()
        await self.allowed.wait()


def interrupt_reading(
    monkeypatch: pytest.MonkeyPatch, after: int, interruption: Interruption
) -> None:
    """Have something happen after this many files of every reading."""
    read = ParserPool.read

    async def interrupted(
        pool: ParserPool, root: Path, requests: Iterable[tuple[str, str | None]]
    ) -> AsyncGenerator[FileReport]:
        async with aclosing(read(pool, root, requests)) as reports:
            number = 0
            async for report in reports:
                yield report
                number += 1
                if number == after:
                    await interruption()

    monkeypatch.setattr(ParserPool, "read", interrupted)
