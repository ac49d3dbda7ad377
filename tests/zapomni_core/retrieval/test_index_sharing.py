"""The word index under many hands: who waits for whom, and who need not."""

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from tests.folders import keyspace_of
from tests.zapomni_db.samples import sample
from zapomni_core import Settings
from zapomni_core.retrieval import WordIndex
from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_db import Change, EmbeddedAddress, IndexEntry, Store

pytestmark = pytest.mark.anyio


class HesitantStore(Store):
    """A store that counts how often it is asked for changes, and answers when it is let."""

    looks = 0
    may_answer: asyncio.Event

    async def changes_since(self, position: str) -> list[Change]:
        """Count, wait and answer."""
        self.looks += 1
        await self.may_answer.wait()
        return await super().changes_since(position)


@asynccontextmanager
async def loaded(settings: Settings) -> AsyncIterator[tuple[HesitantStore, WordIndex]]:
    store = HesitantStore(EmbeddedAddress(settings.data_dir), keyspace_of(settings))
    store.may_answer = asyncio.Event()
    store.may_answer.set()
    await store.open()
    with ThreadPoolExecutor(1) as executor:
        index = WordIndex(
            store, executor, Path(settings.data_dir) / f"{settings.graph_name}.words"
        )
        await index.load()
        store.looks = 0
        yield store, index
    await store.close()


def entry() -> IndexEntry:
    memory, (chunk,) = sample("pine")
    return IndexEntry(chunk.id, memory.id, chunk.terms, 0, memory.source, memory.tags)


async def test_a_reader_does_not_wait_for_the_store(settings: Settings) -> None:
    async with loaded(settings) as (store, index):
        store.may_answer.clear()
        following = asyncio.create_task(index.catch_up())
        with anyio.fail_after(30):
            while not store.looks:
                await anyio.lowlevel.checkpoint()

            assert await index.read(len) == 0

        store.may_answer.set()
        await following


async def test_everybody_who_asks_during_a_look_shares_the_next_one(settings: Settings) -> None:
    async with loaded(settings) as (store, index):
        store.may_answer.clear()
        first = asyncio.create_task(index.catch_up())
        with anyio.fail_after(30):
            while not store.looks:
                await anyio.lowlevel.checkpoint()
        others = [asyncio.create_task(index.catch_up()) for _ in range(10)]
        await anyio.lowlevel.checkpoint()
        store.may_answer.set()
        await asyncio.gather(first, *others)

        assert store.looks == 2


async def test_readers_wait_for_a_change_whose_caller_has_given_up(settings: Settings) -> None:
    async with loaded(settings) as (_, index):
        lexicon = index.lexicon = SlowLexicon()
        adding = asyncio.create_task(index.add("1-0", [entry()]))
        with anyio.fail_after(30):
            await asyncio.to_thread(lexicon.begun.wait)
        adding.cancel()
        reading = asyncio.create_task(index.read(len))
        for _ in range(100):
            await anyio.lowlevel.checkpoint()
        was_let_in = reading.done()
        lexicon.may_end.set()

        assert not was_let_in
        with anyio.fail_after(30):
            assert await reading == 1
        with pytest.raises(asyncio.CancelledError):
            await adding


class SlowLexicon(Lexicon):
    """A lexicon whose change takes as long as one likes."""

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self.begun, self.may_end = threading.Event(), threading.Event()

    def add(self, entries: list[IndexEntry]) -> None:  # type: ignore[override]
        """Say that it has begun, and end when it may."""
        self.begun.set()
        self.may_end.wait()
        super().add(entries)
