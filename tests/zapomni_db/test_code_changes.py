"""When files and symbols were seen to change."""

from dataclasses import replace

import pytest

from tests.zapomni_db.code_samples import empty_index, file, symbol
from zapomni_db import Store
from zapomni_db.code import FileRecord

pytestmark = pytest.mark.anyio


async def test_a_symbol_that_did_not_change_keeps_the_time_of_its_last_change(
    store: Store,
) -> None:
    index = await empty_index(store)
    first = file("a.py", symbol("a.py", "f"), symbol("a.py", "g"))
    await index.write_files([first], at_ms=0)

    second = file("a.py", symbol("a.py", "f"), symbol("a.py", "g", "other"))
    await index.write_files([second], at_ms=9)

    found = await index.symbols(["a.py::f", "a.py::g"])
    assert [one.changed_ms for one in found.values()] == [0, 9]


async def test_nothing_changes_or_goes_in_a_file_that_is_as_it_was(store: Store) -> None:
    index = await empty_index(store)
    first = file("a.py", symbol("a.py", "f"), symbol("a.py", "g"))
    await index.write_files([first], at_ms=0)

    other = file("a.py", symbol("a.py", "f", "read otherwise"), symbol("a.py", "new"))
    await index.write_files([replace(other, hash=first.hash)], at_ms=9)

    found = await index.symbols(["a.py::f", "a.py::new"])
    assert [one.changed_ms for one in found.values()] == [0, 0]
    assert await index.gone("g") == []


async def test_a_file_keeps_the_time_of_its_last_change(store: Store) -> None:
    index = await empty_index(store)
    first, second = file("a.py", symbol("a.py", "f")), file("a.py")
    left_out = FileRecord("a.py", "python", "", 9, 9, "skipped", "minified")

    seen = []
    for at_ms, record in enumerate([first, first, second, second, left_out]):
        await index.write_files([record], at_ms=at_ms)
        (node,) = await index.file_nodes(["a.py"])
        seen.append(node.changed_ms)

    assert seen == [0, 0, 2, 2, 2]


async def test_a_file_has_not_changed_by_being_moved_or_brought_back(store: Store) -> None:
    index = await empty_index(store)
    there, here = (replace(file(path), mtime_ns=10**12) for path in ("a.py", "b.py"))
    await index.write_files([there], at_ms=0)
    moved = await index.last_changes(["a.py"])
    await index.remove_files(["a.py"], at_ms=5)

    await index.write_files([there], at_ms=6)
    await index.write_files([here], at_ms=7, moved=moved)

    assert [one.changed_ms for one in await index.file_nodes(["a.py", "b.py"])] == [0, 0]
    assert await index.gone_files(["a.py"]) == {}
