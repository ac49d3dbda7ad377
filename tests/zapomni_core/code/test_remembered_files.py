"""What is said of a memory that names a file, whatever happens to the file."""

import asyncio
from pathlib import Path

import orjson
import pytest

from tests.zapomni_core.code.stored import as_of_earlier_version, index_of
from zapomni_core import MemoryEngine
from zapomni_db.code import node_key
from zapomni_db.code.rows import FileRow, SymbolRow

pytestmark = pytest.mark.anyio

TINY = "LIMIT = 3\n\n\ndef only_one():\n    return 1\n\n\ndef another():\n    return 2\n"


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
    (hit,) = (await engine.search_memory("ask Bob", limit=1)).results
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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 99"),
        ("\n\ndef another():\n    return 2\n", ""),
        ("return 2\n", "return 2\n\n\nanother()\n"),
    ],
    ids=["a value", "a function less", "code of the module"],
)
async def test_a_memory_about_a_file_is_outdated_by_whatever_changed_in_it(
    engine: MemoryEngine, root: Path, old: str, new: str
) -> None:
    (root / "src" / "tiny.py").write_text(TINY.replace(old, new))

    assert await warnings(engine, root) == ["it has changed"]
    view = await engine.get_symbol("src/tiny.py")
    assert [each.is_stale for each in view.memories] == [True]


async def test_a_file_that_was_only_touched_or_read_again_has_not_changed(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "src" / "tiny.py").write_text(TINY)

    assert await warnings(engine, root) == [None]
    assert await warnings(engine, root, is_full=True) == [None]


async def test_a_file_that_was_moved_as_it_is_has_not_changed(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.add_memory("Carol knows all about other.py.")
    (root / "other.py").unlink()
    (root / "src" / "other.py").write_text("def other():\n    return 2\n")
    await engine.index_codebase(str(root))
    (hit,) = (await engine.search_memory("Carol", limit=1)).results

    assert [(each.path, each.is_stale) for each in hit.code] == [("src/other.py", False)]


async def test_a_file_that_was_written_again_as_it_was_has_not_changed(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "src" / "tiny.py").unlink()
    assert await warnings(engine, root) == ["it is gone"]
    (root / "src" / "tiny.py").write_text(TINY)

    assert await warnings(engine, root) == [None]


async def test_what_another_version_reads_out_of_a_file_does_not_outdate_memories(
    engine: MemoryEngine, root: Path
) -> None:
    await engine.add_memory("Dave wrote another() in one night.")
    await asyncio.sleep(0.01)
    index = index_of(engine, root)
    read = {one.qname: one for one in await index.symbols_in("src/tiny.py")}
    key = node_key(read["another"].id)
    row = orjson.loads(await index._connection.execute("HGET", index._keys.symbols, key))
    row[SymbolRow._fields.index("hash")] = "of other lines"
    await index._connection.execute("HSET", index._keys.symbols, key, orjson.dumps(row))
    await as_of_earlier_version(engine, root)

    assert await warnings(engine, root) == [None]
    (hit,) = (await engine.search_memory("Dave", limit=1)).results
    assert [each.is_stale for each in hit.code] == [False]


async def test_a_change_that_an_earlier_version_noted_on_symbols_outdates_memories(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "src" / "tiny.py").write_text(TINY.replace("return 1", "return 11"))
    await engine.index_codebase(str(root))
    index = index_of(engine, root)
    row = orjson.loads(await index._connection.execute("HGET", index._keys.stamps, "src/tiny.py"))
    short = orjson.dumps(row[: FileRow._fields.index("changed_ms")])
    await index._connection.execute("HSET", index._keys.stamps, "src/tiny.py", short)
    await as_of_earlier_version(engine, root)

    assert await warnings(engine, root) == ["it has changed"]


async def test_the_code_of_a_module_is_known_by_the_name_of_its_file(
    engine: MemoryEngine, root: Path
) -> None:
    (root / "plain.py").write_text("LIMIT = 3\nOTHER_LIMIT = 4\n")
    await engine.index_codebase(str(root))
    await engine.add_memory("Eve keeps plain.py as it is.")
    await engine.add_memory("A plain `word` (or two) of Frank.")

    view = await engine.get_symbol("plain.py::")

    assert [each.text[:3] for each in view.memories] == ["Eve"]
