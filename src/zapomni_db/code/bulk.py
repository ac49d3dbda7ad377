"""Write many rows with one query, as fast as they can be written down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from typing import Any, LiteralString

from zapomni_db.code.cleaning import cleaned_value, dumped
from zapomni_db.connection import Command
from zapomni_db.cypher import Value
from zapomni_db.graph import Graph

__all__ = ["BulkGraph", "batches", "overlapping"]

# Queries of a transaction run on the main thread of the database: everybody waits for them.
# This many symbols or edges cost it 20 to 50 ms of CPU, half as many a sixth more in all.
_ROWS_PER_WRITE = 2000


class BulkGraph(Graph):
    """A graph that takes rows by the thousand."""

    def bulk(self, query: LiteralString, rows: Sequence[Value]) -> Command:
        """Build a write with `$rows`, which hold lists, texts, numbers and booleans.

        JSON reads as Cypher with the same values, and takes a tenth of the time to write; only
        the escapes of control characters mean nothing to FalkorDB 4.22.
        """
        written = dumped(rows)
        if b"\\u00" in written:
            return self.command(query, {"rows": cleaned_value(rows)})
        return ("GRAPH.QUERY", self._key, f"CYPHER rows={written.decode()} {query}", "--compact")

    def bulk_if_any(self, query: LiteralString, rows: Sequence[Value]) -> list[Command]:
        """Build the write, or none for no rows."""
        return [self.bulk(query, rows)] if rows else []


def batches[T](items: Iterable[T], size: Callable[[T], int]) -> Iterator[list[T]]:
    """Put neighbours together; an item is never cut, however many rows it has."""
    batch: list[T] = []
    rows = 0
    for item in items:
        more = 1 + size(item)
        if batch and rows + more > _ROWS_PER_WRITE:
            yield batch
            batch, rows = [], 0
        batch.append(item)
        rows += more
    if batch:
        yield batch


async def overlapping[T](steps: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Prepare each step while the database is still busy with the one before."""
    results: list[T] = []
    before: asyncio.Task[T] | None = None
    for step in steps:
        task = asyncio.create_task(step)
        try:
            if before is not None:
                results.append(await before)
        except BaseException:
            task.cancel()
            await asyncio.wait([task])
            raise
        before = task
    return results if before is None else [*results, await before]
