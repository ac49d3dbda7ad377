"""What is said of a memory that names a file, whatever happens to the file."""

import asyncio
from pathlib import Path

import pytest

from zapomni_core import MemoryEngine

pytestmark = pytest.mark.anyio

TINY = "def only_one():\n    return 1\n"


@pytest.fixture
async def root(engine: MemoryEngine, tmp_path: Path) -> Path:
    """A folder with a file that a memory mentions."""
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "tiny.py").write_text(TINY)
    (folder / "other.py").write_text("def other():\n    return 2\n")
    await engine.index_codebase(str(folder))
    await engine.add_memory("Ask Bob before you touch src/tiny.py.")
    await asyncio.sleep(0.01)  # the clock of the index counts milliseconds
    return folder


async def warnings(
    engine: MemoryEngine,
    root: Path,
    exclude: list[str] | None = None,
    languages: list[str] | None = None,
    *,
    is_full: bool = False,
) -> list[str | None]:
    """Index again; say of every mention of code in the memory why it may be outdated."""
    await engine.index_codebase(str(root), exclude=exclude, languages=languages, is_full=is_full)
    (hit,) = (await engine.search_memory("ask Bob")).results
    return [each.why and each.why.partition(" since")[0] for each in hit.code]


async def test_a_memory_about_a_file_that_was_deleted_says_so(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "src" / "tiny.py").unlink()

    assert await warnings(engine, root) == ["it is gone"]


async def test_a_memory_about_a_file_that_was_renamed_says_so(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "src" / "tiny.py").rename(root / "src" / "small.py")

    assert await warnings(engine, root) == ["it is gone"]


async def test_a_file_that_is_reindexed_alone_is_found_to_be_gone(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "src" / "tiny.py").unlink()
    await engine.reindex_files(root, [root / "src" / "tiny.py"])
    (hit,) = (await engine.search_memory("ask Bob")).results

    assert [str(each.why)[:10] for each in hit.code] == ["it is gone"]


async def test_a_file_that_is_only_left_out_is_not_gone(engine: MemoryEngine, root: Path) -> None:
    assert await warnings(engine, root, exclude=["src"]) == []
    assert await warnings(engine, root, exclude=[], languages=["javascript"]) == [None]
    assert await warnings(engine, root, languages=[]) == [None]


async def test_a_file_that_came_back_is_not_gone(engine: MemoryEngine, root: Path) -> None:
    (root / "src" / "tiny.py").rename(root / "tiny.txt.bak")
    assert await warnings(engine, root) == ["it is gone"]
    (root / "tiny.txt.bak").rename(root / "src" / "tiny.py")

    assert await warnings(engine, root) == [None]


@pytest.mark.parametrize(
    "written", ["src/tiny.py", "tiny.py", "./src/tiny.py", "src/tiny.py:1", "{root}/src/tiny.py"]
)
async def test_what_is_remembered_of_a_file_is_shown_after_it_is_gone(
    engine: MemoryEngine, root: Path, written: str
) -> None:
    (root / "src" / "tiny.py").unlink()
    await engine.index_codebase(str(root))

    view = await engine.get_symbol(written.format(root=root))

    assert view.symbol is None
    assert [str(each.why)[:10] for each in view.memories] == ["it is gone"]
