"""The word index: in step with other processes, quick to reopen, never wrong after damage."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from tests.folders import direct_client, fresh_settings, keyspace_of
from zapomni_core import MemoryEngine, Settings
from zapomni_core.retrieval import WordIndex
from zapomni_db import EmbeddedAddress, IndexEntry, Store

pytestmark = pytest.mark.anyio


class CountingStore(Store):
    """A store that counts how often everything is read."""

    full_reads = 0

    def all_entries(self) -> AsyncIterator[list[IndexEntry]]:
        """Count and read."""
        self.full_reads += 1
        return super().all_entries()


@asynccontextmanager
async def loaded(settings: Settings) -> AsyncIterator[tuple[CountingStore, WordIndex]]:
    """Load the index of a memory as another process would."""
    store = CountingStore(EmbeddedAddress(settings.data_dir), keyspace_of(settings))
    await store.open()
    with ThreadPoolExecutor(1) as executor:
        index = WordIndex(store, executor, snapshot_of(settings))
        await index.load()
        yield store, index
    await store.close()


def snapshot_of(settings: Settings) -> Path:
    return settings.data_dir / "cache" / f"{settings.graph_name}.words"


async def add(settings: Settings, *texts: str) -> None:
    async with MemoryEngine(settings) as engine:
        for text in texts:
            await engine.add_memory(text)


async def found_texts(engine: MemoryEngine, query: str) -> list[str]:
    return sorted(item.text for item in (await engine.search_memory(query)).results)


async def test_what_another_process_writes_is_found_at_once(settings: Settings) -> None:
    async with MemoryEngine(settings) as one, MemoryEngine(settings) as other:
        for number in range(3):
            await other.add_memory(f"zyzzyva {number}")
            await one.add_memory(f"quokka {number}")

            assert len(await found_texts(one, "zyzzyva")) == 2 * number + 2
            assert len(await found_texts(other, "quokka")) == 2 * number + 2


async def test_what_another_process_removes_is_not_found_any_more(settings: Settings) -> None:
    async with MemoryEngine(settings) as one, MemoryEngine(settings) as other:
        doomed = await one.add_memory("zyzzyva to remove")
        await one.add_memory("zyzzyva to keep")
        await found_texts(one, "zyzzyva")
        assert other._workspace is not None

        await other._workspace._store.remove(UUID(doomed.memory_id).hex)

        for engine in (one, other):
            assert await found_texts(engine, "zyzzyva") == ["zyzzyva to keep"]


async def test_a_memory_removed_by_the_process_that_added_it_leaves_the_index(
    engine: MemoryEngine,
) -> None:
    doomed = await engine.add_memory("zyzzyva to remove")
    assert engine._workspace is not None

    await engine._workspace._store.remove(UUID(doomed.memory_id).hex)

    assert await found_texts(engine, "zyzzyva") == []
    assert len(engine._workspace._index.lexicon) == 0


async def test_a_snapshot_saves_reading_everything_again(settings: Settings) -> None:
    await add(settings, "zyzzyva one", "zyzzyva two")

    async with loaded(settings) as (store, index):
        assert store.full_reads == 0
        assert len(index.lexicon) == 2


async def test_a_snapshot_is_brought_up_to_date(settings: Settings) -> None:
    await add(settings, "zyzzyva one")
    old = snapshot_of(settings).read_bytes()
    await add(settings, "zyzzyva two")
    snapshot_of(settings).write_bytes(old)

    async with loaded(settings) as (store, index):
        assert store.full_reads == 0
        assert len(index.lexicon) == 2


async def test_an_unchanged_index_is_not_written_again(settings: Settings) -> None:
    await add(settings, "zyzzyva one")
    written = snapshot_of(settings).stat()

    async with MemoryEngine(settings) as engine:
        await found_texts(engine, "zyzzyva")

    assert snapshot_of(settings).stat().st_ino == written.st_ino


@pytest.mark.parametrize("damage", ["flipped", "cut", "emptied", "missing", "foreign"])
async def test_a_damaged_snapshot_is_rebuilt(
    settings: Settings, memory_folder: Path, damage: str
) -> None:
    other = fresh_settings(memory_folder)
    await add(other, "from another memory")
    await add(settings, "zyzzyva one", "zyzzyva two")
    snapshot = snapshot_of(settings)
    content = bytearray(snapshot.read_bytes())
    match damage:
        case "flipped":
            content[len(content) // 2] ^= 0xFF
            snapshot.write_bytes(content)
        case "cut":
            snapshot.write_bytes(content[:-9])
        case "emptied":
            snapshot.write_bytes(b"")
        case "missing":
            snapshot.unlink()
        case "foreign":
            snapshot.write_bytes(snapshot_of(other).read_bytes())

    async with loaded(settings) as (store, index):
        assert store.full_reads == 1
        assert len(index.lexicon) == 2
    async with MemoryEngine(settings) as engine:
        assert await found_texts(engine, "zyzzyva") == ["zyzzyva one", "zyzzyva two"]


async def test_a_snapshot_of_terms_cut_in_another_way_is_rebuilt(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add(settings, "zyzzyva one")
    monkeypatch.setattr("zapomni_core.retrieval.index.TERMS_VERSION", "of another release")

    async with loaded(settings) as (store, index):
        assert store.full_reads == 1
        assert len(index.lexicon) == 1


async def test_a_snapshot_that_the_log_does_not_reach_is_rebuilt(settings: Settings) -> None:
    await add(settings, "zyzzyva one")
    old = snapshot_of(settings).read_bytes()
    await add(settings, "zyzzyva two", "zyzzyva three")
    snapshot_of(settings).write_bytes(old)
    with direct_client(settings.data_dir) as client:
        client.xtrim(keyspace_of(settings).changes, maxlen=1, approximate=False)

    async with loaded(settings) as (store, index):
        assert store.full_reads == 1
        assert len(index.lexicon) == 3


async def test_an_index_that_lost_the_end_of_the_log_is_rebuilt(settings: Settings) -> None:
    await add(settings, "zyzzyva one")
    changes = keyspace_of(settings).changes
    async with loaded(settings) as (store, index):
        await add(settings, "zyzzyva two")
        with direct_client(settings.data_dir) as client, client.pipeline() as pipe:
            for _ in range(5_600):
                pipe.xadd(changes, {"removed": uuid4().hex})
            pipe.xtrim(changes, maxlen=5_500, approximate=False)
            pipe.execute()

        await index.catch_up()

        assert store.full_reads == 1
        assert len(index.lexicon) == 2


async def test_a_folder_that_takes_no_snapshot_does_not_break_closing(
    settings: Settings,
) -> None:
    engine = MemoryEngine(settings)
    await engine.add_memory("zyzzyva one")
    in_the_way = snapshot_of(settings)
    in_the_way.mkdir(parents=True)
    (in_the_way / "file").touch()

    await engine.close()

    async with MemoryEngine(settings) as again:
        assert await found_texts(again, "zyzzyva") == ["zyzzyva one"]
