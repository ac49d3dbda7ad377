"""Let one process at a time write the index of a repository."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

__all__ = ["locked"]

_LOOK_AGAIN_S = 0.1


@asynccontextmanager
async def locked(file: Path) -> AsyncIterator[None]:
    """Wait for a lock, and hold it; the lock of a process that dies is free."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while not _is_taken(descriptor):  # noqa: ASYNC110  (another process holds it)
            await asyncio.sleep(_LOOK_AGAIN_S)
        yield
    finally:
        os.close(descriptor)


def _is_taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
