"""The tools of the knowledge graph, as clients see them over every transport."""

import itertools
import json
import re
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.zapomni_mcp.answers import refusal, structured, text_of
from tests.zapomni_mcp.graph_calls import ask, checked, remember
from zapomni_core import Settings

pytestmark = pytest.mark.anyio

# Several transports share one memory: each test speaks of somebody else.
PEOPLE = itertools.product(
    ("Anna", "Clara", "Elena", "Maria"), ("Petrova", "Novak", "Schmidt", "Jensen")
)
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def person() -> str:
    return " ".join(next(PEOPLE))


def homes(related: dict[str, Any]) -> dict[str, str]:
    return {
        relation["entity"]["name"]: relation["status"]
        for relation in related["relations"]
        if relation["predicate"] == "lives_in"
    }


async def test_what_was_stored_is_known_by_name_with_its_sentence(
    connected: Client, person: str
) -> None:
    memory_id = await remember(connected, f"It rained. {person} works at Siemens.", "2024-01-01")

    built = await ask(connected, "build_graph")
    result = await connected.call_tool("get_related", {"entity": person.lower()})

    related = await checked(connected, "get_related", result)
    assert built["job"]["state"] == "done"
    assert (related["entity"]["name"], related["entity"]["type"]) == (person, "person")
    (fact,) = [each for each in related["relations"] if each["predicate"] == "works_at"]
    assert (fact["entity"]["name"], fact["status"]) == ("Siemens", "current")
    assert fact["evidence"] == [
        {
            "memory_id": memory_id,
            "text": f"{person} works at Siemens.",
            "source": "notes",
            "timestamp": "2024-01-01T12:00:00Z",
        }
    ]
    assert f'    "{person} works at Siemens." (2024-01-01, notes)' in text_of(result)


async def test_a_move_replaces_the_old_home_and_the_past_can_be_asked(
    connected: Client, person: str
) -> None:
    await remember(connected, f"{person} lives in Oslo.", "2021-03-01")
    await remember(connected, f"{person} lives in Madrid.", "2023-03-01")
    await ask(connected, "build_graph")

    now = await ask(connected, "get_related", entity=person)
    then = await ask(connected, "get_related", entity=person, as_of="2022-01-01")

    assert homes(now) == {"Madrid": "current", "Oslo": "superseded"}
    (old,) = [each for each in now["relations"] if each["status"] == "superseded"]
    assert "2023-03-01" in old["why"]
    assert now["as_of"] is None
    assert homes(then) == {"Oslo": "current"}
    assert then["as_of"].startswith("2022-01-01T23:59:59")


async def test_a_replacement_is_undone_by_the_id_that_is_shown_and_done_again(
    connected: Client, person: str
) -> None:
    await remember(connected, f"{person} lives in Oslo.", "2021-03-01")
    await remember(connected, f"{person} lives in Madrid.", "2023-03-01")
    await ask(connected, "build_graph")
    shown = text_of(await connected.call_tool("get_related", {"entity": person}))
    (fact_id,) = re.findall(r"lives in Oslo \[.*fact_id (\w+); superseded: ", shown)

    kept = await connected.call_tool("keep_fact", {"fact_id": fact_id})
    kept_again = await ask(connected, "keep_fact", fact_id=fact_id, keep=None)
    undone = homes(await ask(connected, "get_related", entity=person))
    released = await connected.call_tool("keep_fact", {"fact_id": fact_id, "keep": False})
    redone = homes(await ask(connected, "get_related", entity=person))

    assert await checked(connected, "keep_fact", kept) == kept_again
    assert kept_again == {
        "status": "success",
        "fact_id": fact_id,
        "is_kept": True,
        "error": None,
    }
    assert undone == {"Madrid": "current", "Oslo": "current"}
    assert (await checked(connected, "keep_fact", released))["is_kept"] is False
    assert redone == {"Madrid": "current", "Oslo": "superseded"}
    for answer in (kept, released):
        assert re.fullmatch(rf"Fact {fact_id} is [^.]+\.", text_of(answer))


async def test_an_unknown_fact_is_refused_with_the_tool_that_shows_ids(client: Client) -> None:
    for keep in (True, False):
        answer = await client.call_tool("keep_fact", {"fact_id": "0" * 32, "keep": keep})

        assert refusal(answer).startswith("Error: fact_id names no fact; get_related ")


async def test_an_unknown_name_is_answered_with_names_that_come_close(client: Client) -> None:
    await ask(client, "build_graph", text="Anna Petrova works at Siemens.")

    result = await client.call_tool("get_related", {"entity": "Ana Petrov"})

    related = await checked(client, "get_related", result)
    assert (related["entity"], related["relations"]) == (None, [])
    assert "Anna Petrova" in related["suggestions"]
    assert text_of(result).startswith("Nothing is known under that name. Names that come close: ")


async def test_a_text_is_remembered_and_read_in_one_call_and_only_once(client: Client) -> None:
    text = "Anna Petrova lives in Oslo."

    first = await ask(client, "build_graph", text=text, metadata={"source": "chat"})
    again = await ask(client, "build_graph", text=text)
    found = await client.call_tool("search_memory", {"query": text, "limit": 1})

    assert {each["name"] for each in first["entities"]} == {"Anna Petrova", "Oslo"}
    assert first["facts"] == 1
    assert (again["entities_created"], again["facts"], again["mentions"]) == (0, 0, 0)
    assert structured(found)["results"][0]["text"] == text


async def test_the_graph_is_counted(client: Client) -> None:
    before = await ask(client, "graph_status")

    built = await ask(client, "build_graph", text="Anna Petrova works at Siemens.")

    after = await ask(client, "graph_status")
    assert after["facts"] == before["facts"] + 1
    assert after["entities"] == before["entities"] + built["entities_created"]
    assert after["mentions"] == before["mentions"] + 2
    assert sum(after["entities_by_type"].values()) == after["entities"]
    assert after["memories_built"] == after["memories_total"] == before["memories_total"] + 1
    assert built["job"] in after["jobs"]
    assert "Siemens" in [each["name"] for each in after["top_entities"]]


async def test_an_export_comes_as_content_or_goes_into_the_data_folder(
    connected: Client, person: str, settings: Settings, environment: dict[str, str]
) -> None:
    await ask(connected, "build_graph", text=f"{person} works at Siemens.")

    shown = await ask(connected, "export_graph", format="json")
    written = await ask(connected, "export_graph", format="json", file_name="mine")

    path = anyio.Path(written["path"])
    assert shown["path"] is written["content"] is None
    folders = (str(settings.data_dir), environment["ZAPOMNI_DATA_DIR"])
    assert written["path"] in [f"{folder}/exports/mine.json" for folder in folders]
    assert await path.read_text("utf-8") == shown["content"]
    exported = json.loads(shown["content"])
    assert person in [each["name"] for each in exported["entities"]]
    assert len(exported["facts"]) == shown["facts"]


async def test_a_wrong_argument_is_refused_by_its_name(connected: Client) -> None:
    wrong: list[tuple[str, dict[str, object], str]] = [
        ("build_graph", {"text": " "}, "text"),
        ("build_graph", {"text": "x", "memory_ids": [UNKNOWN_ID]}, "memory_ids"),
        ("build_graph", {"memory_ids": ["not an id"]}, "memory_ids"),
        ("build_graph", {"memory_ids": UNKNOWN_ID}, "memory_ids"),
        ("build_graph", {"metadata": {"source": "chat"}}, "metadata"),
        ("build_graph", {"text": "x", "metadata": {"timestamp": "soon"}}, "metadata.timestamp"),
        ("build_graph", {"cancel_job": "no such job"}, "cancel_job"),
        ("build_graph", {"cancel_job": "no such job", "text": "x"}, "cancel_job"),
        ("get_related", {}, "entity"),
        ("get_related", {"entity": " "}, "entity"),
        ("get_related", {"entity": "x" * 1001}, "entity"),
        ("get_related", {"entity": "Anna", "depth": 6}, "depth"),
        ("get_related", {"entity": "Anna", "limit": 0}, "limit"),
        ("get_related", {"entity": "Anna", "relations": "works_at"}, "relations"),
        ("get_related", {"entity": "Anna", "as_of": "yesterday"}, "as_of"),
        ("graph_status", {"verbose": True}, "verbose"),
        ("export_graph", {"format": "xml"}, "format"),
        ("export_graph", {"file_name": "../out"}, "file_name"),
        ("export_graph", {"file_name": "/tmp/out"}, "file_name"),
        ("keep_fact", {}, "fact_id"),
        ("keep_fact", {"fact_id": " "}, "fact_id"),
        ("keep_fact", {"fact_id": None}, "fact_id"),
        ("keep_fact", {"fact_id": "not an id"}, "fact_id"),
        ("keep_fact", {"fact_id": "not an id\0"}, "fact_id"),
        ("keep_fact", {"fact_id": "a", "keep": "not an id"}, "keep"),
        ("keep_fact", {"fact_id": "a", "is_kept": True}, "is_kept"),
    ]

    for tool, arguments, field in wrong:
        sentence = refusal(await connected.call_tool(tool, arguments))

        start = f"Invalid input - {field}: " if tool == "get_related" else ""
        assert sentence.startswith(f"Error: {start}{field} ")
        assert "not an id" not in sentence


async def test_null_means_the_default(client: Client) -> None:
    await ask(client, "build_graph", text="Anna Petrova works at Siemens.")

    nothing = {"memory_ids": None, "metadata": None, "text": None, "cancel_job": None}
    built = await ask(client, "build_graph", **nothing)
    related = await ask(
        client,
        "get_related",
        entity="Anna Petrova",
        depth=None,
        limit=None,
        relations=None,
        as_of=None,
    )
    exported = await ask(client, "export_graph", format=None, file_name=None)

    assert built["job"]["state"] == "done"
    assert [each["depth"] for each in related["relations"]] == [1]
    assert exported["format"] == "json"


async def test_a_fact_is_told_from_its_subject_to_its_object_on_both_sides(
    client: Client,
) -> None:
    await ask(client, "build_graph", text="Anna Petrova works at Siemens.")
    await ask(client, "build_graph", text="Siemens is headquartered in Munich.")

    from_object = await client.call_tool("get_related", {"entity": "Siemens"})
    two_steps = await client.call_tool("get_related", {"entity": "Anna Petrova", "depth": 2})

    assert "- Anna Petrova works at Siemens [" in text_of(from_object)
    assert "- Anna Petrova works at Siemens, Siemens located in Munich [" in text_of(two_steps)
