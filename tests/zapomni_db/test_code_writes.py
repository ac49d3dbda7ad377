"""Files, symbols and edges of a repository are written whole and survive what happens to them."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.zapomni_db.code_samples import (
    EdgeRecords,
    ImportRecord,
    InheritRecord,
    RefRecord,
    call,
    callers_of,
    calls,
    empty_index,
    file,
    symbol,
    texts_to_embed,
    write_edges,
)
from tests.zapomni_db.processes import joined, kill, pair_of
from tests.zapomni_db.samples import fresh_keyspace, opened, sample
from zapomni_db import EmbeddedAddress, Keyspace, Store, StoreError
from zapomni_db.code import FileRecord, RepositoryRecord

pytestmark = pytest.mark.anyio

HOSTILE = [
    "it's",
    'a "b" \\',
    "`x`}) DETACH DELETE (n) //",
    "$rows [1] {a: 1}",
    "\U0001f600",
    "\u202eabc",
    "line\nbreak\ttab",
    " edge ",
    "bell\x07",
    "\\u0041",
    "x" * 5000,
]


async def test_an_index_is_the_same_after_the_database_was_killed(tmp_path: Path) -> None:
    keyspace = fresh_keyspace()
    with joined(tmp_path) as server:
        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            index = await empty_index(store)
            await index.write_files([file("a.py", symbol("a.py", "f"))], at_ms=0)
            await index.write_files([file("b.py", symbol("b.py", "g"))], at_ms=0)
            await write_edges(index, {"b.py": calls(call("b.py::g", "a.py::f", 7))})
            before = await index.files()
        kill(pair_of(server).database)

        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            index = store.code.index("r1")
            graph = await index.call_graph(["a.py::f"], "callers")
            (repository,) = await store.code.repositories()
            entries = [
                e async for page in store.code.words(repository).all_entries() for e in page
            ]

            assert await index.files() == before
            assert [(link.source, link.lines) for link in graph.links] == [("b.py::g", (7,))]
            assert await index.facts(["a.py", "b.py"]) == {"a.py": b"facts", "b.py": b"facts"}
            assert sorted(entry.source for entry in entries) == ["a.py", "b.py"]
            assert len(await texts_to_embed(index)) == 2


def _versions(number: int) -> list[FileRecord]:
    """Make forty files of thirty symbols, all of one version."""
    source = f"version{number}"
    return [
        file(
            path,
            *(symbol(path, f"f{i}", source) for i in range(30)),
            symbol(path, source, source),
            facts=source.encode(),
        )
        for path in (f"{i}.py" for i in range(40))
    ]


async def test_each_file_is_old_or_new_when_the_database_is_killed_in_the_middle(
    tmp_path: Path,
) -> None:
    keyspace = fresh_keyspace()
    with joined(tmp_path) as server:
        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            index = await empty_index(store)
            await index.write_files(_versions(0), at_ms=0)
            writing = asyncio.create_task(index.write_files(_versions(1), at_ms=1))
            while not await index.gone("version0"):
                pass
            await asyncio.to_thread(kill, pair_of(server).database)
            with suppress(StoreError):
                await writing

        async with opened(EmbeddedAddress(tmp_path), keyspace) as store:
            index = store.code.index("r1")
            (repository,) = await store.code.repositories()
            entries = [
                e async for page in store.code.words(repository).all_entries() for e in page
            ]
            for path, facts in (await index.facts([f"{i}.py" for i in range(40)])).items():
                symbols = await index.symbols_in(path)
                (node,) = await index.file_nodes([path])
                number = int(facts.decode().removeprefix("version"))
                assert node.hash == _versions(number)[0].hash
                assert len(symbols) == 31
                assert {one.hash for one in symbols} == {symbols[0].hash}
                assert {one.name for one in symbols} - {facts.decode()} == {
                    f"f{i}" for i in range(30)
                }
                words = [one.terms for one in entries if one.source == path]
                assert words == [facts.decode()] * 31


async def test_callers_stay_when_the_file_they_call_into_is_written_again(store: Store) -> None:
    index = await empty_index(store)
    await index.write_files(
        [file("a.py", symbol("a.py", "f")), file("b.py", symbol("b.py", "g"))], at_ms=0
    )
    await write_edges(index, {"b.py": calls(call("b.py::g", "a.py::f"), call("", "a.py::f"))})

    pointing = await index.write_files(
        [file("a.py", symbol("a.py", "f", "changed"), symbol("a.py", "new"))], at_ms=5
    )

    assert pointing == set()
    assert await callers_of(index, "a.py::f") == ["b.py", "b.py::g"]
    found = await index.symbols(["a.py::f", "a.py::new"])
    assert [one.changed_ms for one in found.values()] == [5, 5]


async def test_a_symbol_that_went_leaves_a_tombstone_and_its_callers_are_due(
    store: Store,
) -> None:
    index = await empty_index(store)
    await index.write_files(
        [file("a.py", symbol("a.py", "f")), file("b.py", symbol("b.py", "g"))], at_ms=0
    )
    await write_edges(index, {"a.py": EdgeRecords(), "b.py": calls(call("b.py::g", "a.py::f"))})

    pointing = await index.write_files([file("a.py", symbol("a.py", "other"))], at_ms=3)

    (gone,) = await index.gone("F")
    assert (gone.id, gone.path, gone.since_ms) == ("a.py::f", "a.py", 3)
    assert pointing == {"b.py"}
    assert await index.due_files() == ["a.py", "b.py"]
    assert await index.symbols(["a.py::f"]) == {}


async def test_a_symbol_that_comes_back_is_no_longer_gone(store: Store) -> None:
    index = await empty_index(store)
    whole = file("a.py", symbol("a.py", "f"), symbol("a.py", "g"))
    await index.write_files([whole], at_ms=0)
    await index.write_files([file("a.py", symbol("a.py", "g"))], at_ms=1)

    await index.write_files([whole], at_ms=2)

    assert await index.gone("f") == []
    assert set(await index.symbols(["a.py::f", "a.py::g"])) == {"a.py::f", "a.py::g"}


async def test_removed_files_leave_tombstones_and_make_their_importers_due(store: Store) -> None:
    index = await empty_index(store)
    await index.write_files(
        [file("a.py", symbol("a.py", "f")), file("b.py", symbol("b.py", "g"))], at_ms=0
    )
    imports = (ImportRecord("a.py", "f", "f", 1),)
    unresolved = (RefRecord("a.py::f", "x", "", 1),)
    await write_edges(
        index, {"a.py": EdgeRecords(refs=unresolved), "b.py": EdgeRecords(imports=imports)}
    )

    assert await index.remove_files(["a.py", "never.py"], at_ms=4) == {"b.py"}
    await index.remove_files(["a.py"], at_ms=5)

    assert set(await index.files()) == {"b.py"}
    assert await index.facts(["a.py"]) == {}
    assert await index.possible_calls("x") == []
    assert [one.since_ms for one in await index.gone("f")] == [4]
    assert await index.due_files() == ["b.py"]


async def test_edges_of_a_file_replace_its_earlier_ones(store: Store) -> None:
    index = await empty_index(store)
    symbols = [symbol("a.py", name) for name in ("f", "g", "h")]
    await index.write_files([file("a.py", *symbols)], at_ms=0)
    await write_edges(index, {"a.py": calls(call("a.py::g", "a.py::f"))})

    twice = call("a.py::h", "a.py::f")._replace(lines=(3, 4))
    lost = await write_edges(index, {"a.py": calls(twice)})

    graph = await index.call_graph(["a.py::f"], "callers")
    assert [(link.source, link.lines) for link in graph.links] == [("a.py::h", (3, 4))]
    assert lost == 0
    assert await index.due_files() == []


async def test_an_edge_without_a_target_is_counted_and_left_out(store: Store) -> None:
    index = await empty_index(store)
    await index.write_files([file("a.py", symbol("a.py", "f"))], at_ms=0)

    lost = await write_edges(index, {"a.py": calls(call("a.py::f", "b.py::nothing"))})

    assert lost == 1
    assert (await index.call_graph(["a.py::f"], "callees")).links == ()


async def test_members_move_to_the_class_that_holds_them_now(store: Store) -> None:
    index = await empty_index(store)
    inner = symbol("a.py", "A.f", parent="A")
    await index.write_files([file("a.py", symbol("a.py", "A"), inner)], at_ms=0)
    assert (await index.relatives("a.py::A")).members == ("a.py::A.f",)

    moved = symbol("a.py", "B"), inner._replace(parent="a.py::B")
    await index.write_files([file("a.py", symbol("a.py", "A"), *moved)], at_ms=1)

    assert (await index.relatives("a.py::A")).members == ()
    assert (await index.relatives("a.py::B")).members == ("a.py::A.f",)
    assert (await index.relatives("a.py::A.f")).container == "a.py::B"


async def test_writing_the_same_transaction_twice_makes_nothing_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = await empty_index(store)
    send = store._connection.transaction

    async def send_twice(commands: Any) -> list[Any]:
        replies = await send(commands)
        await send(commands)
        return replies

    monkeypatch.setattr(store._connection, "transaction", send_twice)
    inner = symbol("a.py", "A.f", parent="A")
    for _ in range(2):
        await index.write_files([file("a.py", symbol("a.py", "A"), inner)], at_ms=0)
        edges = calls(call("a.py::A.f", "a.py::A"))._replace(refs=(RefRecord("", "x", "", 1),))
        await write_edges(index, {"a.py": edges})

    census = await index.census()
    assert sum(census.symbols_by_kind.values()) == 2
    assert (census.calls, census.unresolved_names) == (1, 1)
    assert (await index.relatives("a.py::A")).members == ("a.py::A.f",)
    assert len(await index.possible_calls("x")) == 1


@pytest.mark.parametrize("name", HOSTILE)
async def test_whatever_a_name_is_it_is_only_a_name(store: Store, name: str) -> None:
    index = await empty_index(store)
    path = f"dir/{name}.py"
    one, other = symbol(path, name, name), symbol("b.py", "g")
    await index.write_files([file(path, one), file("b.py", other)], at_ms=0)
    edges = EdgeRecords(
        calls=(call("b.py::g", one.id),),
        refs=(RefRecord("b.py::g", name, name, 1, (one.id,)),),
        inherits=(InheritRecord("b.py::g", f"python:{name}", 0, is_external=True),),
    )
    await write_edges(index, {"b.py": edges})

    (found,) = (await index.symbols([one.id])).values()
    assert (found.id, found.path, found.qname) == (one.id, path, name)
    assert one.id in [symbol.id for symbol in await index.find(one.id)]
    assert await callers_of(index, one.id) == ["b.py::g"]
    assert (await index.relatives("b.py::g")).bases == (f"python:{name}",)
    (possible,) = await index.possible_calls(name)
    assert (possible.name, possible.receiver, possible.candidates) == (name, name, (one.id,))
    assert set(await index.files()) == {path, "b.py"}
    await index.remove_files([path], at_ms=1)
    assert [gone.id for gone in await index.gone(name)] == [one.id]


async def test_repositories_do_not_see_each_other(store: Store) -> None:
    one, other = await empty_index(store, "r1"), await empty_index(store, "r2")

    await one.write_files([file("a.py", symbol("a.py", "f"))], at_ms=0)

    assert await other.files() == {}
    assert await other.find("f") == []
    assert [found.id for found in await one.find("f")] == ["a.py::f"]


async def test_code_never_touches_memories(store: Store) -> None:
    memory, chunks = sample()
    await store.add(memory, chunks)
    before = await store.counts()
    index = await empty_index(store)
    await index.write_files([file("a.py", symbol("a.py", "f"))], at_ms=0)
    await store.code.drop("r1")

    after = await store.counts()
    assert (after.memories, after.chunks, after.vectors) == (
        before.memories,
        before.chunks,
        before.vectors,
    )
    assert [change.memory_id for change in await store.changes_since("0-0")] == [memory.id]


def _keys(embedded: EmbeddedAddress, keyspace: Keyspace) -> set[str]:
    with (
        joined(embedded.folder) as server,
        redis.Redis(unix_socket_path=server.socket_path, decode_responses=True) as client,
    ):
        return set(client.scan_iter(f"{{{keyspace.graph_name}:*"))


async def test_dropping_a_repository_leaves_no_key(embedded: EmbeddedAddress) -> None:
    keyspace = fresh_keyspace()
    async with opened(embedded, keyspace) as store:
        before = _keys(embedded, keyspace)
        index = await empty_index(store)
        await index.write_files([file("a.py", symbol("a.py", "f"), symbol("a.py", "g"))], at_ms=0)
        refs = (RefRecord("a.py::f", "x", "", 1),)
        await write_edges(index, {"a.py": EdgeRecords((call("a.py::g", "a.py::f"),), refs)})
        await index.rank_symbols()
        await index.write_files([file("a.py", symbol("a.py", "f")), file("b.py")], at_ms=1)
        await index.remove_files(["b.py"], at_ms=2)
        ((text_hash, _),) = await texts_to_embed(index)
        _, chunks = sample()
        await index.add_vectors({text_hash: chunks[0].embedding})
        keys = keyspace.code("r1")
        assert _keys(embedded, keyspace) - before == {
            *keys.all_but_vectors(),
            keys.vectors(store.code.model_id),
            keyspace.code_repositories,
        }

        await store.code.drop("r1")
        await store.code.drop("r1")

        assert _keys(embedded, keyspace) == before
        assert await store.code.repositories() == []


async def test_an_index_made_again_is_another_one(store: Store) -> None:
    record = RepositoryRecord("r1", "/src/thing", "thing")
    first = await store.code.register(record)
    await store.code.index("r1").write_files([file("a.py", symbol("a.py", "f"))], at_ms=0)
    again = await store.code.register(record)
    await store.code.drop("r1")
    other = await store.code.register(record)

    assert first.incarnation == again.incarnation != other.incarnation
    assert await store.code.index("r1").files() == {}


async def test_what_is_known_of_a_repository_can_be_replaced_but_not_brought_back(
    store: Store,
) -> None:
    record = RepositoryRecord("r1", "/src/thing", "thing")
    await store.code.register(record)

    newer = RepositoryRecord("r1", "/src/thing", "thing", 7, counts={"files": 3})
    assert await store.code.update(newer)
    (found,) = await store.code.repositories()
    assert (found.indexed_ms, found.counts) == (7, {"files": 3})

    await store.code.drop("r1")
    assert not await store.code.update(newer)
    assert await store.code.repositories() == []


@pytest.mark.parametrize("repository_id", ["", "a b", "a}:b", "é", "x" * 65])
def test_a_repository_id_cannot_leave_its_hash_tag(repository_id: str) -> None:
    with pytest.raises(ValueError, match="repository id"):
        Keyspace("graph").code(repository_id)


def test_all_keys_share_the_hash_tag_of_the_workspace() -> None:
    keyspace = Keyspace("graph", "work")
    keys = keyspace.code("r1")
    named = [keys.graph, keys.facts, keys.words, keys.changes, keys.vectors("m")]

    for key in [keyspace.code_repositories, *named]:
        assert key.startswith("{graph:work}:code:")
