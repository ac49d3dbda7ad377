"""A program that writes memories into a data folder until its input ends."""

import asyncio
import logging
import sys
from pathlib import Path

import structlog

from tests.zapomni_db.samples import opened, sample
from zapomni_db import EmbeddedAddress, Keyspace

_LONG_AGO_MS = 1_000_000_000_000


async def write(folder: Path, keyspace: Keyspace, memories: int, chunks: int) -> None:
    async with opened(EmbeddedAddress(folder), keyspace) as store:
        _tell("ready")
        for _ in range(memories):
            memory, pieces = sample(chunks=chunks, created_ms=_LONG_AGO_MS)
            await store.add(memory, pieces)
            _tell(pieces[0].id)
        sys.stdin.read()


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    asyncio.run(write(Path(sys.argv[1]), Keyspace(sys.argv[2]), *map(int, sys.argv[3:])))
