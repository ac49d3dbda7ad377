"""Workspaces come and go whole, whoever uses them at that moment."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.folders import direct_client
from tests.zapomni_core.workspaces.asking import TEXT, found, keys_of, memories_of
from zapomni_core import MemoryEngine, Settings, ValidationError

pytestmark = pytest.mark.anyio


async def test_a_workspace_goes_with_everything_in_it(
    engine: MemoryEngine, settings: Settings, project: Path
) -> None:
    before = keys_of(settings)
    await engine.create_workspace("work")
    work = engine.within("work")
    await work.build_graph(TEXT)
    await work.index_codebase(str(project))
    await work.embed_code()
    await work.search_code("encode")

    for confirm in ("", "Work", "work ", "yes"):
        with pytest.raises(ValidationError, match=r"^confirm"):
            await engine.delete_workspace("work", confirm)
    gone = await engine.delete_workspace("work", "work")

    assert (gone.name, gone.memories) == ("work", 1)
    assert keys_of(settings) == before
    assert not list((settings.data_dir / "cache").glob(f"{settings.graph_name}@*"))
    with pytest.raises(ValidationError, match="does not exist"):
        await work.search_memory("Anna")
    with pytest.raises(ValidationError, match=r"^name 'work' does not exist"):
        await engine.delete_workspace("work", "work")
    await engine.create_workspace("work")
    assert await found(work, "Anna") == []


async def test_the_default_workspace_cannot_be_deleted(engine: MemoryEngine) -> None:
    await engine.add_memory(TEXT)

    with pytest.raises(ValidationError, match="always exists"):
        await engine.delete_workspace("default", "default")
    assert len(await found(engine, "Anna")) == 1


async def test_closing_a_view_closes_nothing(engine: MemoryEngine, one: MemoryEngine) -> None:
    async with engine.within("one") as view:
        stored = await view.add_memory(TEXT)

    assert await found(one, "Anna") == [stored.memory_id]
    assert await found(engine, "Anna") == []


async def test_only_so_many_stay_open_and_calls_in_flight_are_not_broken(
    engine: MemoryEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_core.workspaces._MOST_OPEN", 2)
    names = [f"w{number}" for number in range(6)]
    for name in names:
        await engine.create_workspace(name)

    async def remember(name: str) -> None:
        for number in range(3):
            await engine.within(name).add_memory(f"{name} holds the number {number}, no other.")

    await asyncio.gather(*map(remember, names))
    for name in names:
        assert len(await found(engine.within(name), "number")) == 3
    still = [name for name in ("default", *names) if engine.within(name)._workspace is not None]

    assert still == names[-2:]
    assert await memories_of(engine) == {"default": 0} | dict.fromkeys(names, 3)


async def test_a_deletion_waits_for_calls_in_flight_and_refuses_those_that_come_later(
    engine: MemoryEngine, settings: Settings
) -> None:
    before = keys_of(settings)
    await engine.create_workspace("work")
    work = engine.within("work")
    adding = [asyncio.create_task(work.add_memory(f"{n}: {TEXT}")) for n in range(20)]
    await asyncio.sleep(0)

    await engine.delete_workspace("work", "work")
    ended = await asyncio.gather(*adding, return_exceptions=True)

    problems = [each for each in ended if isinstance(each, BaseException)]
    assert all(isinstance(each, ValidationError) for each in problems), problems
    assert keys_of(settings) == before


async def test_another_process_hears_that_its_workspace_was_deleted(
    engine: MemoryEngine, one: MemoryEngine, settings: Settings
) -> None:
    await one.add_memory(TEXT)
    before = keys_of(settings)
    async with MemoryEngine(settings) as other:
        there = other.within("one")
        assert len(await found(there, "Anna")) == 1

        await engine.delete_workspace("one", "one")
        for trying in (there.search_memory("Anna"), there.add_memory("too late")):
            with pytest.raises(ValidationError, match=r"^workspace 'one'"):
                await trying
        await engine.create_workspace("one")
        await one.add_memory("Everything is new here.")

        assert await found(there, "Anna") == await found(one, "Anna")
        assert len((await there.list_memories()).memories) == 1
    assert not any(b"one." in key for key in keys_of(settings) & before if b":graph" in key)


async def test_two_processes_share_workspaces_but_not_across(
    one: MemoryEngine, two: MemoryEngine, settings: Settings
) -> None:
    async with MemoryEngine(settings) as other:
        for number in range(3):
            await other.within("one").add_memory(f"Fact {number} about ships.")
            await two.add_memory(f"Fact {number} about planes.")

            assert len(await found(one, "ships")) == number + 1
            assert "ships" not in str(await other.within("two").search_memory("ships"))


_KILLED_WHILE_DELETING = """
import asyncio, os, signal, sys
from zapomni_core import MemoryEngine, Settings
from zapomni_db.workspaces import WorkspaceRegistry

async def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

async def main():
    settings = Settings(data_dir=sys.argv[1], graph_name=sys.argv[2])
    async with MemoryEngine(settings) as engine:
        await engine.within("work").add_memory("The words of a memory that goes.")
        setattr(WorkspaceRegistry, sys.argv[3], die)
        await engine.delete_workspace("work", "work")

asyncio.run(main())
"""


@pytest.mark.parametrize("place", ["mark", "sweep", "finish"])
async def test_a_deletion_that_was_killed_is_whole_or_has_not_begun(
    settings: Settings, place: str
) -> None:
    async with MemoryEngine(settings) as engine:
        before = keys_of(settings)
        await engine.create_workspace("work")
    arguments = [str(settings.data_dir), settings.graph_name, place]
    killed = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", _KILLED_WHILE_DELETING, *arguments],
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr

    async with MemoryEngine(settings) as engine:
        names = [each.name for each in await engine.list_workspaces()]
        assert names == (["default", "work"] if place == "mark" else ["default"])
        if place == "mark":
            assert len(await found(engine.within("work"), "memory")) == 1
            return
        assert keys_of(settings) == before
        assert not list((settings.data_dir / "cache").glob(f"{settings.graph_name}@*"))
        await engine.create_workspace("work")
        assert await found(engine.within("work"), "memory") == []


async def test_a_search_in_a_workspace_asks_the_database_no_more_than_in_the_default_one(
    engine: MemoryEngine, one: MemoryEngine, settings: Settings
) -> None:
    def commands() -> int:
        with direct_client(settings.data_dir) as client:
            return int(client.info("stats")["total_commands_processed"])

    asked = []
    for each in (engine, one):
        await each.build_graph(TEXT)
        await each.search_memory("Anna")
    for name in ("default", "one"):
        before = commands()
        for _ in range(10):
            await engine.within(name).search_memory("Where does Anna work?")
        asked.append(commands() - before)

    assert asked[0] == asked[1]
