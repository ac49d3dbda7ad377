"""The word index of a store, kept in this process and in step with every other process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Protocol

import structlog

from zapomni_core.retrieval.lexicon import Lexicon, TermCounter, terms_as_they_stand
from zapomni_core.retrieval.snapshot import SnapshotUnusable
from zapomni_core.retrieval.terms import TERMS_VERSION
from zapomni_db import START, Change, IndexEntry, StoreError

__all__ = ["WordIndex", "WordSource"]

# The log keeps at least 10,000 entries, so a gap can only hide behind a long answer.
_SUSPICIOUS_CHANGES = 5_000
_CHANGES_PER_SNAPSHOT = 2_000

_log = structlog.get_logger()


class WordSource(Protocol):
    """Where the words come from, and how to hear of changes."""

    @property
    def store_id(self) -> str:
        """Tell this source from any other."""

    async def position(self) -> str:
        """Return the position of the newest change."""

    async def can_follow(self, position: str) -> bool:
        """Tell whether every change after a position is still known."""

    async def changes_since(self, position: str) -> list[Change]:
        """List what has changed since a position."""

    def all_entries(self) -> AsyncIterator[list[IndexEntry]]:
        """Fetch every index entry, page by page."""

    async def entries_of(self, memory_ids: Sequence[str]) -> list[IndexEntry]:
        """Fetch the index entries of some memories."""


class WordIndex:
    """A lexicon that loads from a snapshot or the store, and then follows the change log."""

    def __init__(
        self,
        store: WordSource,
        executor: Executor,
        snapshot: Path,
        count: TermCounter = terms_as_they_stand,
        hear_of_others: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        self.lexicon = Lexicon(count=count)
        self.position = START
        self.is_ready = False
        self._store = store
        self._executor = executor
        self._snapshot = snapshot
        self._count = count
        self._hear_of_others = hear_of_others
        self._unsaved = 0
        self._own: set[str] = set()
        self._next_look: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        # No lock for readers: queueing for the one above, which is held while the store is asked,
        # was 80 % of a search with 50 clients on one core.
        self._steady = asyncio.Event()
        self._steady.set()

    async def load(self) -> None:
        """Become ready: from the snapshot if the log still reaches it, else from every chunk."""
        async with self._lock:
            if not await self._load_snapshot():
                await self._rebuild()
            self.is_ready = True
        _log.info("word_index_ready", chunks=len(self.lexicon))

    async def add(
        self, position: str, entries: Sequence[IndexEntry], replaced: Collection[str] = ()
    ) -> None:
        """Index what this process has just stored, without asking the store for it.

        `position` is that of the change; the chunks of the memories `replaced` give way.
        """
        if not self.is_ready:
            return
        async with self._lock:
            if _order(position) <= _order(self.position):
                return  # somebody has looked in between
            self._own.add(position)
            await self._change(self.lexicon.replace_memories, replaced, entries)
            self._unsaved += 1
        await self._save_when_due()

    async def forget_on_disk(self) -> None:
        """Take what was removed out of the snapshot, too."""
        if not self.is_ready:
            self._snapshot.unlink(missing_ok=True)
            return
        await self.catch_up()
        self._unsaved += 1
        await self.save()

    async def catch_up(self) -> None:
        """Apply what any process has changed until now."""
        # One look serves everybody who asked before it began.
        if self._next_look is None or self._next_look.done():
            self._next_look = asyncio.create_task(self._look())
        await asyncio.shield(self._next_look)

    async def read[R](self, look: Callable[[Lexicon], R]) -> R:
        """Look something up while nobody changes the lexicon."""
        while not self._steady.is_set():
            await self._steady.wait()
        return look(self.lexicon)

    async def save(self) -> None:
        """Write the snapshot if anything changed; the next start is quick then."""
        if not self.is_ready or not self._unsaved:
            return
        async with self._lock:
            try:
                await self._follow()
                mark = f"{self._origin} {self.position}"
                self._snapshot.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                await self._run(self.lexicon.save, self._snapshot, mark)
            except (OSError, StoreError) as exc:
                _log.warning("snapshot_not_saved", error=type(exc).__name__)
            self._unsaved = 0

    async def _look(self) -> None:
        async with self._lock:
            self._next_look = None
            await self._follow()
            now_ms = time.time_ns() // 1_000_000
            if self.lexicon.has_due(now_ms):
                await self._change(self.lexicon.expire, now_ms)

    async def _follow(self) -> None:
        changes = await self._store.changes_since(self.position)
        if len(changes) > _SUSPICIOUS_CHANGES and not await self._store.can_follow(self.position):
            await self._rebuild()
        else:
            await self._apply(changes)

    @property
    def _origin(self) -> str:
        """Whose words these are: another store's, or ones cut in another way, are of no use."""
        return f"{self._store.store_id} {TERMS_VERSION}"

    async def _load_snapshot(self) -> bool:
        try:
            lexicon, mark = await self._run(Lexicon.load, self._snapshot, self._count)
        except (OSError, SnapshotUnusable):
            return False
        origin, _, position = mark.rpartition(" ")
        if origin != self._origin or not await self._store.can_follow(position):
            return False
        self.lexicon, self.position = lexicon, position
        await self._follow()
        return True

    async def _rebuild(self) -> None:
        lexicon, position = Lexicon(count=self._count), await self._store.position()
        async for page in self._store.all_entries():
            await self._run(lexicon.add, page)
        self.lexicon, self.position = lexicon, position
        self._own.clear()
        self._unsaved += 1
        await self._follow()

    async def _apply(self, changes: Sequence[Change]) -> None:
        if not changes:
            return
        if any(change.is_removal and not change.memory_id for change in changes):
            await self._rebuild()
            return
        # What this process did itself is in the lexicon; anything else is looked up as it is now.
        others = [change for change in changes if change.position not in self._own]
        replaced = {change.memory_id for change in others if change.is_removal or change.is_update}
        if wanted := sorted({change.memory_id for change in others}):
            entries = await self._store.entries_of(wanted)
            await self._change(self.lexicon.replace_memories, replaced, entries)
            if self._hear_of_others is not None:
                self._hear_of_others(wanted)
        self._own.difference_update(change.position for change in changes)
        self.position = changes[-1].position
        self._unsaved += len(changes)

    async def _save_when_due(self) -> None:
        if self._unsaved >= _CHANGES_PER_SNAPSHOT:
            await self.save()

    async def _change[**P](
        self, work: Callable[P, object], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Change the lexicon in another thread; whoever calls this holds the lock."""
        changing = self._run(work, *args, **kwargs)
        self._steady.clear()
        changing.add_done_callback(lambda _: self._steady.set())
        try:
            await asyncio.shield(changing)
        finally:
            # Whoever gives up must not let others in while the thread is still at it.
            await asyncio.wait([changing])

    def _run[**P, R](
        self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Future[R]:
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._executor, partial(work, *args, **kwargs))


def _order(position: str) -> tuple[int, int]:
    milliseconds, _, sequence = position.partition("-")
    return int(milliseconds), int(sequence)
