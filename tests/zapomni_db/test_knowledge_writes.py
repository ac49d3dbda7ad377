"""Knowledge is written once, replaced as a whole, and removed with its memory."""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.zapomni_db.knowledge_samples import (
    EXTRACTOR,
    content,
    entity,
    entity_id,
    knowledge,
    names,
)
from tests.zapomni_db.samples import Sample, fresh_keyspace, opened, sample
from zapomni_db import (
    EmbeddedAddress,
    FactRecord,
    Keyspace,
    MemoryKnowledge,
    Store,
    WriteCounts,
)
from zapomni_db.graph import Graph
from zapomni_db.knowledge.clearing import clear_memories
from zapomni_db.schema import SCHEMA_VERSION

pytestmark = pytest.mark.anyio

LIVES = ("Ada", "lives in", "Paris")


@pytest.fixture
async def kept(embedded: EmbeddedAddress) -> AsyncIterator[Store]:
    async with opened(embedded, fresh_keyspace()) as store:
        yield store


async def _added(store: Store, *, chunks: int = 1) -> Sample:
    said = sample(chunks=chunks)
    await store.add(*said)
    return said


async def _facts(store: Store) -> list[FactRecord]:
    return [fact async for page in store.knowledge.all_facts() for fact in page]


async def _indexes(store: Store) -> dict[str, list[str]]:
    graph = Graph(store._connection, store._keyspace.graph)
    found = await graph.read("CALL db.indexes() YIELD label, properties RETURN label, properties")
    return {row[0]: row[1] for row in found}


async def test_what_was_written_is_found(store: Store) -> None:
    said = await _added(store)

    counts = await store.knowledge.write(
        [knowledge(said, ["Ada", "Paris", "Ada Lovelace"], [LIVES], [("Ada", "Ada Lovelace")])]
    )

    assert counts == WriteCounts(entities_created=3, mentions=3, facts=1, aliases=1)
    assert await names(store) == {"Ada": 1, "Paris": 1, "Ada Lovelace": 1}
    (fact,) = await store.knowledge.facts_around([entity_id("Paris")], 10)
    assert (fact.subject.name, fact.predicate, fact.object.name) == LIVES
    assert (fact.memory_id, fact.chunk_id) == (said[0].id, said[1][0].id)
    (alias,) = await store.knowledge.aliases_of([entity_id("Ada Lovelace")])
    assert (alias.short.name, alias.full.name) == ("Ada", "Ada Lovelace")


async def test_writing_the_same_again_changes_nothing(store: Store) -> None:
    first, second = await _added(store), await _added(store, chunks=2)
    written = [
        knowledge(first, ["Ada", "Paris"], [LIVES]),
        knowledge(second, ["Ada", "Bob"], aliases=[("Bob", "Ada")], chunk=1),
    ]
    await store.knowledge.write(written)
    before = await content(store)

    assert await store.knowledge.write(written) == WriteCounts()
    assert await content(store) == before


async def test_a_write_that_is_sent_twice_leaves_one_copy(kept: Store) -> None:
    said = await _added(kept)
    written = [knowledge(said, ["Ada", "Paris"], [LIVES], [("Ada", "Paris")])]
    await kept.knowledge.write(written)
    before = await content(kept)

    await asyncio.gather(*(kept.knowledge._replace(written, {}) for _ in range(4)))

    assert await content(kept) == before


async def test_changed_knowledge_replaces_what_the_memory_had_said(store: Store) -> None:
    first, second = await _added(store), await _added(store)
    await store.knowledge.write(
        [
            knowledge(first, ["Ada", "Paris"], [LIVES], [("Ada", "Paris")]),
            knowledge(second, ["Ada", "Oslo"], [("Ada", "visits", "Oslo")]),
        ]
    )

    counts = await store.knowledge.write(
        [knowledge(first, ["Ada", "Berlin"], [("Ada", "lives in", "Berlin")])]
    )

    assert counts == WriteCounts(entities_created=1, entities_merged=1, mentions=2, facts=1)
    assert await names(store) == {"Ada": 2, "Berlin": 1, "Oslo": 1}
    stated = {(fact.predicate, fact.memory_id) for fact in await _facts(store)}
    assert stated == {("lives in", first[0].id), ("visits", second[0].id)}
    assert await store.knowledge.aliases_of([entity_id("Ada")]) == []


async def test_another_extractor_replaces_what_the_first_one_found(kept: Store) -> None:
    said = await _added(kept)
    await kept.knowledge.write([knowledge(said, ["Ada"])])
    assert await kept.knowledge.unbuilt("rules-2", 10) == [said[0].id]

    await kept.knowledge.write([knowledge(said, ["Bob"], extractor="rules-2")])

    assert await names(kept) == {"Bob": 1}
    assert await kept.knowledge.unbuilt("rules-2", 10) == []


async def test_nothing_is_written_for_a_memory_that_is_gone(store: Store) -> None:
    said = await _added(store)
    await store.remove(said[0].id)

    written = [knowledge(said, ["Ada", "Paris"], [LIVES], [("Ada", "Paris")])]
    assert await store.knowledge.write(written) == WriteCounts()
    await store.knowledge._replace(written, {})

    assert await content(store) == [[], [], []]


async def test_removing_a_memory_removes_what_only_it_supported(store: Store) -> None:
    first, second = await _added(store), await _added(store)
    await store.knowledge.write(
        [knowledge(second, ["Ada", "Paris", "Bob"], [LIVES], [("Bob", "Ada")])]
    )
    before = await content(store)
    await store.knowledge.write(
        [knowledge(first, ["Ada", "Paris", "Eve"], [LIVES, ("Eve", "knows", "Ada")])]
    )

    await store.remove(first[0].id)

    entities, edges, marks = before
    assert isinstance(marks, list)
    assert await content(store) == [entities, edges, [m for m in marks if m[0] != first[0].id]]


async def test_an_entity_is_called_what_most_mentions_call_it(kept: Store) -> None:
    kinds = ["person", "place", "place", "person", "place"]
    spellings = ["paris", "Paris", "Paris", "paris", "PARIS"]
    said = [await _added(kept) for _ in kinds]
    for one, kind, name in zip(said, kinds, spellings, strict=True):
        await kept.knowledge.write([knowledge(one, [name], kind=kind)])

    async def seen() -> tuple[str, str]:
        (found,) = await kept.knowledge.entities_by_key(["paris"])
        return found.name, found.type

    assert await seen() == ("Paris", "place")
    await kept.remove(said[4][0].id)
    await kept.remove(said[2][0].id)
    assert await seen() == ("paris", "person")
    await kept.knowledge.write([knowledge(said[0], ["Paris"], kind="place")])
    assert await seen() == ("Paris", "place")


async def test_a_memory_with_hundreds_of_mentions_is_written_and_replaced(kept: Store) -> None:
    said = await _added(kept, chunks=40)
    many = [f"Name {number}" for number in range(20)]
    parts = [
        knowledge(
            said, [*many, f"Own {number}"], [(many[0], "knows", f"Own {number}")], chunk=number
        )
        for number in range(40)
    ]
    whole = MemoryKnowledge(
        said[0].id,
        EXTRACTOR,
        tuple(entity(name) for name in [*many, *(f"Own {number}" for number in range(40))]),
        tuple(mention for part in parts for mention in part.mentions),
        tuple(fact for part in parts for fact in part.facts),
        knowledge(said, ["Own 0", "Own 39"], aliases=[("Own 0", "Own 39")]).aliases,
    )

    counts = await kept.knowledge.write([whole])
    before = await content(kept)

    assert counts == WriteCounts(60, 0, 40 * 21, 40, 1)
    assert len(await _facts(kept)) == 40
    assert await names(kept) == dict.fromkeys(many, 40) | {f"Own {n}": 1 for n in range(40)}
    assert await kept.knowledge.write([whole]) == WriteCounts()
    await kept.knowledge._replace([whole], {})
    assert await content(kept) == before
    await kept.knowledge.write([knowledge(said, ["Ada"])])
    assert await names(kept) == {"Ada": 1}
    assert await _facts(kept) == []


@pytest.mark.parametrize("broken", ["twice", "unknown", "unmentioned", "foreign", "alias"])
async def test_knowledge_that_could_not_be_removed_again_is_refused(
    kept: Store, broken: str
) -> None:
    said = await _added(kept)
    good = knowledge(said, ["Ada", "Paris"], [LIVES], [("Ada", "Paris")])
    match broken:
        case "twice":
            bad = good._replace(mentions=good.mentions + good.mentions[:1])
        case "unknown":
            bad = good._replace(entities=good.entities[:1])
        case "unmentioned":
            bad = good._replace(mentions=good.mentions[:1], aliases=())
        case "foreign":
            bad = good._replace(facts=(good.facts[0]._replace(memory_id="0" * 32),))
        case _:
            bad = good._replace(mentions=good.mentions[:1], facts=())

    with pytest.raises(ValueError, match=r"mention"):
        await kept.knowledge.write([bad])

    assert await names(kept) == {}


HOSTILE = [
    'O\'Neill "x" \\',
    "}) DETACH DELETE (n) //",
    "' OR 1=1 --",
    "@key:{*} -(a|b) %%x%% $p ~[1 2]",
    "👩‍👩‍👧 \u202eevil\u202c",
    "مرحبا بالعالم",
    "東京",
    "line\nbreak\ttab",
    "the",
    "x" * 10_000,
]


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_names_are_data(store: Store, name: str) -> None:
    said = await _added(store)
    await store.knowledge.write([knowledge(said, [name, "Ada"], [("Ada", name, name)], kind=name)])

    (found,) = await store.knowledge.entities_by_id([entity_id(name)])
    assert (found.name, found.type) == (name, name)
    (fact,) = await store.knowledge.facts_around([entity_id("Ada")], 10, [name])
    assert fact.predicate == name
    assert await store.knowledge.facts_around([entity_id("Ada")], 10, ["other"]) == []
    await store.knowledge.similar_names(name, 10)
    await store.remove(said[0].id)
    assert await content(store) == [[], [], []]


async def test_a_store_of_the_first_version_is_migrated(
    embedded: EmbeddedAddress, keyspace: Keyspace
) -> None:
    async with opened(embedded, keyspace) as store:
        said = await _added(store)
        graph = Graph(store._connection, keyspace.graph)
        await graph.write("DROP INDEX ON :Entity(id)")
        await store._connection.execute("HSET", keyspace.about, "schema", "1")

    for _ in range(2):
        async with opened(embedded, keyspace) as store:
            assert await store.knowledge.unbuilt(EXTRACTOR, 10) == [said[0].id]
            about = await store._connection.execute("HGET", keyspace.about, "schema")
            assert int(about) == SCHEMA_VERSION
            await store._connection.execute("HSET", keyspace.about, "schema", "1")
            indexes = await _indexes(store)

    assert {"id", "key", "terms"} <= set(indexes["Entity"])
    assert {"memory", "slot"} <= set(indexes["FACT"])


async def test_taking_back_touches_only_what_the_memory_said(kept: Store) -> None:
    """A label at the ends of a fact would make the database look at every entity."""
    said = await _added(kept)
    await kept.knowledge.write([knowledge(said, ["Ada", "Paris"], [LIVES], [("Ada", "Paris")])])

    plans = [
        "\n".join(
            map(bytes.decode, await kept._connection.execute("GRAPH.EXPLAIN", *command[1:3]))
        )
        for command in clear_memories(kept._memories._graph, [said[0].id])
    ]

    assert "Edge By Index Scan | [f:FACT]" in plans[0]
    assert "Edge By Index Scan | [s:SAME]" in plans[1]
    assert "Node By Index Scan | (m:Memory)" in plans[2]
    assert "Label Scan" not in "".join(plans)


async def test_what_two_have_read_need_not_be_read_by_one_of_them_again(store: Store) -> None:
    said = await _added(store)

    await store.knowledge.write([knowledge(said, ["Ada"])._replace(extractor="rules+model")])

    assert await store.knowledge.unbuilt("rules", 10) == []
    assert await store.knowledge.coverage("rules+model") == (1, 1)
    assert await store.knowledge.unbuilt("rules+other", 10) == [said[0].id]
    assert await store.knowledge.unbuilt("rule", 10) == [said[0].id]


async def test_coverage_counts_what_an_extractor_has_read(store: Store) -> None:
    said = [await _added(store) for _ in range(3)]

    await store.knowledge.write([knowledge(said[0], ["Ada"]), knowledge(said[1])])

    assert await store.knowledge.coverage(EXTRACTOR) == (2, 3)
    assert await store.knowledge.coverage("other") == (0, 3)
    assert await store.knowledge.unbuilt(EXTRACTOR, 10) == [said[2][0].id]
    assert len(await store.knowledge.unbuilt("other", 2)) == 2


async def test_texts_come_with_their_chunks_in_order(store: Store) -> None:
    memory, chunks = await _added(store, chunks=12)

    (text,) = await store.knowledge.texts_of([memory.id, "0" * 32])

    assert (text.memory_id, text.timestamp_ms, text.speaker) == (
        memory.id,
        memory.timestamp_ms,
        "",
    )
    assert [chunk.id for chunk in text.chunks] == [chunk.id for chunk in chunks]
    assert text.chunks[0].text == chunks[0].text


STEPS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.booleans(),
        st.lists(st.sampled_from("abcde"), unique=True, max_size=4),
    ),
    max_size=12,
)


@settings(max_examples=15)
@given(STEPS)
def test_the_graph_is_always_what_the_living_memories_say(
    embedded: EmbeddedAddress, steps: list[tuple[int, bool, list[str]]]
) -> None:
    """Any order of writes, replacements and removals ends like a fresh build of what is left."""

    async def run() -> None:
        said = [sample() for _ in range(4)]
        last: dict[int, MemoryKnowledge] = {}
        async with opened(embedded, fresh_keyspace()) as store:
            for one in said:
                await store.add(*one)
            for number, is_removal, mentioned in steps:
                if is_removal:
                    await store.remove(said[number][0].id)
                    last.pop(number, None)
                    await store.add(*said[number])
                    continue
                facts = [(a, "knows", b) for a, b in pairwise(mentioned)]
                aliases = [(a, b) for a, _, b in facts[:1]]
                last[number] = knowledge(said[number], mentioned, facts, aliases)
                await store.knowledge.write([last[number]])
            found = await content(store)
        async with opened(embedded, fresh_keyspace()) as fresh:
            for one in said:
                await fresh.add(*one)
            await fresh.knowledge.write(list(last.values()))
            assert await content(fresh) == found

    asyncio.run(run())
