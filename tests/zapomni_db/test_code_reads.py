"""What a code index answers about symbols, calls, changes and vectors."""

import zlib
from dataclasses import replace
from itertools import pairwise

import numpy as np
import orjson
import pytest

from tests.zapomni_db.code_samples import (
    CallRecord,
    EdgeRecords,
    ImportRecord,
    InheritRecord,
    OverrideRecord,
    call,
    calls,
    empty_index,
    file,
    symbol,
    texts_to_embed,
    write_edges,
)
from tests.zapomni_db.samples import STAMP
from zapomni_db import Store, Vector
from zapomni_db.code import CodeIndex, FileRecord, RepositoryRecord, node_key
from zapomni_db.code.texts import unpack_words

pytestmark = pytest.mark.anyio


def _unit(axis: int) -> Vector:
    return np.array(np.eye(STAMP.dimension)[axis], np.float32)


@pytest.fixture
async def index(store: Store) -> CodeIndex:
    """A chain d -> c -> b -> a over four files, and a class with a subclass."""
    found = await empty_index(store)
    names = ["a", "b", "c", "d"]
    chain = [file(f"{name}.py", symbol(f"{name}.py", name)) for name in names]
    classes = file(
        "src/app.py",
        symbol("src/app.py", "Flask"),
        symbol("src/app.py", "Flask.run", parent="Flask"),
        symbol("src/app.py", "Sub"),
        symbol("src/app.py", "Sub.run", parent="Sub"),
    )
    await found.write_files([*chain, classes], at_ms=0)
    edges = {
        f"{caller}.py": calls(call(f"{caller}.py::{caller}", f"{callee}.py::{callee}", 3))
        for callee, caller in pairwise(names)
    }
    edges["src/app.py"] = EdgeRecords(
        inherits=(InheritRecord("src/app.py::Sub", "src/app.py::Flask", 0),),
        overrides=(OverrideRecord("src/app.py::Sub.run", "src/app.py::Flask.run"),),
        imports=(ImportRecord("a.py", "a", "a", 1),),
    )
    await write_edges(found, edges)
    return found


async def test_callers_come_nearest_first_down_to_the_depth(index: CodeIndex) -> None:
    graph = await index.call_graph(["a.py::a"], "callers", depth=2)

    assert [(one.source, one.depth) for one in graph.links] == [("b.py::b", 1), ("c.py::c", 2)]
    assert graph.links[0].lines == (3,)
    assert set(graph.symbols) == {"a.py::a", "b.py::b", "c.py::c"}
    assert not graph.is_cut


async def test_a_limit_cuts_a_call_graph_and_says_so(index: CodeIndex) -> None:
    graph = await index.call_graph(["d.py::d"], "callees", depth=5, limit=2)

    assert [link.target for link in graph.links] == ["c.py::c", "b.py::b"]
    assert graph.is_cut


async def test_calls_in_a_circle_come_to_an_end(index: CodeIndex) -> None:
    await write_edges(index, {"a.py": calls(call("a.py::a", "d.py::d"))})

    graph = await index.call_graph(["a.py::a"], "callers", depth=5)

    assert len(graph.links) == 4


async def test_a_way_of_resolution_can_be_left_out(index: CodeIndex) -> None:
    await write_edges(index, {"b.py": calls(call("b.py::b", "a.py::a", how="dispatch"))})

    graph = await index.call_graph(["a.py::a"], "callers", without=["dispatch"])

    assert graph.links == ()


async def test_impact_follows_calls_bases_overrides_and_imports(index: CodeIndex) -> None:
    of_function = await index.impact(["a.py::a"])
    of_class = await index.impact(["src/app.py::Flask"])

    assert {(one.id, one.via, one.depth) for one in of_function.reached} == {
        ("src/app.py", "IMPORTS", 1),
        ("b.py::b", "CALLS", 1),
        ("c.py::c", "CALLS", 2),
        ("d.py::d", "CALLS", 3),
    }
    assert {(one.id, one.via) for one in of_class.reached} == {
        ("src/app.py::Sub", "INHERITS"),
        ("src/app.py::Sub.run", "OVERRIDES"),
    }


async def test_impact_does_not_depend_on_the_order_of_writing(index: CodeIndex) -> None:
    orders = []
    for names in ("bcd", "dcb"):
        for name in names:
            edges = calls(call(f"{name}.py::{name}", "a.py::a"))
            await write_edges(index, {f"{name}.py": edges})
        found = await index.impact(["a.py::a"], depth=1)
        orders.append([one.id for one in found.reached])

    assert {"b.py::b", "c.py::c", "d.py::d"} <= set(orders[0])
    assert orders[0] == orders[1]


async def test_impact_names_what_is_no_test_first_and_cuts_tests_off(store: Store) -> None:
    index = await empty_index(store)
    names = [f"user_{number:02}" for number in range(30)]
    users = [
        symbol(f"{name}.py", name)._replace(is_test=number not in {0, 15, 29})
        for number, name in enumerate(names)
    ]
    files = [replace(file(f"{one.name}.py", one), is_test=one.is_test) for one in users]
    await index.write_files([file("a.py", symbol("a.py", "a")), *files], at_ms=0)
    edges = {
        f"{name}.py": EdgeRecords(
            calls=(call(f"{name}.py::{name}", "a.py::a"),),
            imports=(ImportRecord("a.py", "a", "a", 1),),
        )
        for name in names
    }
    await write_edges(index, edges)

    few = await index.impact(["a.py::a"], limit=6)
    more = await index.impact(["a.py::a"], limit=10)

    paths = {"user_00.py", "user_15.py", "user_29.py"}
    assert {one.path for one in few.reached} == paths
    assert {one.kind for one in few.reached} == {"file", "function"}
    assert [one.is_test for one in more.reached] == [False] * 6 + [True] * 4
    assert few.is_cut


async def test_impact_of_a_file_is_that_of_all_that_is_in_it(index: CodeIndex) -> None:
    found = await index.impact(["a.py"], depth=1)

    assert {one.id for one in found.reached} == {"b.py::b", "src/app.py"}


@pytest.mark.parametrize(
    "wanted",
    ["Flask.run", "flask.RUN", "app.Flask.run", "src.app.Flask.run", "app.py::Flask.run"],
)
async def test_a_symbol_is_found_by_the_end_of_its_name(index: CodeIndex, wanted: str) -> None:
    found = await index.find(wanted)

    assert [one.id for one in found] == ["src/app.py::Flask.run"]


async def test_a_bare_name_finds_every_namesake_and_the_important_ones_first(
    index: CodeIndex,
) -> None:
    before = await index.find("run")
    sites = CallRecord("c.py::c", "src/app.py::Sub.run", [*range(1, 9)], "typed", 0.9)
    await write_edges(index, {"c.py": calls(sites)})
    await index.rank_symbols()

    after = await index.find("run")

    assert [one.qname for one in before] == ["Flask.run", "Sub.run"]
    assert [one.qname for one in after] == ["Sub.run", "Flask.run"]


async def test_files_are_found_by_the_end_of_their_path(index: CodeIndex) -> None:
    assert [one.path for one in await index.find_files("app.py")] == ["src/app.py"]
    assert await index.find_files("pp.py") == []
    assert [one.qname for one in await index.symbols_in("a.py")] == ["a"]


async def test_the_whole_is_counted_with_reasons_for_what_was_skipped(index: CodeIndex) -> None:
    skipped = FileRecord("big.min.js", "javascript", "", 9, 9, "skipped", "minified")
    await index.write_files([skipped], at_ms=0)

    census = await index.census()

    assert census.files == {"ok": 5, "skipped": 1}
    assert census.skipped == {"minified": (1, ("big.min.js",))}
    assert census.symbols_by_kind == {"function": 6, "method": 2}
    assert (census.calls, census.inherits, census.imports) == (3, 1, 1)


async def test_what_matters_is_what_calls_lead_to(index: CodeIndex) -> None:
    await write_edges(
        index, {"d.py": calls(call("d.py::d", "a.py::a"), call("d.py::d", "c.py::c"))}
    )

    assert (await index.most_central(1))[0].symbol.name == "a"
    assert [one.name for one in await index.entry_points(1)] == ["d"]


async def test_what_nobody_calls_is_not_central(index: CodeIndex) -> None:
    central = await index.most_central(10)

    assert [one.symbol.name for one in central] == ["a", "b", "c"]


async def test_a_program_begins_with_main_and_with_what_only_a_file_calls(store: Store) -> None:
    index = await empty_index(store)
    begun, wrapper = symbol("a.py", "begun"), symbol("a.py", "begun.wrapper", parent="begun")
    main = symbol("a.py", "Program.main", parent="Program")
    names = ["busy", "often", "hidden", "called"]
    functions = [symbol("a.py", name) for name in names]
    inner = wrapper._replace(kind="function")
    await index.write_files(
        [file("a.py", begun, inner, main, *functions), file("b.py", symbol("b.py", "b"))], at_ms=0
    )
    unbegun = [call(f"a.py::{name}", "a.py::called") for name in (*names[:2], "begun")]
    edges = calls(
        *unbegun,
        call("a.py::busy", "b.py::b"),
        call("a.py::begun.wrapper", "b.py::b"),
        call("", "a.py::begun.wrapper"),
        call("", "a.py::begun"),
        call("", "a.py::often"),
    )
    await write_edges(index, {"a.py": edges, "b.py": calls(call("", "a.py::often"))})

    entries = await index.entry_points()

    assert [one.qname for one in entries] == ["Program.main", "begun"]


async def test_what_calls_itself_matters_no_more_for_it(index: CodeIndex) -> None:
    loop = CallRecord("src/app.py::Sub.run", "src/app.py::Sub.run", [*range(1, 9)], "self", 0.9)
    edges = {"src/app.py": calls(loop), "d.py": calls(call("d.py::d", "a.py::a"))}
    await write_edges(index, edges)
    await index.rank_symbols()

    central = await index.most_central(3)
    namesakes = await index.find("run")

    assert [one.symbol.name for one in central] == ["a", "b"]
    assert [one.qname for one in namesakes] == ["Flask.run", "Sub.run"]


async def test_a_word_index_learns_of_files_that_change(store: Store) -> None:
    repository = await store.code.register(RepositoryRecord("r1", "/src", "src"))
    index, words = store.code.index("r1"), store.code.words(repository)
    await index.write_files([file("a.py", symbol("a.py", "f", "old words"))], at_ms=0)
    start = await words.position()
    ((old,),) = [page async for page in words.all_entries()]

    await index.write_files([file("a.py", symbol("a.py", "f", "new words"))], at_ms=1)
    removed, added = await words.changes_since(start)
    (new,) = await words.entries_of([removed.memory_id, added.memory_id])

    assert (removed.is_removal, removed.memory_id) == (True, old.memory_id)
    assert (added.is_removal, added.memory_id) == (False, new.memory_id)
    assert (old.chunk_id, new.chunk_id) == (node_key("a.py::f"), node_key("a.py::f"))
    assert (new.terms, new.source, new.tags) == ("new words", "a.py", ("function", "python"))
    assert new.is_code
    assert await words.can_follow(start)
    assert words.store_id == repository.incarnation


async def test_vectors_belong_to_texts_and_are_found_by_symbol(store: Store) -> None:
    index = await empty_index(store)
    await index.write_files(
        [file("a.py", symbol("a.py", "f", "one")), file("b.py", symbol("b.py", "g", "two"))],
        at_ms=0,
    )
    missing = await texts_to_embed(index)
    assert sorted(text for _, text in missing) == ["a.py one", "b.py two"]

    hashes = {text: text_hash for text_hash, text in missing}
    vectors = {hashes["a.py one"]: _unit(0), hashes["b.py two"]: _unit(1)}
    await index.add_vectors(vectors)

    near = await index.nearest(_unit(0), 1)
    assert near == pytest.approx({node_key("a.py::f"): 1.0}, abs=0.02)
    assert await texts_to_embed(index) == []
    assert await index.embedding_counts() == (2, 2, 0)

    await index.write_files([file("a.py", symbol("a.py", "f", "changed"))], at_ms=1)
    assert await index.embedding_counts() == (1, 2, 1)
    assert set(await index.nearest(_unit(0), 5)) == {node_key("b.py::g")}
    assert await index.prune_vectors() == 1
    assert await index.embedding_counts() == (1, 2, 0)


async def test_without_vector_sets_nothing_is_near_and_that_is_said(store: Store) -> None:
    await empty_index(store)
    store.code.has_vector_sets = False
    index = store.code.index("r1")

    assert await index.nearest(_unit(0), 5) == {}
    assert await texts_to_embed(index) == []


def test_words_that_an_earlier_version_wrote_are_read() -> None:
    row = ["key", "its words", ["function", "python"], "its head", "hash"]

    words = unpack_words(zlib.compress(orjson.dumps(["a.py", 7, [row]])))

    assert (words.path, words.timestamp_ms) == ("a.py", 7)
    assert [[*one] for one in words.rows] == [row]
