"""The knowledge graph of an engine: read from memories, asked, taken back, exported."""

import json
import uuid
from pathlib import Path

import anyio
import pytest

from tests.folders import fresh_settings
from zapomni_core import MemoryEngine, Settings, ValidationError
from zapomni_core.knowledge.results import Related, Relation

pytestmark = pytest.mark.anyio

HOSTILE = [
    'O\'Brien "the" `Cypher`',
    "'}) MATCH (n) DETACH DELETE n //",
    "@name:(evil) | -*~ {x}",
    "مرحبا بالعالم",
    "😀😀",
    "\u202eright to left",
    "x" * 1000,
]


async def remember(engine: MemoryEngine, text: str, day: str = "2024-01-01") -> str:
    stored = await engine.add_memory(text, {"timestamp": f"{day}T12:00:00Z", "source": "notes"})
    await settle(engine)
    return stored.memory_id


async def settle(engine: MemoryEngine) -> None:
    assert engine._workspace is not None
    await engine._workspace.graph.settle()


def relation(related: Related, predicate: str, name: str) -> Relation:
    return next(
        each
        for each in related.relations
        if each.predicate == predicate and each.entity.name == name
    )


async def test_a_fact_is_known_right_after_it_was_stored_with_its_sentence(
    engine: MemoryEngine,
) -> None:
    memory_id = await remember(engine, "It rained. Anna Petrova works at Siemens. We had tea.")

    related = await engine.get_related("anna petrova")

    assert related.entity is not None
    assert (related.entity.name, related.entity.type) == ("Anna Petrova", "person")
    fact = relation(related, "works_at", "Siemens")
    assert fact.status == "current"
    (evidence,) = fact.evidence
    assert evidence.text == "Anna Petrova works at Siemens."
    assert (evidence.memory_id, evidence.source) == (memory_id, "notes")


async def test_a_newer_home_replaces_the_older_one_and_the_past_can_be_asked(
    engine: MemoryEngine,
) -> None:
    await remember(engine, "Anna Petrova lives in Oslo.", "2021-03-01")
    await remember(engine, "Anna Petrova lives in Madrid.", "2023-03-01")

    now = await engine.get_related("Anna Petrova", relations=["lives_in"])
    then = await engine.get_related("Anna Petrova", relations=["lives_in"], as_of="2022-01-01")

    assert relation(now, "lives_in", "Madrid").status == "current"
    old = relation(now, "lives_in", "Oslo")
    assert old.status == "superseded"
    assert old.why is not None
    (believed,) = then.relations
    assert (believed.entity.name, believed.status) == ("Oslo", "current")


async def test_a_replacement_can_be_undone_and_done_again(engine: MemoryEngine) -> None:
    await remember(engine, "Anna Petrova lives in Oslo.", "2021-03-01")
    await remember(engine, "Anna Petrova lives in Madrid.", "2023-03-01")
    replaced = relation(await engine.get_related("Anna Petrova"), "lives_in", "Oslo")
    assert replaced.fact_id is not None

    await engine.keep_fact(replaced.fact_id)
    kept = relation(await engine.get_related("Anna Petrova"), "lives_in", "Oslo")
    await engine.keep_fact(replaced.fact_id, is_kept=False)
    again = relation(await engine.get_related("Anna Petrova"), "lives_in", "Oslo")

    assert (replaced.status, kept.status, again.status) == ("superseded", "current", "superseded")
    with pytest.raises(ValidationError, match="fact_id"):
        await engine.keep_fact("0" * 32)


async def test_taking_a_memory_away_takes_its_facts_and_gives_back_what_it_replaced(
    engine: MemoryEngine,
) -> None:
    await remember(engine, "Anna Petrova lives in Oslo.", "2021-03-01")
    newer = await remember(engine, "Anna Petrova lives in Madrid.", "2023-03-01")
    assert engine._workspace is not None

    await engine._workspace._store.remove(uuid.UUID(newer).hex)

    related = await engine.get_related("Anna Petrova")
    assert [(r.entity.name, r.status) for r in related.relations] == [("Oslo", "current")]
    assert (await engine.get_related("Madrid")).entity is None


async def test_a_fact_that_two_memories_state_outlives_one_of_them(engine: MemoryEngine) -> None:
    first = await remember(engine, "Anna Petrova works at Siemens.")
    await remember(engine, "As you know, Anna Petrova works at Siemens.", "2024-02-01")
    before = relation(await engine.get_related("Anna Petrova"), "works_at", "Siemens")
    assert engine._workspace is not None

    await engine._workspace._store.remove(uuid.UUID(first).hex)

    after = relation(await engine.get_related("Anna Petrova"), "works_at", "Siemens")
    assert (before.strength, after.strength) == (2, 1)
    assert before.confidence > after.confidence


async def test_an_unknown_name_is_answered_with_names_that_come_close(
    engine: MemoryEngine,
) -> None:
    await remember(engine, "Anna Petrova works at Siemens.")

    related = await engine.get_related("Ana Petrov")

    assert related.entity is None
    assert "Anna Petrova" in related.suggestions


async def test_a_walk_of_two_steps_says_how_it_came_there(engine: MemoryEngine) -> None:
    await remember(engine, "Anna Petrova works at Siemens.")
    await remember(engine, "Siemens is headquartered in Munich.")

    related = await engine.get_related(
        "Anna Petrova", depth=2, relations=["works_at", "located_in"]
    )

    found = relation(related, "located_in", "Munich")
    assert found.depth == 2
    assert found.path == ("Anna Petrova", "works_at", "Siemens", "located_in", "Munich")


async def test_reading_the_same_text_twice_changes_nothing(engine: MemoryEngine) -> None:
    text = "Anna Petrova works at Siemens in Munich."
    first = await engine.build_graph(text)
    exported = await engine.export_graph("json")

    second = await engine.build_graph(text)

    assert first.entities_created >= 3
    assert first.facts >= 1
    assert (second.entities_created, second.mentions, second.facts) == (0, 0, 0)
    assert await engine.export_graph("json") == exported
    assert (await engine.get_stats()).total_memories == 1


async def test_everything_not_yet_read_is_read_when_asked(memory_folder: Path) -> None:
    async with MemoryEngine(fresh_settings(memory_folder, auto_graph=False)) as engine:
        for number in range(40):
            await engine.add_memory(f"Report {number}: Anna Petrova works at Siemens.")
        before = await engine.graph_status()
        seen: list[tuple[int, int]] = []

        async def progress(done: int, total: int) -> None:
            seen.append((done, total))

        built = await engine.build_graph(progress=progress)
        after = await engine.graph_status()

    assert (before.memories_built, before.entities) == (0, 0)
    assert (built.job.state, built.memories) == ("done", 40)
    assert (after.memories_built, after.memories_total) == (40, 40)
    assert seen[-1] == (40, 40)
    assert after.facts == 1


async def test_memories_that_an_ended_process_left_are_read_by_the_next(
    settings: Settings,
) -> None:
    asleep = settings.model_copy(update={"auto_graph": False})
    async with MemoryEngine(asleep) as engine:
        await engine.add_memory("Anna Petrova works at Siemens.")
    async with MemoryEngine(settings) as engine:
        await engine.add_memory("The weather is fine.")
        await settle(engine)

        related = await engine.get_related("Anna Petrova")

    assert relation(related, "works_at", "Siemens").status == "current"


async def test_a_job_that_nobody_waits_for_any_more_is_given_up(memory_folder: Path) -> None:
    async with MemoryEngine(fresh_settings(memory_folder, auto_graph=False)) as engine:
        # Enough that a fast machine is not done with them before the word gets there.
        for number in range(240):
            await engine.add_memory(f"Report {number}: Anna Petrova works at Siemens.")
        started = anyio.Event()

        async def progress(done: int, _total: int) -> None:
            if done:
                started.set()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: engine.build_graph(progress=progress))
            await started.wait()
            tasks.cancel_scope.cancel()
        status = await engine.graph_status()

    assert [job.state for job in status.jobs] == ["cancelled"]
    assert 0 < status.memories_built < 240


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_names_are_data(engine: MemoryEngine, name: str) -> None:
    await remember(engine, f"Anna Petrova met {name} at Siemens.")

    related = await engine.get_related(name, depth=3)

    assert isinstance(related.suggestions, tuple)
    assert (await engine.get_related("Anna Petrova")).entity is not None


async def test_an_export_goes_into_the_data_folder_and_nowhere_else(
    engine: MemoryEngine,
) -> None:
    await remember(engine, "Anna Petrova works at Siemens.")

    exported = await engine.export_graph("json", "mine")

    path = Path(exported.path or "")
    assert path.is_relative_to(engine.settings.data_dir)
    written = json.loads(await anyio.Path(path).read_text("utf-8"))
    assert {entity["name"] for entity in written["entities"]} >= {"Anna Petrova", "Siemens"}
    for name in ("../out", "/tmp/out", "a/b", "..", ""):
        with pytest.raises(ValidationError, match="file_name"):
            await engine.export_graph("json", name)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"entity": " "}, "entity"),
        ({"entity": "Anna", "depth": 0}, "depth"),
        ({"entity": "Anna", "depth": 6}, "depth"),
        ({"entity": "Anna", "limit": 0}, "limit"),
        ({"entity": "Anna", "as_of": "yesterday"}, "as_of"),
    ],
)
async def test_bad_questions_are_refused_by_the_name_of_the_argument(
    engine: MemoryEngine, arguments: dict[str, object], field: str
) -> None:
    with pytest.raises(ValidationError, match=field):
        await engine.get_related(**arguments)  # type: ignore[arg-type]


async def test_a_text_and_ids_cannot_be_read_in_one_call(engine: MemoryEngine) -> None:
    with pytest.raises(ValidationError, match="memory_ids"):
        await engine.build_graph("text", [str(uuid.uuid4())])
    with pytest.raises(ValidationError, match="memory_ids"):
        await engine.build_graph(memory_ids=["not an id"])


async def test_what_the_user_says_of_himself_is_known_of_the_user(engine: MemoryEngine) -> None:
    stored = await engine.add_memory("I live in Lisbon.", {"speaker": "user"})
    await settle(engine)

    related = await engine.get_related("user")

    assert relation(related, "lives_in", "Lisbon").evidence[0].memory_id == stored.memory_id


async def test_a_search_by_the_short_name_reaches_what_uses_the_long_one(
    engine: MemoryEngine,
) -> None:
    await remember(engine, "The Model Context Protocol (MCP) connects agents and tools.")
    await remember(engine, "Our Model Context Protocol server listens on port 8000.")

    found = await engine.search_memory("Which port has MCP?", explain=True)

    added = {item.text: item.why.added["named"] for item in found.results if item.why}
    assert added["Our Model Context Protocol server listens on port 8000."] > 0


async def test_ids_that_name_no_memory_are_told(engine: MemoryEngine) -> None:
    known = await remember(engine, "Anna Petrova works at Siemens.")

    built = await engine.build_graph(memory_ids=[known, str(uuid.uuid4())])

    assert built.memories == 1
    assert built.notice == "1 of the ids name no memory."


async def test_a_relation_that_nothing_has_is_told(engine: MemoryEngine) -> None:
    await remember(engine, "Anna Petrova works at Siemens.")

    related = await engine.get_related("Anna Petrova", relations=["works_in"])

    assert related.relations == ()
    assert related.notice is not None
    assert "works_in" in related.notice


async def test_what_stands_in_the_place_of_a_secret_names_nobody(engine: MemoryEngine) -> None:
    token = "xoxb-" + "123456789012-" * 2 + "aB3dE5gH7jK9mN1pQ3sT5vX7"
    await remember(engine, f"Nora Quist works at Acme Robotics and posts with {token}.")

    related = await engine.get_related("Nora Quist")

    assert {each.entity.name for each in related.relations} == {"Acme Robotics"}


@pytest.mark.parametrize(
    ("asked", "name"),
    [("Dr. Watson", "Watson"), ("Doctor Watson", "Watson"), ("Captain Ahab", "Ahab")],
)
async def test_a_person_is_found_with_the_title_that_the_text_has(
    engine: MemoryEngine, asked: str, name: str
) -> None:
    await remember(engine, "Dr. Watson works at Siemens. Captain Ahab lives in Nantucket.")

    titled, bare = await engine.get_related(asked), await engine.get_related(name)

    assert titled.entity is not None
    assert titled.entity == bare.entity


@pytest.mark.parametrize(("limit", "depth"), [(1, 2), (2, 5), (4, 3)])
async def test_a_small_answer_to_a_long_walk_tells_what_is_nearest(
    engine: MemoryEngine, limit: int, depth: int
) -> None:
    await remember(engine, "Anna Petrova works at Siemens. Anna Petrova lives in Berlin.")
    await remember(engine, "Anna Petrova speaks German. Anna Petrova likes tea.")
    await remember(engine, "Siemens is based in Munich. Berlin is the capital of Germany.")

    near = await engine.get_related("Anna Petrova", limit=limit)
    far = await engine.get_related("Anna Petrova", depth=depth, limit=limit)

    assert [each.path for each in far.relations] == [each.path for each in near.relations]
    assert len(near.relations) == limit


@pytest.mark.parametrize("limit", [5, 10, 12, 20, 30])
async def test_a_longer_walk_comes_as_far_as_a_shorter_one_and_meets_nobody_again(
    engine: MemoryEngine, limit: int
) -> None:
    friends = [f"Ben {letter}ole" for letter in "BCDFGHKLMNPRSTV"]
    for number, name in enumerate(friends):
        town = ("Bergen", "Oslo", "Rome")[number % 3]
        boss = friends[(number + 3) % len(friends)]
        await engine.add_memory(f"Anna Berg knows {name}. Anna Berg works with {name}.")
        await engine.add_memory(f"{name} lives in {town}. {name} works at Acme {number} Labs.")
        await engine.add_memory(f"{boss} manages {name}.")
    await settle(engine)

    farthest = []
    for depth in range(1, 6):
        related = await engine.get_related("Anna Berg", depth=depth, limit=limit)
        reached = {(each.entity.id, each.depth) for each in related.relations}
        assert len({entity for entity, _ in reached}) == len(reached)
        farthest.append(max(each.depth for each in related.relations))

    assert farthest == sorted(farthest)
    assert farthest[1] == 2 or limit < 10
