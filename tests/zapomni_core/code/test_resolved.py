"""The process that resolves calls may end at any time; the next run knows what it knew."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson
import psutil
import pytest

from tests.folders import fresh_settings
from tests.zapomni_core.code.held import interrupt_reading
from tests.zapomni_core.code.stored import callers
from zapomni_core import MemoryEngine
from zapomni_core.code.model import Call, FileFacts
from zapomni_core.code.resolved import ReadFile, Resolved
from zapomni_core.workers.asking import Program, Workers
from zapomni_core.workers.message import Message

pytestmark = pytest.mark.anyio

TASK = "zapomni_core.code.resolution.worker"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "store.py").write_text("def save(item):\n    return item\n")
    (folder / "app.py").write_text(
        "from store import load, save\n\n\ndef buy():\n    save(1)\n    load()\n"
    )
    return folder


def resolvers() -> list[psutil.Process]:
    return [
        each
        for each in psutil.Process().children()
        # Other tests kill servers, and nobody asks after those.
        if each.status() != psutil.STATUS_ZOMBIE and TASK in each.cmdline()
    ]


def end_resolver() -> None:
    (process,) = resolvers()
    process.kill()


async def test_a_change_is_resolved_although_the_process_has_ended_since_the_last_one(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.index_codebase(str(root))
    end_resolver()

    (root / "shelf.py").write_text("from store import save\n\n\ndef refill():\n    save(2)\n")
    indexed = await engine.index_codebase(str(root))

    assert (indexed.job.state, indexed.indexed) == ("done", 1)
    assert set(await callers(engine, "save")) == {"buy", "refill"}


async def test_a_run_during_which_the_process_ends_fails_and_the_next_one_makes_up_for_it(
    engine: MemoryEngine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await engine.index_codebase(str(root))

    async def end() -> None:
        if resolvers():
            end_resolver()

    with monkeypatch.context() as patched:
        interrupt_reading(patched, 1, end)
        (root / "shelf.py").write_text("from store import save\n\n\ndef refill():\n    save(2)\n")
        (root / "store.py").write_text("def save(item):\n    pass\n\n\ndef load():\n    pass\n")
        failed = await engine.index_codebase(str(root))
    again = await engine.index_codebase(str(root))

    assert again.job.state == "done"
    assert set(await callers(engine, "save")) == {"buy", "refill"}
    # Nothing in app.py has changed: it is what it calls that is there now.
    assert await callers(engine, "load") == ["buy"]
    assert failed.job.state == "failed"
    assert "index once more" in (failed.notice or "")


async def test_nothing_is_left_running_when_the_engine_is_closed(
    memory_folder: Path, root: Path
) -> None:
    settings = fresh_settings(memory_folder).model_copy(update={"code_roots": (root,)})
    async with MemoryEngine(settings) as engine:
        await engine.index_codebase(str(root))
        assert len(resolvers()) == 1
    assert resolvers() == []


async def test_a_process_that_is_asked_while_it_is_closed_ends_with_its_answer() -> None:
    workers = Workers(Program(TASK, "resolves", sys.executable), 1, limit_s=60)
    asking = asyncio.create_task(workers.ask(Message(orjson.dumps(["mentions", []]))))
    await asyncio.sleep(0)

    await workers.close()
    await asking

    assert resolvers() == []


async def test_another_repository_takes_the_process_of_the_last_one(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool.py").write_text("def hammer():\n    return 1\n")
        await engine.index_codebase(str(tmp_path / name))
    await engine.embed_code()

    assert len(resolvers()) == 1


async def test_a_file_that_cannot_be_resolved_takes_nothing_from_the_others(
    engine: MemoryEngine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange = FileFacts("python", calls=(Call("save", "", 1, 99),)).packed()
    take = Resolved.take

    async def take_strange(
        self: Resolved, files: Sequence[ReadFile], *, is_compared: bool
    ) -> set[str]:
        changed = [f._replace(facts=strange) if f.path == "strange.py" else f for f in files]
        return await take(self, changed, is_compared=is_compared)

    (root / "strange.py").write_text("save(1)\n")
    monkeypatch.setattr(Resolved, "take", take_strange)
    indexed = await engine.index_codebase(str(root))

    assert (indexed.job.state, indexed.indexed) == ("done", 3)
    assert "What 1 files call could not be found out." in str(indexed.notice)
    assert await callers(engine, "save") == ["buy"]
