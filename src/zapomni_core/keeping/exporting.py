"""Write all memories of a store, one on each line, in the order of their ids."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from zapomni_core.jobs import Progress
from zapomni_core.keeping.lines import End, Header, KeptFact, write_line
from zapomni_db.transfer import Transfer, WholeMemory

__all__ = ["Exported", "all_memories", "export_lines"]

_MEMORIES_AT_ONCE = 500
_CHARS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export holds; the hash is that of every line before the last."""

    memories: int
    kept_facts: int
    sha256: str


async def export_lines(
    transfer: Transfer,
    file: BinaryIO,
    *,
    with_vectors: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Write an export; the same memories give the same bytes."""
    output = _Hashed(file)
    output.write(write_line(Header(transfer.stamp, with_vectors)))
    memories = 0
    async for page, total in all_memories(transfer, with_vectors=with_vectors):
        memories += len(page)
        await asyncio.to_thread(_write_page, output, page)
        if progress is not None:
            await progress(memories, total)
    kept = await transfer.kept_facts()
    for fact_id in kept:
        output.write(write_line(KeptFact(fact_id)))
    exported = Exported(memories, len(kept), output.hash.hexdigest())
    output.write(write_line(End(exported.memories, exported.kept_facts, exported.sha256)))
    return exported


async def all_memories(
    transfer: Transfer, *, with_vectors: bool = False
) -> AsyncIterator[tuple[list[WholeMemory], int]]:
    """Fetch every memory, page by page in the order of ids, with the number of all of them."""
    found = await transfer.memory_ids()
    upcoming: asyncio.Task[list[WholeMemory]] | None = None
    try:
        # The next page is fetched while the caller has the last one.
        for ids in _pages(found):
            fetching = asyncio.create_task(transfer.fetch(ids, with_vectors=with_vectors))
            if upcoming is not None:
                page, upcoming = await upcoming, fetching
                yield page, len(found)
            upcoming = fetching
        if upcoming is not None:
            yield await upcoming, len(found)
    finally:
        if upcoming is not None:
            upcoming.cancel()


class _Hashed:
    def __init__(self, file: BinaryIO) -> None:
        self.hash = hashlib.sha256()
        self._file = file

    def write(self, content: bytes) -> None:
        self.hash.update(content)
        self._file.write(content)


def _write_page(output: _Hashed, page: Sequence[WholeMemory]) -> None:
    output.write(b"".join(map(write_line, page)))


def _pages(found: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    page: list[str] = []
    chars = 0
    for memory_id, length in found:
        if page and (len(page) == _MEMORIES_AT_ONCE or chars + length > _CHARS_AT_ONCE):
            yield page
            page, chars = [], 0
        page.append(memory_id)
        chars += length
    if page:
        yield page
