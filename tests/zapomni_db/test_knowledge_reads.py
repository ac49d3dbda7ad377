"""The knowledge graph is walked, searched by name, counted and exported."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zapomni_db.knowledge_samples import entity_id, knowledge
from tests.zapomni_db.samples import NOW_MS, Sample, fresh_keyspace, opened, sample
from zapomni_db import EmbeddedAddress, Store
from zapomni_db.knowledge.census import Census
from zapomni_db.knowledge.terms import words_of

pytestmark = pytest.mark.anyio


@pytest.fixture
async def kept(embedded: EmbeddedAddress) -> AsyncIterator[Store]:
    async with opened(embedded, fresh_keyspace()) as store:
        yield store


async def _said(
    store: Store, *names: str, facts: list[tuple[str, str, str]] | None = None, hours: int = 0
) -> Sample:
    said = sample()
    await store.add(*said)
    said_ms = NOW_MS + hours * 3_600_000
    await store.knowledge.write([knowledge(said, names, facts or [], said_ms=said_ms)])
    return said


def _chunk(said: Sample) -> str:
    return said[1][0].id


async def test_facts_are_found_from_both_ends_newest_first(store: Store) -> None:
    await _said(store, "Ada", "Paris", facts=[("Ada", "lives in", "Paris")], hours=1)
    await _said(store, "Ada", "Bob", facts=[("Bob", "knows", "Ada")], hours=3)
    await _said(store, "Bob", "Oslo", facts=[("Bob", "lives in", "Oslo")], hours=2)
    asking = store.knowledge

    around = await asking.facts_around([entity_id("Ada")], 10)
    both = await asking.facts_around([entity_id("Ada"), entity_id("Bob")], 10)
    living = await asking.facts_around([entity_id("Ada"), entity_id("Bob")], 10, ["lives in"])

    assert [fact.predicate for fact in around] == ["knows", "lives in"]
    assert [fact.object.name for fact in both] == ["Ada", "Oslo", "Paris"]
    assert [fact.object.name for fact in living] == ["Oslo", "Paris"]
    assert len(await asking.facts_around([entity_id("Ada"), entity_id("Bob")], 2)) == 2
    assert await asking.facts_around([], 10) == []


async def test_an_entity_with_very_many_facts_answers_with_some_of_them(kept: Store) -> None:
    for number in range(30):
        await _said(
            kept, "Hub", f"E{number}", facts=[("Hub", "knows", f"E{number}")], hours=number
        )
    others = [entity_id(f"Nobody {number}") for number in range(999)]

    found = await kept.knowledge.facts_around([entity_id("Hub"), *others], 10)
    companions = await kept.knowledge.companions([entity_id("Hub"), *others], 10)

    assert found
    assert all(fact.subject.name == "Hub" for fact in found)
    assert companions
    assert all(one.entity_id == entity_id("Hub") for one in companions)


async def test_a_slot_holds_all_that_was_said_in_order(store: Store) -> None:
    for hours, city in ((2, "Oslo"), (1, "Paris"), (3, "Paris")):
        await _said(store, "Ada", city, facts=[("Ada", "lives in", city)], hours=hours)
    await _said(store, "Ada", "Bob", facts=[("Ada", "knows", "Bob"), ("Bob", "lives in", "Ada")])

    found = await store.knowledge.facts_in_slots([(entity_id("Ada"), "lives in")])

    assert [fact.object.name for fact in found] == ["Paris", "Oslo", "Paris"]


async def test_companions_share_chunks(store: Store) -> None:
    first = await _said(store, "Ada", "Bob", "Eve")
    second = await _said(store, "Ada", "Bob")
    await _said(store, "Zoe", "Bob")

    found = await store.knowledge.companions([entity_id("Ada")], 10)

    assert [(one.other.name, one.shared) for one in found] == [("Bob", 2), ("Eve", 1)]
    assert {one.chunk_id for one in found} <= {_chunk(first), _chunk(second)}
    assert len(await store.knowledge.companions([entity_id("Ada")], 1)) == 1
    assert await store.knowledge.companions([], 10) == []


async def test_chunks_that_mention_most_come_first(store: Store) -> None:
    one = await _said(store, "Ada")
    both = await _said(store, "Ada", "Bob")
    await _said(store, "Eve")

    found = await store.knowledge.chunks_mentioning([entity_id("Ada"), entity_id("Bob")], 10)

    assert [(hit.chunk_id, hit.entities) for hit in found] == [(_chunk(both), 2), (_chunk(one), 1)]
    assert await store.knowledge.chunks_mentioning([], 10) == []


async def test_evidence_is_the_text_that_was_said(store: Store) -> None:
    memory, chunks = await _said(store, "Ada")

    (found,) = await store.knowledge.evidence([chunks[0].id, "0" * 32])

    assert (found.chunk_id, found.memory_id) == (chunks[0].id, memory.id)
    assert (found.text, found.source) == (chunks[0].text, memory.source)
    assert found.timestamp_ms == memory.timestamp_ms


async def test_keys_are_matched_whole(kept: Store) -> None:
    await _said(kept, "Ada Lovelace", "Ada")

    found = await kept.knowledge.entities_by_key(["ada", " ada", "ada ", "", "lovelace", "ADA"])

    assert [(one.key, one.mentions) for one in found] == [("ada", 1)]
    assert await kept.knowledge.entities_by_key([" ada"]) == []


@pytest.mark.parametrize(
    ("asked", "best"),
    [
        ("lovelace", "Ada Lovelace"),
        ("Ada Lovelase", "Ada Lovelace"),
        ("Lovelaec", "Ada Lovelace"),
        ("lov", "Ada Lovelace"),
        ("Muller", "Jürgen Müller"),
        ("MÜLLER", "Jürgen Müller"),
        ("Москв", "Москва"),
        ("кафка", "Apache Кафка"),
        ("東", "東京"),
        ("react_query", "React Query"),
    ],
)
async def test_similar_names_forgive_beginnings_accents_and_typos(
    kept: Store, asked: str, best: str
) -> None:
    names = ("Ada Lovelace", "Jürgen Müller", "Москва", "Apache Кафка", "東京", "React Query")
    await _said(kept, *names, "Adam", "Unrelated")

    found = await kept.knowledge.similar_names(asked, 3)

    assert found[0].name == best


async def test_nothing_is_similar_to_nothing(kept: Store) -> None:
    await _said(kept, "Ada")

    for asked in ("", " ", "🙂", "()|*%@", "_"):
        assert await kept.knowledge.similar_names(asked, 3) == []


@given(st.text())
def test_words_hold_no_syntax(name: str) -> None:
    for word in words_of(name):
        assert word.isalnum()
        assert 0 < len(word) <= 32


async def test_a_census_counts_everything(store: Store) -> None:
    asking = store.knowledge
    assert (await asking.census()).entities_by_type == {}
    fact = ("Ada", "lives in", "Paris")
    await _said(store, "Ada", "Paris", facts=[fact])
    await _said(store, "Ada", "Paris", "Bob", "Robert", facts=[fact])
    said = await _said(store)
    await asking.write(
        [knowledge(said, ["Bob", "Robert"], aliases=[("Bob", "Robert")], kind="cat")]
    )
    await _said(store, "Ada")

    census = await asking.census()

    assert sum(census.entities_by_type.values()) == 4
    assert (census.facts, census.assertions) == (1, 2)
    assert (census.mentions, census.aliases) == (9, 1)
    assert census.largest_component == 2
    assert [(one.name, one.mentions) for one in census.most_mentioned[:2]] == [
        ("Ada", 3),
        ("Bob", 2),
    ]


async def test_an_export_has_every_page(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Census, "page", 7)
    for number in range(10):
        other = f"E{number}"
        said = await _said(kept, "Hub", other, facts=[("Hub", "knows", other)])
        await kept.knowledge.write(
            [knowledge(said, ["Hub", other], [("Hub", "knows", other)], [(other, "Hub")])]
        )
    asking = kept.knowledge

    entities = [one.name async for page in asking.all_entities() for one in page]
    facts = [one.object_id async for page in asking.all_facts() for one in page]
    aliases = [one.short_id async for page in asking.all_aliases() for one in page]

    assert sorted(entities) == sorted(["Hub", *(f"E{number}" for number in range(10))])
    assert sorted(facts) == sorted(aliases) == sorted(entity_id(f"E{n}") for n in range(10))
