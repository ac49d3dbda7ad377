"""What is known of a repository follows its settings, its calls and what is gone."""

from pathlib import Path

import anyio
import pytest

from tests.folders import fresh_settings
from tests.zapomni_core.code.stored import as_of_earlier_version, callers, index_of
from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


GO = 'package main\n\nimport "shop/lib"\n\nfunc main() {\n\tlib.Save()\n}\n'


@pytest.fixture
def go(root: Path) -> Path:
    """A module `shop` with a package that its main file calls."""
    (root / "lib").mkdir()
    (root / "go.mod").write_text("module shop\n")
    (root / "lib" / "lib.go").write_text("package lib\n\nfunc Save() {}\n")
    (root / "main.go").write_text(GO)
    return root


async def test_calls_are_bound_again_once_imports_mean_something_else(
    memory_folder: Path, go: Path
) -> None:
    (go / "go.mod").write_text("module another\n")
    settings = fresh_settings(memory_folder).model_copy(update={"code_roots": (go,)})
    async with MemoryEngine(settings) as engine:
        await engine.index_codebase(str(go))
        before = await callers(engine, "Save")
    (go / "go.mod").write_text("module shop\n")
    async with MemoryEngine(settings) as engine:
        await engine.index_codebase(str(go))
        after = await callers(engine, "Save")

    assert (before, after) == ([], ["main"])


async def test_single_files_are_read_by_what_the_configuration_says(
    memory_folder: Path, go: Path
) -> None:
    settings = fresh_settings(memory_folder).model_copy(update={"code_roots": (go,)})
    async with MemoryEngine(settings) as engine:
        await engine.index_codebase(str(go))
    (go / "main.go").write_text(GO.replace("main()", "begin()"))
    async with MemoryEngine(settings) as engine:
        await engine.reindex_files(go, [go / "main.go"])

        assert await callers(engine, "Save") == ["begin"]


@pytest.mark.parametrize("is_single", [True, False])
async def test_what_an_earlier_version_has_read_is_read_again(
    memory_folder: Path, root: Path, *, is_single: bool
) -> None:
    (root / "store.py").write_text("def save():\n    pass\n")
    (root / "app.py").write_text("from store import save\n\n\ndef buy():\n    save()\n")
    settings = fresh_settings(memory_folder).model_copy(update={"code_roots": (root,)})
    async with MemoryEngine(settings) as engine:
        await engine.index_codebase(str(root))
        await as_of_earlier_version(engine, root)
    (root / "app.py").write_text("from store import save\n\n\ndef sell():\n    save()\n")
    async with MemoryEngine(settings) as engine:
        if is_single:
            again = await engine.reindex_files(root, [root / "app.py"])
        else:
            again = await engine.index_codebase(str(root))

        assert (again.job.state, again.indexed) == ("done", 2)
        assert await callers(engine, "save") == ["sell"]


async def test_what_is_called_more_than_before_comes_first_after_the_next_run(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "a.py").write_text("def start():\n    pass\n\n\nstart()\n")
    (root / "b.py").write_text("def start():\n    pass\n")
    await engine.index_codebase(str(root))
    before = await engine.get_symbol("start")
    (root / "b.py").write_text("def start():\n    pass\n\n\nstart()\nstart()\n")
    await engine.reindex_files(root, [root / "b.py"])
    await engine.index_codebase(str(root))
    after = await engine.get_symbol("start")

    assert [each.path for each in before.suggestions] == ["a.py", "b.py"]
    assert [each.path for each in after.suggestions] == ["b.py", "a.py"]


async def test_vectors_do_not_outnumber_the_symbols_they_are_for(
    engine: MemoryEngine, root: Path
) -> None:
    for body in ("1", "2", "3", "4"):
        (root / "app.py").write_text(
            "\n\n".join(f"def f{n}():\n    return {body}" for n in range(9))
        )
        await engine.index_codebase(str(root))
        await engine.embed_code()

    index = index_of(engine, root)
    (status,) = (await engine.code_status()).repositories
    assert status.to_embed == 0
    assert (await index.embedding_counts()).unused_vectors <= status.symbols


async def test_what_was_only_left_out_is_not_gone_once_it_is_wanted(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "old").mkdir()
    (root / "old" / "store.py").write_text("def save():\n    pass\n")
    (root / "app.py").write_text("def buy():\n    pass\n")
    await engine.index_codebase(str(root))

    excluded = await engine.index_codebase(str(root), exclude=["old/"])
    taken_back = await engine.index_codebase(str(root), exclude=[])

    assert (excluded.indexed, excluded.removed) == (0, 1)
    assert (taken_back.indexed, taken_back.removed) == (1, 0)


async def test_a_repository_that_a_short_process_adds_is_embedded_by_one_that_stays(
    memory_folder: Path, root: Path
) -> None:
    settings = fresh_settings(memory_folder).model_copy(update={"code_roots": (root,)})
    (root / "a.py").write_text("def first():\n    pass\n")
    async with MemoryEngine(settings) as server:
        await server.code_status()
        async with MemoryEngine(settings) as short:
            await short.index_codebase(str(root))

        with anyio.fail_after(30):
            embedded = 0
            while not embedded:
                await anyio.sleep(0.05)
                embedded = (await server.code_status()).repositories[0].embedded

    assert embedded == 1


async def test_code_that_a_short_process_reads_is_embedded_by_one_that_stays(
    memory_folder: Path, root: Path
) -> None:
    settings = fresh_settings(memory_folder).model_copy(update={"code_roots": (root,)})
    (root / "a.py").write_text("def first():\n    pass\n")
    async with MemoryEngine(settings) as server:
        await server.index_codebase(str(root))
        await server.embed_code()
        await server.code_status()
        async with MemoryEngine(settings) as short:
            (root / "b.py").write_text("def second():\n    pass\n")
            await short.index_codebase(str(root))
        before = (await server.code_status()).repositories[0]

        with anyio.fail_after(30):
            after = before
            while after.to_embed or after.embedded < 2:
                await anyio.sleep(0.05)
                after = (await server.code_status()).repositories[0]

    assert after.embedded == 2


async def test_nothing_of_a_forgotten_folder_is_found(engine: MemoryEngine, root: Path) -> None:
    (root / "tool.py").write_text("def hammer(nail):\n    return nail\n")
    await engine.index_codebase(str(root))

    assert await engine.forget_code(root)

    assert (await engine.search_code("hammer")).hits == ()
    assert (await engine.get_symbol("hammer")).symbol is None
    assert not await engine.forget_code(root)
