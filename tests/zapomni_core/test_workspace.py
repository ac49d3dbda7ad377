"""The open workspace: while it warms up, where it looks for its database, how it ends."""

import asyncio
from datetime import date
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from tests.folders import fresh_settings
from zapomni_core import MemoryEngine, SearchFilters, Settings
from zapomni_core.address import address_of
from zapomni_core.retrieval import WordIndex
from zapomni_core.workspace import Workspace
from zapomni_db import EmbeddedAddress, ServerAddress

pytestmark = pytest.mark.anyio


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zapomni_core.workspace._PATIENCE_S", 0.01)


def workspace_of(engine: MemoryEngine) -> Workspace:
    assert engine._workspace is not None
    return engine._workspace


async def until_ready(index: WordIndex) -> None:
    with anyio.fail_after(30):
        while not index.is_ready:
            await anyio.lowlevel.checkpoint()


@pytest.mark.usefixtures("impatient")
async def test_a_search_before_the_index_is_ready_says_so_and_is_filtered(
    engine: MemoryEngine,
) -> None:
    await engine.add_memory("The red kite", {"tags": ["a"], "timestamp": "2025-01-01"})
    await engine.add_memory("The blue kite", {"tags": ["b"], "timestamp": "2025-01-02"})
    index = workspace_of(engine)._index

    async with index._lock:  # a load in progress holds it
        index.is_ready = False
        everything = await engine.search_memory("kite")
        by_tag = await engine.search_memory("kite", 10, SearchFilters(tags=("b",)))
        by_day = await engine.search_memory(
            "kite", 10, SearchFilters(date_from=date(2025, 1, 1), date_to=date(2025, 1, 1))
        )
        state = (await engine.get_stats()).state
    await until_ready(index)
    later = await engine.search_memory("kite")

    assert everything.notice is not None
    assert "still loading" in everything.notice
    assert everything.count == 2
    assert [item.text for item in by_tag.results] == ["The blue kite"]
    assert [item.text for item in by_day.results] == ["The red kite"]
    assert state == "warming"
    assert (later.notice, later.count) == (None, 2)


@pytest.mark.usefixtures("impatient")
async def test_what_is_added_before_the_index_is_ready_is_in_it_afterwards(
    engine: MemoryEngine,
) -> None:
    await engine.add_memory("first")
    index = workspace_of(engine)._index

    async with index._lock:
        index.is_ready = False
        await engine.add_memory("zyzzyva")
    await engine.search_memory("zyzzyva")

    await until_ready(index)
    found = await engine.search_memory("zyzzyva")
    assert (found.results[0].text, found.notice) == ("zyzzyva", None)


async def test_closing_at_once_after_opening_is_clean(settings: Settings) -> None:
    for _ in range(3):
        engine = MemoryEngine(settings)
        await engine.initialize()
        await engine.close()


async def test_closing_while_a_memory_is_added_ends_the_add(settings: Settings) -> None:
    engine = MemoryEngine(settings)
    await engine.initialize()
    adding = asyncio.create_task(engine.add_memory("A sentence about ships. " * 2000))
    await asyncio.sleep(0)

    with anyio.fail_after(20):
        await engine.close()
        await asyncio.gather(adding, return_exceptions=True)

    async with MemoryEngine(settings) as again:
        stats = await again.get_stats()
    assert stats.total_memories == (0 if adding.exception() else 1)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"falkordb_host": "db"}, ServerAddress("db")),
        (
            {"falkordb_host": "db", "falkordb_port": 7000, "falkordb_password": "p"},
            ServerAddress("db", 7000, None, "p"),
        ),
        (
            {"falkordb_host": "db", "falkordb_tls": True, "falkordb_tls_ca": Path(__file__)},
            ServerAddress("db", tls=True, tls_ca_file=__file__),
        ),
        (
            {"falkordb_url": "falkor://anna:p%40ss@db:7000", "falkordb_host": "other"},
            ServerAddress("db", 7000, "anna", "p@ss"),
        ),
        ({"falkordb_url": "rediss://db"}, ServerAddress("db", tls=True)),
        ({"falkordb_url": "falkor://[::1]:7000"}, ServerAddress("::1", 7000)),
    ],
)
def test_the_database_is_where_the_settings_say(
    tmp_path: Path, given: dict[str, object], expected: ServerAddress
) -> None:
    assert address_of(fresh_settings(tmp_path, **given)) == expected


def test_with_no_address_the_database_is_embedded(tmp_path: Path) -> None:
    settings = fresh_settings(tmp_path, fsync="everysec")

    assert address_of(settings) == EmbeddedAddress(tmp_path, "everysec")
