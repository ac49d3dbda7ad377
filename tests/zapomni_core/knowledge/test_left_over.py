"""What other processes have left unread is read in the background, and once."""

import asyncio
import uuid
from collections import Counter
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from tests.fakes import FakeOllama
from tests.folders import fresh_settings
from tests.zapomni_core.knowledge.readers import open_engine
from zapomni_core import MemoryEngine
from zapomni_core.knowledge.building import Builder
from zapomni_db.knowledge import Knowledge

pytestmark = pytest.mark.anyio


async def settle(engine: MemoryEngine) -> None:
    assert engine._workspace is not None
    await engine._workspace.graph.settle()


async def remember(engine: MemoryEngine, text: str) -> str:
    stored = await engine.add_memory(text)
    await settle(engine)
    return stored.memory_id


class Watch:
    """Counts who reads which memory, and who looks for memories that were left."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Listen to every process, and let nobody wait for others."""
        self.read = Counter[tuple[Builder, str]]()
        self.may_read = asyncio.Event()
        self.may_read.set()
        self._looks = Counter[Knowledge]()
        look, step = Knowledge.unbuilt, Builder._step

        async def counted(knowledge: Knowledge, *args: Any) -> list[str]:
            self._looks[knowledge] += 1
            return await look(knowledge, *args)

        async def noted(builder: Builder, memory_ids: Sequence[str], *args: Any) -> None:
            self.read.update((builder, each) for each in memory_ids)
            await self.may_read.wait()
            await step(builder, memory_ids, *args)

        monkeypatch.setattr("zapomni_core.knowledge.graph._PATIENCE_WITH_OTHERS_S", 0)
        monkeypatch.setattr(Knowledge, "unbuilt", counted)
        monkeypatch.setattr(Builder, "_step", noted)

    async def hear(self, engine: MemoryEngine, change: Awaitable[object]) -> None:
        """Have a process hear of a change, and look for what others have left."""
        assert engine._workspace is not None
        knowledge = engine._workspace._store.knowledge
        before = self._looks[knowledge]
        await change
        await engine.search_memory("Anna")
        with anyio.fail_after(30):
            while self._looks[knowledge] == before:
                await anyio.lowlevel.checkpoint()


async def test_what_a_process_stores_that_does_not_stay_is_read_by_one_that_does(
    memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_core.knowledge.graph._PATIENCE_WITH_OTHERS_S", 0.01)
    settings = fresh_settings(memory_folder)
    short = settings.model_copy(update={"auto_graph": False})
    async with MemoryEngine(settings) as server, MemoryEngine(short) as command:
        await server.get_related("Roberto Zanetti")
        await command.add_memory("Roberto Zanetti works at Acme Robotics.")

        with anyio.fail_after(30):
            found = await server.get_related("Roberto Zanetti")
            while not found.relations:
                await anyio.sleep(0.05)
                found = await server.get_related("Roberto Zanetti")

    assert {each.entity.name for each in found.relations} == {"Acme Robotics"}


async def test_what_others_have_left_is_read_once(
    memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = fresh_settings(memory_folder)
    short = settings.model_copy(update={"auto_graph": False})
    async with MemoryEngine(settings) as server, MemoryEngine(short) as command:
        await remember(server, "The weather is fine.")
        watch = Watch(monkeypatch)
        watch.may_read.clear()
        for number in range(4):
            text = f"Anna Petrova has met Roberto Zanetti {number} times."
            await watch.hear(server, command.add_memory(text))
        watch.may_read.set()
        await settle(server)
        await watch.hear(server, command.add_memory("Roberto Zanetti lives in Rome."))
        await settle(server)

    assert set(watch.read.values()) == {1}
    assert len(watch.read) >= 4


async def test_what_the_model_does_not_answer_for_is_not_read_again_at_each_change(
    memory_folder: Path, ollama: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    ollama.chat = "broken"
    watch = Watch(monkeypatch)
    async with open_engine(memory_folder, ollama) as engine:
        stored = await remember(engine, "Anna Petrova works at Siemens.")
        for number in range(3):
            await watch.hear(engine, engine.update_memory(stored, metadata={"number": number}))
        await settle(engine)
        once = sum(watch.read.values())
        await engine.update_memory(stored, "Anna Petrova works at Bosch.")
        await settle(engine)

    assert (once, sum(watch.read.values())) == (1, 2)


async def test_processes_that_read_in_different_ways_do_not_overwrite_each_other_for_ever(
    memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(monkeypatch)
    settings = fresh_settings(memory_folder)
    async with MemoryEngine(settings) as one, MemoryEngine(settings) as other:
        await remember(other, "The weather is fine.")
        assert other._workspace is not None
        extractor = other._workspace.graph._builder._extractor
        monkeypatch.setattr(type(extractor), "name", property(lambda me: f"rules-{id(me)}"))
        stored = await remember(one, "Anna Petrova works at Siemens.")
        for number in range(4):
            for engine, writer in ((one, other), (other, one)):
                changes = {"number": number, "is_first": engine is one}
                await watch.hear(engine, writer.update_memory(stored, metadata=changes))
                await settle(engine)

    memory_id = uuid.UUID(stored).hex
    assert [times for (_, each), times in watch.read.items() if each == memory_id] == [1, 1]


async def test_closing_waits_for_the_end_of_the_reading(
    memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_begun, may_end, has_ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(*_args: object) -> None:
        has_begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await may_end.wait()
            has_ended.set()

    monkeypatch.setattr(Builder, "_step", slow)
    async with MemoryEngine(fresh_settings(memory_folder)) as engine:
        await engine.add_memory("Anna Petrova works at Siemens.")
        assert engine._workspace is not None
        await has_begun.wait()
        closing = asyncio.create_task(engine._workspace.graph.close())
        for _ in range(10):
            await anyio.lowlevel.checkpoint()
        was_closed = closing.done()
        may_end.set()
        await closing

    assert not was_closed
    assert has_ended.is_set()


async def test_nobody_listens_once_the_reading_has_failed(
    memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_failed = asyncio.Event()

    async def fail(*_args: object) -> None:
        has_failed.set()
        raise LookupError

    monkeypatch.setattr(Builder, "_step", fail)
    async with MemoryEngine(fresh_settings(memory_folder)) as engine:
        await engine.add_memory("Anna Petrova works at Siemens.")
        assert engine._workspace is not None
        graph = engine._workspace.graph
        await has_failed.wait()
        assert graph._following is not None
        await asyncio.wait([graph._following])
        left = [each for each in asyncio.all_tasks() if "_listen" in repr(each.get_coro())]
        with pytest.raises(ExceptionGroup):
            await graph.close()
        graph._following = None

    assert left == []
