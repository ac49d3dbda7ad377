"""The life of a memory through the engine: stored once, read, listed, changed, deleted."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.folders import fresh_settings
from tests.zapomni_core.life.asking import count, texts_found
from zapomni_core import MemoryEngine, SearchFilters, Settings, ValidationError
from zapomni_db.code import RepositoryRecord

pytestmark = pytest.mark.anyio

NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
async def careless(memory_folder: Path) -> AsyncIterator[MemoryEngine]:
    """An engine that hides no secrets and links nothing."""
    settings = fresh_settings(memory_folder, redact_secrets=False, near_duplicates="off")
    async with MemoryEngine(settings) as engine:
        yield engine


async def test_what_is_stored_twice_is_one_memory_with_the_tags_of_both(
    engine: MemoryEngine,
) -> None:
    first = await engine.add_memory("Maria likes tea", {"tags": ["a"]})

    second = await engine.add_memory("  Maria likes tea\n", {"tags": ["b", "a"]})

    memory = await engine.get_memory(first.memory_id)
    found = await engine.search_memory("tea", 5, SearchFilters(tags=("b",)))
    assert (second.memory_id, second.is_duplicate, second.chunks_created) == (
        first.memory_id,
        True,
        0,
    )
    assert memory.tags == ("a", "b")
    assert [item.memory_id for item in found.results] == [first.memory_id]
    assert await count(engine) == 1


async def test_two_people_who_say_the_same_have_two_memories(engine: MemoryEngine) -> None:
    for speaker in ("Maria", "Ben"):
        added = await engine.add_memory("Yes!", {"speaker": speaker, "session": "monday"})
        assert not added.is_duplicate

    assert await count(engine) == 2


async def test_the_same_text_stored_at_once_is_stored_once(engine: MemoryEngine) -> None:
    added = await asyncio.gather(*(engine.add_memory("All at the same time") for _ in range(8)))

    assert len({each.memory_id for each in added}) == 1
    assert sorted(each.is_duplicate for each in added) == [False] + [True] * 7
    assert await count(engine) == 1


async def test_changes_that_come_at_once_are_all_kept(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria likes tea", {"kept": True})

    changed = await asyncio.gather(
        *(engine.update_memory(added.memory_id, metadata={f"f{n}": n}) for n in range(8)),
        engine.update_memory(added.memory_id, metadata={"tags": ["a"]}),
        engine.update_memory(added.memory_id, "Maria likes coffee"),
    )

    memory = await engine.get_memory(added.memory_id)
    assert all(each.is_changed for each in changed)
    assert memory.text == "Maria likes coffee"
    assert memory.tags == ("a",)
    assert memory.metadata == {"kept": True, "tags": ["a"]} | {f"f{n}": n for n in range(8)}
    assert len(memory.history) == 10


@pytest.mark.parametrize("again", [{}, {"pinned": True}, {"ttl": "P30D"}])
async def test_what_is_stored_again_lives_as_long_as_was_ever_asked(
    engine: MemoryEngine, again: dict[str, object]
) -> None:
    first = await engine.add_memory("The alarm code is nine-two", {"ttl": "PT1H"})

    second = await engine.add_memory("The alarm code is nine-two", again)
    await engine.add_memory("The alarm code is nine-two", {"ttl": "PT1H"})

    memory = await engine.get_memory(first.memory_id)
    in_a_day = datetime.now(UTC) + timedelta(days=1)
    assert (second.memory_id, second.is_duplicate) == (first.memory_id, True)
    assert memory.is_pinned or memory.expires_at is None or memory.expires_at > in_a_day


async def test_what_was_told_is_stored_again_once_the_memory_says_otherwise(
    engine: MemoryEngine,
) -> None:
    first = await engine.add_memory("Priya reports to Mark")
    await engine.get_memory(first.memory_id)
    await engine.update_memory(first.memory_id, "It is wrong that Priya reports to Mark")

    second = await engine.add_memory("Priya reports to Mark")

    assert not second.is_duplicate
    assert await count(engine) == 2


async def test_a_memory_is_not_given_an_end_that_has_passed(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria likes tea")

    with pytest.raises(ValidationError, match=r"metadata\.expires is over already"):
        await engine.update_memory(added.memory_id, metadata={"expires": "2020-01-01"})

    assert (await engine.get_memory(added.memory_id)).expires_at is None


async def test_a_duplicate_is_known_after_a_restart(settings: Settings) -> None:
    async with MemoryEngine(settings) as engine:
        first = await engine.add_memory("Kept over night")
    async with MemoryEngine(settings) as engine:
        second = await engine.add_memory("Kept over night")

    assert (second.memory_id, second.is_duplicate) == (first.memory_id, True)


async def test_what_was_recalled_is_not_stored_as_new(engine: MemoryEngine) -> None:
    first = await engine.add_memory("The red kite nests in the old oak", {"source": "walk"})
    (item,) = (await engine.search_memory("red kite")).results

    again = await engine.add_memory(item.text, {"source": "agent"})

    assert (again.memory_id, again.is_duplicate) == (first.memory_id, True)


async def test_what_a_memory_no_longer_says_can_be_stored(engine: MemoryEngine) -> None:
    first = await engine.add_memory("The red kite nests in the old oak")
    await engine.search_memory("red kite")
    await engine.update_memory(first.memory_id, "The red kite has left")

    again = await engine.add_memory("The red kite nests in the old oak")

    assert not again.is_duplicate
    assert again.memory_id != first.memory_id


async def test_a_near_duplicate_names_the_other_one(
    engine: MemoryEngine, careless: MemoryEngine
) -> None:
    text = "Maria Silva works at the harbour office in Lisbon since the spring of 2021"
    for each in (engine, careless):
        await each.add_memory("Bread needs salt")
    first = await engine.add_memory(f"{text}.")
    await careless.add_memory(f"{text}.")

    linked = await engine.add_memory(f"{text}!")
    unlinked = await careless.add_memory(f"{text}!")

    assert (linked.similar_to, linked.is_duplicate) == (first.memory_id, False)
    assert (await engine.get_memory(linked.memory_id)).similar_to == first.memory_id
    assert unlinked.similar_to is None


async def test_secrets_are_hidden_before_anything_is_stored(
    engine: MemoryEngine, careless: MemoryEngine
) -> None:
    text = "The deploy password is hunter22!"

    hidden = await engine.add_memory(text, {"token": "ab12cd34ef"})
    shown = await careless.add_memory(text)

    memory = await engine.get_memory(hidden.memory_id)
    assert hidden.secrets_hidden == {"password or key": 2}
    assert memory.text == "The deploy password is [redacted: password or key]"
    assert memory.metadata == {"token": "[redacted: password or key]"}
    assert (await careless.get_memory(shown.memory_id)).text == text
    assert shown.secrets_hidden == {}


async def test_a_changed_memory_is_found_by_its_new_words_only(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria lives in Oslo", {"tags": ["a"], "mood": "good"})
    before = await engine.get_memory(added.memory_id)

    updated = await engine.update_memory(
        added.memory_id, "Maria lives in Bergen", {"tags": ["b"], "mood": None}
    )

    memory = await engine.get_memory(added.memory_id)
    assert (updated.memory_id, updated.is_changed) == (added.memory_id, True)
    assert memory.text == "Maria lives in Bergen"
    assert memory.metadata == {"tags": ["b"]}
    assert (memory.timestamp, memory.created_at) == (before.timestamp, before.created_at)
    assert memory.changed_at is not None
    (old,) = memory.history
    assert (old.text, old.metadata["tags"], old.until) == (
        "Maria lives in Oslo",
        ["a"],
        memory.changed_at,
    )
    assert await texts_found(engine, "Maria") == ["Maria lives in Bergen"]
    assert (await engine.list_memories(SearchFilters(tags=("a",)))).total == 0
    assert await count(engine) == 1


async def test_a_change_by_another_process_is_seen(settings: Settings) -> None:
    async with MemoryEngine(settings) as one, MemoryEngine(settings) as other:
        added = await one.add_memory("Maria lives in Oslo")
        assert await texts_found(other, "Maria") == ["Maria lives in Oslo"]

        await other.update_memory(added.memory_id, "Maria lives in Bergen")
        seen = await texts_found(one, "Maria")
        await one.update_memory(added.memory_id, "Maria lives in Narvik")
        seen_there = await texts_found(other, "Maria")
        await other.clear_all("DELETE ALL MEMORIES")

        assert seen == ["Maria lives in Bergen"]
        assert seen_there == ["Maria lives in Narvik"]
        assert await texts_found(one, "Maria") == []


async def test_a_change_to_the_same_changes_nothing(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria lives in Oslo", {"tags": ["a"]})

    updated = await engine.update_memory(added.memory_id, "Maria lives in Oslo", {"tags": ["a"]})

    assert not updated.is_changed
    assert (await engine.get_memory(added.memory_id)).history == ()


async def test_the_graph_reads_a_changed_memory_again(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria Silva works at Globex in Berlin.")
    await engine.build_graph()
    await engine.update_memory(added.memory_id, "Maria Silva works at Initech in Madrid.")

    await engine.build_graph()

    assert (await engine.get_related("Globex")).entity is None
    assert (await engine.get_related("Initech")).entity is not None


async def test_nothing_is_changed_without_a_text_or_metadata(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria lives in Oslo")

    with pytest.raises(ValidationError, match="nothing to change"):
        await engine.update_memory(added.memory_id)


async def test_an_unknown_memory_is_refused_by_name(engine: MemoryEngine) -> None:
    for call in (
        engine.get_memory(NOBODY),
        engine.update_memory(NOBODY, "text"),
        engine.delete_memory(NOBODY, confirm=True),
    ):
        with pytest.raises(ValidationError, match="memory_id names no memory"):
            await call
    with pytest.raises(ValidationError, match="memory_id must be one of the ids"):
        await engine.get_memory("not an id")


async def test_a_deleted_memory_is_gone_with_all_it_said(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria Silva works at Globex in Berlin.")
    kept = await engine.add_memory("Ben Okafor works at Initech in Madrid.")
    await engine.update_memory(added.memory_id, metadata={"tags": ["x"]})
    await engine.build_graph()

    deleted = await engine.delete_memory(added.memory_id, confirm=True)

    assert (deleted.chunks, deleted.versions, deleted.is_erased) == (1, 1, False)
    assert deleted.facts >= 1
    assert deleted.entities >= 2
    assert "Backups" in deleted.notice
    assert (await engine.get_related("Globex")).entity is None
    assert [each.memory_id for each in (await engine.list_memories()).memories] == [kept.memory_id]


@pytest.mark.parametrize("confirm", [False, None, 1, "true"])
async def test_nothing_is_deleted_without_a_clear_yes(engine: MemoryEngine, confirm: bool) -> None:
    added = await engine.add_memory("Maria lives in Oslo")

    with pytest.raises(ValidationError, match="confirm must be true"):
        await engine.delete_memory(added.memory_id, confirm=confirm)

    assert (await engine.get_memory(added.memory_id)).text == "Maria lives in Oslo"


@pytest.mark.parametrize("phrase", ["", "delete all memories", "DELETE ALL MEMORIES ", "yes"])
async def test_nothing_is_cleared_without_the_exact_phrase(
    engine: MemoryEngine, phrase: str
) -> None:
    await engine.add_memory("Maria lives in Oslo")

    with pytest.raises(ValidationError, match="phrase must be exactly 'DELETE ALL MEMORIES'"):
        await engine.clear_all(phrase)

    assert await count(engine) == 1


async def test_everything_goes_and_the_memory_works_on(engine: MemoryEngine) -> None:
    await engine.add_memory("Maria Silva works at Globex in Berlin.")
    await engine.build_graph()

    cleared = await engine.clear_all("DELETE ALL MEMORIES")
    again = await engine.add_memory("Maria Silva works at Globex in Berlin.")

    assert (cleared.memories, cleared.chunks) == (1, 1)
    assert not again.is_duplicate
    assert (await engine.graph_status()).entities == 0
    assert await texts_found(engine, "Maria") == ["Maria Silva works at Globex in Berlin."]
    assert (await engine.list_memories()).total == 1


async def test_an_erased_text_is_in_no_file_of_the_data_folder(tmp_path: Path) -> None:
    def holders() -> list[Path]:
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        return [path for path in files if b"walr" in path.read_bytes().lower()]

    async with MemoryEngine(fresh_settings(tmp_path)) as engine:
        kept = await engine.add_memory("The badger sleeps")
        added = await engine.add_memory("The walrus sleeps")
        await engine.update_memory(added.memory_id, "The walrus wakes")
        await engine.build_graph()
        await engine.search_memory("walrus")
        assert engine._workspace is not None
        await engine._workspace._index.save()
        before = holders()

        deleted = await engine.delete_memory(added.memory_id, confirm=True, erase=True)

        assert len(before) >= 2  # the log and the word index
        assert deleted.is_erased
        assert holders() == []
        assert (await engine.get_memory(kept.memory_id)).text == "The badger sleeps"
    assert holders() == []


async def test_memories_are_listed_by_time_said_and_by_arrival(engine: MemoryEngine) -> None:
    for day in (2, 3, 1):
        await engine.add_memory(f"Day {day}", {"timestamp": f"2025-01-0{day}", "tags": ["d"]})
    await engine.add_memory("Today")

    newest = await engine.list_memories(limit=2)
    rest = await engine.list_memories(limit=2, cursor=newest.next_cursor)
    added = await engine.list_memories(SearchFilters(tags=("d",)), order="first_added")
    days = SearchFilters(date_from=date(2025, 1, 2), date_to=date(2025, 1, 2))

    assert [each.text for each in newest.memories] == ["Today", "Day 3"]
    assert [each.text for each in rest.memories] == ["Day 2", "Day 1"]
    assert (newest.total, rest.next_cursor) == (4, None)
    assert [each.text for each in added.memories] == ["Day 2", "Day 3", "Day 1"]
    assert [each.text for each in (await engine.list_memories(days)).memories] == ["Day 2"]


async def test_a_dry_run_removes_nothing(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria lives in Oslo")
    await engine.update_memory(added.memory_id, "Maria lives in Bergen")

    report = await engine.prune_memory(older_than_days=0)

    assert report.is_dry_run
    assert {each.kind: each.count for each in report.kinds} == {
        "expired": 0,
        "orphans": 0,
        "history": 1,
        "code": 0,
        "gone_files": 0,
    }
    assert len((await engine.get_memory(added.memory_id)).history) == 1


async def test_nothing_is_pruned_that_was_not_named(engine: MemoryEngine) -> None:
    added = await engine.add_memory("Maria lives in Oslo")
    await engine.update_memory(added.memory_id, "Maria lives in Bergen")

    with pytest.raises(ValidationError, match="kinds must say what to remove"):
        await engine.prune_memory(dry_run=False, older_than_days=0)
    with pytest.raises(ValidationError, match="kinds must be of"):
        await engine.prune_memory(["everything"], dry_run=False)  # type: ignore[list-item]
    still = len((await engine.get_memory(added.memory_id)).history)
    await engine.prune_memory(["history"], dry_run=False, older_than_days=0)

    assert still == 1
    assert (await engine.get_memory(added.memory_id)).history == ()


async def test_code_of_a_folder_that_is_gone_is_pruned(
    engine: MemoryEngine, tmp_path: Path
) -> None:
    assert engine._workspace is not None
    code = engine._workspace._store.code
    await code.register(RepositoryRecord("gone", str(tmp_path / "gone"), "gone"))
    await code.register(RepositoryRecord("here", str(tmp_path), "here"))

    dry = await engine.prune_memory(["code"])
    await engine.prune_memory(["code"], dry_run=False)

    assert dry.kinds[0].examples == (str(tmp_path / "gone"),)
    assert [record.name for record in await code.repositories()] == ["here"]
