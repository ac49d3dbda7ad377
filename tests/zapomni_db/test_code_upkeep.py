"""A code index neither grows without bound nor breaks over what cannot be written."""

import pytest

from tests.zapomni_db.code_samples import (
    CallRecord,
    EdgeRecords,
    ImportRecord,
    RefRecord,
    call,
    callers_of,
    calls,
    empty_index,
    file,
    symbol,
    write_edges,
)
from zapomni_db import Store
from zapomni_db.code import FileRecord, can_be_stored

pytestmark = pytest.mark.anyio

_YEAR_MS = 366 * 24 * 3600 * 1000
HALF_A_PAIR = "x\ud800y"
NUL = "x\0y"


@pytest.mark.parametrize("path", [HALF_A_PAIR, NUL])
async def test_a_path_that_cannot_be_written_costs_only_its_own_file(
    store: Store, path: str
) -> None:
    index = await empty_index(store)

    await index.write_files([file(path, symbol(path, "f")), file("a.py")], at_ms=0)
    await write_edges(index, {path: calls(call(f"{path}::f", f"{path}::f")), "a.py": calls()})

    assert not can_be_stored(path)
    assert set(await index.files()) == {"a.py"}
    assert await index.facts([path]) == {}
    assert await index.remove_files([path], at_ms=1) == set()


@pytest.mark.parametrize("name", [HALF_A_PAIR, NUL])
async def test_names_that_cannot_be_written_are_found_and_called(store: Store, name: str) -> None:
    index = await empty_index(store)
    one, other = symbol("a.py", name)._replace(doc=name, head_hash=""), symbol("a.py", "g")
    await index.write_files([file("a.py", one, other)], at_ms=0)
    edges = EdgeRecords(
        calls=(
            call(other.id, one.id),
            CallRecord(other.id, f"py:{name}", (1,), "import", 1.0, True),
        ),
        refs=(RefRecord(other.id, name, name, 3),),
        imports=(ImportRecord(f"py:{name}", name, name, 1, is_external=True),),
    )

    assert await write_edges(index, {"a.py": edges}) == 0

    assert await callers_of(index, one.id) == [other.id]
    assert len(await index.symbols([one.id])) == 1
    assert [found.line for found in await index.possible_calls(name)] == [3]
    assert len((await index.call_graph([other.id], "callees")).links) == 2
    await index.remove_files(["a.py"], at_ms=1)
    assert len(await index.gone(name)) == 1


async def test_tombstones_older_than_a_year_are_dropped_when_files_are_removed(
    store: Store,
) -> None:
    index = await empty_index(store)
    names = ["first", "second", "third"]
    await index.write_files([file(f"{n}.py", symbol(f"{n}.py", n)) for n in names], at_ms=0)
    await index.remove_files(["first.py"], at_ms=1)
    await index.remove_files(["second.py"], at_ms=_YEAR_MS)

    await index.remove_files(["third.py"], at_ms=_YEAR_MS + 2)

    assert [len(await index.gone(name)) for name in names] == [0, 1, 1]
    assert (await index.census()).gone == 2


async def test_files_that_are_gone_are_kept_for_a_year_and_not_too_many_of_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_db.code.gone_files._MOST", 2)
    index = await empty_index(store)
    paths = [f"lib/{n}.py" for n in range(4)]
    await index.write_files([file(path) for path in paths], at_ms=0)

    for at_ms, path in enumerate(paths):
        await index.remove_files([path], at_ms=at_ms)
    kept = {path: one.since_ms for path, one in (await index.gone_files(paths)).items()}
    await index.remove_files(["never.py"], at_ms=_YEAR_MS + 2)

    assert kept == {"lib/2.py": 2, "lib/3.py": 3}
    assert list(await index.gone_files(["2.py", "3.py"])) == ["3.py"]


async def test_only_so_many_tombstones_are_kept_and_the_newest_of_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_db.code.tombstones._MOST", 2)
    index = await empty_index(store)
    names = ["first", "second", "third"]
    await index.write_files([file(f"{n}.py", symbol(f"{n}.py", n)) for n in names], at_ms=0)

    for at_ms, name in enumerate(names):
        await index.remove_files([f"{name}.py"], at_ms=at_ms)

    assert [len(await index.gone(name)) for name in names] == [0, 1, 1]


async def test_names_outside_go_with_the_last_that_refers_to_them(store: Store) -> None:
    index = await empty_index(store)
    await index.write_files([file("a.py", symbol("a.py", "f"))], at_ms=0)
    first = CallRecord("a.py::f", "python:os.remove", (1,), "import", 1.0, True)
    second = first._replace(target="python:os.rename")

    for edges in (calls(first, second), calls(second), calls(first, second)):
        assert await write_edges(index, {"a.py": edges}) == 0
        found = await index._graph.read("MATCH (x:External) RETURN x.id ORDER BY x.id")
        assert [one for (one,) in found] == sorted(call.target for call in edges.calls)

    graph = await index.call_graph(["a.py::f"], "callees")
    assert {link.target for link in graph.links} == {first.target, second.target}


async def test_edges_end_where_they_should_after_another_writer_has_replaced_nodes(
    store: Store,
) -> None:
    one, other = await empty_index(store), store.code.index("r1")
    f, g, h = (symbol("a.py", name) for name in "fgh")
    caller = file("b.py", symbol("b.py", "k"))
    await one.write_files([file("a.py", f, g), caller], at_ms=0)

    await other.remove_files(["a.py"], at_ms=1)
    await other.write_files([file("a.py", h, g, f)], at_ms=2)
    lost = await write_edges(one, {"b.py": calls(call("b.py::k", f.id), call("b.py::k", h.id))})

    assert lost == 0
    graph = await one.call_graph(["b.py::k"], "callees")
    assert {link.target for link in graph.links} == {f.id, h.id}


@pytest.mark.parametrize("writes_edges", [True, False])
async def test_the_files_are_those_of_all_writers(store: Store, *, writes_edges: bool) -> None:
    one, other = await empty_index(store), store.code.index("r1")
    f, g = symbol("a.py", "f"), symbol("b.py", "g")
    await one.write_files([file("a.py", f), file("b.py", g)], at_ms=0)
    assert set(await one.files()) == {"a.py", "b.py"}
    await one.write_files([changed := file("a.py", f, symbol("a.py", "h"))], at_ms=1)
    assert (await one.files())["a.py"].hash == changed.hash

    await other.remove_files(["b.py"], at_ms=2)
    await other.write_files([file("c.py")], at_ms=3)
    if writes_edges:
        await write_edges(one, {"a.py": calls(call(f.id, f.id))})

    assert await one.files() == await other.files()
    assert set(await one.files()) == {"a.py", "c.py"}
    await one.remove_files(["c.py"], at_ms=4)
    assert set(await one.files()) == {"a.py"}


async def test_a_file_that_is_left_out_from_now_on_leaves_only_its_reason(store: Store) -> None:
    index = await empty_index(store)
    await index.write_files([file("a.py", symbol("a.py", "f")), file("b.py")], at_ms=0)
    await write_edges(
        index,
        {
            "a.py": EdgeRecords(refs=(RefRecord("a.py::f", "x", "", 1),)),
            "b.py": EdgeRecords(imports=(ImportRecord("a.py", "f", "f", 1),)),
        },
    )
    skipped = FileRecord("a.py", "python", "", 9, 9, "skipped", "minified")

    assert await index.write_files([skipped], at_ms=1) == {"b.py"}

    assert await index.due_files() == ["b.py"]
    assert await index.possible_calls("x") == []
    assert await index.symbols_in("a.py") == []
    assert (await index.files())["a.py"].status == "skipped"
    assert await index.gone("f") == []
    await index.write_files([file("a.py", symbol("a.py", "f"))], at_ms=2)
    assert await write_edges(index, {"b.py": calls(call("", "a.py::f"))}) == 0


async def test_symbols_that_can_only_be_written_alike_are_one(store: Store) -> None:
    index = await empty_index(store)
    one, other = symbol("a.py", "x\0y"), symbol("a.py", "x\ufffdy")

    await index.write_files([file("a.py", one, other)], at_ms=0)

    ((count,),) = await index._graph.read("MATCH (s:Symbol) RETURN count(s)")
    assert count == 1
    await index.remove_files(["a.py"], at_ms=1)
    assert await index._connection.execute("EXISTS", index._keys.texts) == 0


async def test_edges_are_written_though_more_is_known_than_there_is_room_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zapomni_db.code.nodes._MOST", 3)
    index = await empty_index(store)
    names = [f"f{number}" for number in range(9)]
    await index.write_files([file("a.py", *(symbol("a.py", name) for name in names))], at_ms=0)
    made = [
        *(call("a.py::f0", f"a.py::{name}") for name in names[1:]),
        *(CallRecord("a.py::f0", f"py:os.{name}", (1,), "import", 1.0, True) for name in names),
    ]

    assert await write_edges(index, {"a.py": calls(*made)}) == 0
