"""Whatever is in a folder and whoever is killed: a file is indexed or listed with a reason."""

import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest

from tests.folders import fresh_settings
from tests.zapomni_core.code.corpus import files_in, write_corpus
from tests.zapomni_core.code.held import interrupt_reading
from tests.zapomni_core.code.stored import index_of
from zapomni_core import MemoryEngine, Settings

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
# Indexes a folder and stops for good after some files; what it prints says so.
HELD_PROCESS = """
import asyncio, sys, pytest
from pathlib import Path
from tests.folders import fresh_settings
from tests.zapomni_core.code.held import interrupt_reading
from zapomni_core import MemoryEngine

async def stop():
    print("held", flush=True)
    await asyncio.Event().wait()

async def main(data, graph, root, after):
    with pytest.MonkeyPatch.context() as patch:
        interrupt_reading(patch, int(after), stop)
        settings = fresh_settings(Path(data), graph_name=graph, code_roots=root)
        async with MemoryEngine(settings) as engine:
            await engine.index_codebase(root, patience_s=None)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
async def engine(memory_folder: Path, tmp_path: Path) -> AsyncIterator[MemoryEngine]:
    async with MemoryEngine(fresh_settings(memory_folder, code_roots=str(tmp_path))) as engine:
        yield engine


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Path]:
    root = tmp_path / "corpus"
    write_corpus(root)
    yield root
    (root / "closed").chmod(0o700)


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """Files that call each other in a row."""
    root = tmp_path / "chain"
    root.mkdir()
    for number in range(260):
        imported = f"from part_{number - 1:03} import kept_{number - 1:03}\n" if number else ""
        (root / f"part_{number:03}.py").write_text(
            f"{imported}\n\ndef kept_{number:03}(x):\n    return kept_{max(number - 1, 0):03}(x)\n"
        )
    return root


def started_and_held(settings: Settings, root: Path, after: int) -> subprocess.Popen[bytes]:
    """Start a process that indexes a folder, and wait until it has read some files."""
    arguments = [str(settings.data_dir), settings.graph_name, str(root), str(after)]
    process = subprocess.Popen(
        [sys.executable, "-c", HELD_PROCESS, *arguments], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    with process.stdout as printed:
        assert any(line == b"held\n" for line in printed)
    return process


async def contents(engine: MemoryEngine, root: Path) -> dict[str, Any]:
    """Return all that is known of a folder, in so far as it does not depend on when."""
    index = index_of(engine, root)
    symbols = {
        each.id: (each.line, each.end_line, each.kind, each.hash)
        for path in await index.files()
        for each in await index.symbols_in(path)
    }
    graph = await index.call_graph(list(symbols), "callees", depth=1, limit=10_000)
    found = [await engine.search_code(f"kept_{n}", limit=1) for n in ("000", "100", "259")]
    return {
        "files": await index.files(),
        "symbols": symbols,
        "calls": sorted((link.source, link.target, link.how, link.lines) for link in graph.links),
        "census": await index.census(),
        "due": await index.due_files(),
        "found": [each.hits[0].symbol.id for each in found],
    }


async def fresh_contents(memory_folder: Path, root: Path) -> dict[str, Any]:
    async with MemoryEngine(fresh_settings(memory_folder, code_roots=str(root))) as engine:
        await engine.index_codebase(str(root), patience_s=None)
        return await contents(engine, root)


async def test_every_file_of_a_hostile_folder_is_indexed_or_listed_with_a_reason(
    engine: MemoryEngine, corpus: Path
) -> None:
    indexed = await engine.index_codebase(str(corpus), patience_s=None)

    known = await index_of(engine, corpus).files()
    skipped = {path for path, stamp in known.items() if stamp.status == "skipped"}
    around = tuple(f"{path}/" for path in skipped)
    silent = {path for path in files_in(corpus) if path not in known}
    assert indexed.job.state == "done", indexed.job.error
    assert {path for path in silent if not path.startswith(around)} == set()
    assert sum(indexed.skipped.values()) == len(skipped)
    assert "" not in indexed.skipped
    assert len(known) - len(skipped) == indexed.indexed


async def test_what_can_be_read_is_read_whatever_it_is_written_in(
    engine: MemoryEngine, corpus: Path
) -> None:
    await engine.index_codebase(str(corpus), patience_s=None)

    names = ["plain", "utf16", "latin", "crlf", "bom", "newline", "emoji", "dash", "upper"]
    names += ["lower", "hidden", "script", "end"]
    found = {name: (await engine.get_symbol(f"kept_{name}")).symbol for name in names}
    assert [name for name, symbol in found.items() if symbol is None] == []
    assert found["upper"] != found["lower"]


async def test_reasons_are_those_of_the_files(engine: MemoryEngine, corpus: Path) -> None:
    await engine.index_codebase(str(corpus), patience_s=None)

    census = await index_of(engine, corpus).census()
    reasons = {path: reason for reason, (_, paths) in census.skipped.items() for path in paths}
    expected = {
        "nul.py": "binary",
        "noise.py": "binary",
        "long_line.py": "too big",
        "minified.js": "minified",
        ".env": "secret file",
        "pipe.py": "not a regular file",
        "loop": "symlink",
        "self.py": "symlink",
        "out.py": "symlink",
        "inner": "nested repository",
        "node_modules": "dependencies or build output",
        "bad\\xff.py": "undecodable name",
        "notes.xyz": "not source",
    }
    assert reasons | expected == reasons


async def test_a_file_that_goes_while_others_are_read_is_no_failure(
    engine: MemoryEngine, chain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = chain / "part_259.py"

    async def delete() -> None:
        victim.unlink(missing_ok=True)

    interrupt_reading(monkeypatch, 1, delete)
    first = await engine.index_codebase(str(chain), patience_s=None)
    again = await engine.index_codebase(str(chain), patience_s=None)

    assert (first.job.state, first.indexed) == ("done", 259)
    assert (again.job.state, again.indexed, again.unchanged) == ("done", 0, 259)
    assert set(await index_of(engine, chain).files()) == files_in(chain)


async def test_a_parser_that_is_killed_costs_at_most_one_file(
    engine: MemoryEngine, chain: Path, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []

    async def kill_a_parser() -> None:
        parsers = [
            each
            for each in psutil.Process().children()
            if each.status() != psutil.STATUS_ZOMBIE and "parsing.worker" in str(each.cmdline())
        ]
        if not killed:
            parsers[0].kill()
            killed.append(parsers[0].pid)

    interrupt_reading(monkeypatch, 20, kill_a_parser)
    first = await engine.index_codebase(str(chain), patience_s=None)
    again = await engine.index_codebase(str(chain), patience_s=None)

    assert killed
    assert first.job.state == "done"
    assert first.skipped in ({}, {"parser crashed": 1})
    assert first.indexed == 260 - sum(first.skipped.values())
    assert (again.skipped, again.indexed + again.unchanged) == ({}, 260)
    assert await contents(engine, chain) == await fresh_contents(memory_folder, chain)


async def test_after_the_death_of_an_indexing_process_the_next_one_ends_as_on_a_fresh_store(
    memory_folder: Path, chain: Path
) -> None:
    settings = fresh_settings(memory_folder, code_roots=str(chain))
    process = started_and_held(settings, chain, after=230)
    async with MemoryEngine(settings) as engine:
        with anyio.fail_after(60):
            while len(await index_of(engine, chain).files()) < 100:
                pass
        process.kill()
        assert process.wait(20) == -signal.SIGKILL
        left = await index_of(engine, chain).files()
        again = await engine.index_codebase(str(chain), patience_s=None)
        result = await contents(engine, chain)

    assert 100 <= len(left) < 260
    assert (again.job.state, again.unchanged) == ("done", len(left))
    assert result == await fresh_contents(memory_folder, chain)


async def test_two_processes_that_index_one_folder_end_as_one_does(
    memory_folder: Path, chain: Path
) -> None:
    settings = fresh_settings(memory_folder, code_roots=str(chain))
    async with MemoryEngine(settings) as one, MemoryEngine(settings) as other:
        done: list[str] = []

        async def index(engine: MemoryEngine) -> None:
            done.append((await engine.index_codebase(str(chain), patience_s=None)).job.state)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(index, one)
            tasks.start_soon(index, other)
        result = await contents(one, chain)

    assert done == ["done", "done"]
    assert result == await fresh_contents(memory_folder, chain)
