"""Workspaces never meet: whatever is tried in one, nothing of another shows or changes."""

from pathlib import Path

import pytest

from tests.zapomni_core.workspaces.asking import CODE, TEXT, exported, found, keys_of, memories_of
from zapomni_core import MemoryEngine, Settings, ValidationError

pytestmark = pytest.mark.anyio

NEARLY = "Anna Petrova works at Siemens in Munich since March 2021!"
HOSTILE = ["", " ", "a b", "a:b", "{a}", "a*", "a\n", "ä", "a/b", "../x", "x" * 65, "a\0", "[a]"]


async def test_a_new_engine_works_in_the_default_workspace(engine: MemoryEngine) -> None:
    (default,) = await engine.list_workspaces()

    assert (default.name, default.is_default, default.is_current) == ("default", True, True)
    assert (engine.workspace, (await engine.get_stats()).workspace) == ("default", "default")


async def test_the_setting_chooses_the_workspace(one: MemoryEngine, settings: Settings) -> None:
    stored = await one.add_memory(TEXT)

    async with MemoryEngine(settings.model_copy(update={"workspace": "one"})) as other:
        assert await found(other, "Siemens") == [stored.memory_id]
        assert (await other.get_stats()).workspace == "one"


async def test_the_same_text_is_a_memory_of_its_own_in_each_workspace(
    engine: MemoryEngine, one: MemoryEngine, two: MemoryEngine
) -> None:
    stored = [await each.add_memory(TEXT) for each in (engine, one, two)]
    nearly = await two.add_memory(NEARLY)

    assert len({each.memory_id for each in stored}) == 3
    assert not any(each.is_duplicate or each.similar_to for each in stored)
    assert nearly.similar_to in (None, stored[2].memory_id)
    for each, own in zip((engine, one), stored, strict=False):
        assert await found(each, "Where does Anna work?") == [own.memory_id]
    assert await memories_of(one) == {"default": 1, "one": 1, "two": 2}


async def test_text_that_was_recalled_in_one_is_new_in_another(
    one: MemoryEngine, two: MemoryEngine
) -> None:
    await one.add_memory(TEXT)
    recalled = (await one.search_memory("Anna")).results[0].text

    assert not (await two.add_memory(recalled)).is_duplicate
    assert await found(two, "Anna") != await found(one, "Anna")


async def test_the_ids_of_one_workspace_mean_nothing_in_another(
    one: MemoryEngine, two: MemoryEngine
) -> None:
    stored = await one.add_memory(TEXT)
    before = await exported(one)

    for trying in (
        two.get_memory(stored.memory_id),
        two.update_memory(stored.memory_id, "changed"),
        two.delete_memory(stored.memory_id, confirm=True),
    ):
        with pytest.raises(ValidationError, match="memory_id"):
            await trying
    built = await two.build_graph(memory_ids=[stored.memory_id])

    assert (built.memories, built.entities_created) == (0, 0)
    assert [line for line in await exported(one) if line != before[-1]] == before[:-1]
    assert await memories_of(two) == {"default": 0, "one": 1, "two": 0}


async def test_people_and_facts_are_known_only_where_they_were_told(
    one: MemoryEngine, two: MemoryEngine
) -> None:
    await one.build_graph(TEXT)
    await two.build_graph("Anna Petrova works at Bosch.")

    here, there = [await each.get_related("Anna Petrova") for each in (one, two)]
    fact = next(each for each in here.relations if "Siemens" in str(each))
    assert fact.fact_id is not None
    assert "Siemens" not in str(there)
    assert "Bosch" not in str(here)
    assert {entity.name for entity in (await two.graph_status()).top_entities}.isdisjoint(
        {"Siemens", "Munich"}
    )
    assert "Siemens" not in str(await two.export_graph("json"))
    with pytest.raises(ValidationError, match="fact_id"):
        await two.keep_fact(fact.fact_id)
    assert await found(two, "Who works at Siemens?") != await found(one, "Who works at Siemens?")


async def test_the_same_repository_can_be_indexed_in_each_and_is_seen_only_there(
    one: MemoryEngine, two: MemoryEngine, project: Path
) -> None:
    await one.index_codebase(str(project))
    await two.add_memory("encode_session must stay compatible.")

    assert (await two.code_status()).repositories == ()
    assert (await two.search_code("encode_session")).hits == ()
    assert (await two.search_memory("encode_session")).results[0].code == ()
    await two.index_codebase(str(project))
    (project / "store.py").write_text(CODE + "\n\ndef decode_session(text):\n    return text\n")
    await two.index_codebase(str(project))

    assert (await two.search_code("decode_session")).hits[0].symbol.name == "decode_session"
    assert "decode_session" not in str((await one.search_code("decode_session")).hits)
    assert not (await one.get_symbol("encode_session")).memories


async def test_jobs_belong_to_their_workspace(one: MemoryEngine, two: MemoryEngine) -> None:
    built = await one.build_graph(TEXT)

    assert built.job.id in {job.id for job in await one.jobs()}
    assert await two.jobs() == []
    with pytest.raises(ValidationError, match="job"):
        await two.cancel_job(built.job.id)
    with pytest.raises(ValidationError, match="job"):
        await two.cancel_build(built.job.id)


async def test_exports_hold_one_workspace_and_imports_go_into_one(
    one: MemoryEngine, two: MemoryEngine, tmp_path: Path
) -> None:
    stored = await one.add_memory(TEXT)
    path = tmp_path / "one.jsonl"
    with path.open("wb") as file:
        assert (await one.export_memories(file)).memories == 1
    assert "Siemens" not in str(await exported(two))

    assert (await two.import_memories(path)).added == 1

    assert (await two.get_memory(stored.memory_id)).text == TEXT
    await two.delete_memory(stored.memory_id, confirm=True)
    assert (await one.get_memory(stored.memory_id)).text == TEXT
    folder = tmp_path / "markdown"
    assert await two.export_markdown(folder) == 0


async def test_clearing_and_pruning_one_leaves_the_others(
    engine: MemoryEngine, one: MemoryEngine, two: MemoryEngine
) -> None:
    for each in (engine, one, two):
        await each.add_memory(TEXT)
    await one.update_memory((await found(one, "Anna"))[0], "Anna Petrova has moved.")
    before = await two.get_stats()

    cleared = await two.clear_all("DELETE ALL MEMORIES")
    await two.prune_memory(["history", "orphans"], dry_run=False, older_than_days=0)

    assert (cleared.memories, before.total_memories) == (1, 1)
    assert await memories_of(engine) == {"default": 1, "one": 1, "two": 0}
    assert len((await one.get_memory((await found(one, "Anna"))[0])).history) == 1
    assert len(await found(engine, "Siemens")) == 1


async def test_words_of_one_are_not_in_the_index_of_another_after_a_restart(
    settings: Settings,
) -> None:
    async with MemoryEngine(settings) as engine:
        for name in ("one", "One"):
            await engine.create_workspace(name)
            await engine.within(name).add_memory(f"zyzzyva{name} is a weevil")
        await engine.add_memory("zyzzyvadefault is a weevil")
    files = sorted(path.name for path in (settings.data_dir / "cache").glob("*.words"))
    own = [name for name in files if name.startswith(settings.graph_name)]

    async with MemoryEngine(settings) as engine:
        for name in ("default", "one", "One"):
            (result,) = (await engine.within(name).search_memory(f"zyzzyva{name}")).results
            assert result.text == f"zyzzyva{name} is a weevil"
            (other,) = (await engine.within(name).list_memories()).memories
            assert other.memory_id == result.memory_id

    assert len({name.casefold() for name in own}) == 3


@pytest.mark.parametrize("name", ["wokr", "Work", "nothing like it"])
async def test_a_workspace_that_does_not_exist_is_refused_and_not_made(
    engine: MemoryEngine, settings: Settings, name: str
) -> None:
    await engine.create_workspace("work")
    before, name = keys_of(settings), name.replace(" ", "-")

    for trying in (engine.within(name).add_memory(TEXT), engine.within(name).get_stats()):
        with pytest.raises(ValidationError, match="create_workspace") as refused:
            await trying
        assert refused.value.field == "workspace"
        assert ("did you mean work?" in str(refused.value)) is (name != "nothing-like-it")
    with pytest.raises(ValidationError, match="does not exist"):
        async with MemoryEngine(settings.model_copy(update={"workspace": name})):
            pass

    assert keys_of(settings) == before


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_names_are_refused_by_the_field_that_they_are_in(
    engine: MemoryEngine, settings: Settings, name: str
) -> None:
    before = keys_of(settings)

    with pytest.raises(ValidationError, match=r"^workspace takes"):
        engine.within(name)
    with pytest.raises(ValidationError, match=r"^name takes"):
        await engine.create_workspace(name)
    with pytest.raises(ValidationError, match=r"^name takes"):
        await engine.delete_workspace(name, name)
    assert keys_of(settings) == before


async def test_a_taken_name_and_the_default_one_cannot_be_made(engine: MemoryEngine) -> None:
    await engine.create_workspace("work", "mine")

    for name in ("work", "default"):
        with pytest.raises(ValidationError, match="is taken"):
            await engine.create_workspace(name, "other")
    with pytest.raises(ValidationError, match="description"):
        await engine.create_workspace("wordy", "x" * 501)
    assert [each.description for each in await engine.list_workspaces()] == ["", "mine"]
