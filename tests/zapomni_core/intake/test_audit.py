"""An audit counts junk of every kind, and shows no text."""

import dataclasses
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.folders import direct_client, keyspace_of
from zapomni_core import MemoryEngine, Settings
from zapomni_core.intake import Audit, AuditFinding
from zapomni_core.intake.junk import is_recalled, is_too_short, same_text, same_words

LONG = "The ferry to the island leaves at seven in the morning, every day but Sunday."
WORDS = st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=5, max_size=20)


def found(audit: Audit) -> dict[str, AuditFinding]:
    return {each.kind: each for each in audit.findings if each.count}


@pytest.mark.anyio
async def test_a_tidy_memory_has_no_junk(quick: MemoryEngine) -> None:
    await quick.add_memory("Maria likes green tea.", {"source": "user"})
    await quick.add_memory("Lena plays the violin.", {"source": "user"})

    audit = await quick.audit()

    assert (audit.memories, found(audit)) == (2, {})


@pytest.mark.anyio
async def test_each_kind_of_junk_is_counted(quick: MemoryEngine, settings: Settings) -> None:
    notes = {"source": "notes"}
    await quick.add_memory(LONG, notes)
    copy = await quick.add_memory(LONG, {"source": "mail"})
    near = await quick.add_memory(LONG.upper().replace(",", ""), notes)
    short = await quick.add_memory("ok", notes)
    answer = await quick.add_memory(
        "Found 1 results:\n\n1. [Score: 0.83]\nMaria likes tea.", notes
    )
    bare = await quick.add_memory("The key to the shed hangs behind the door.")
    brief = await quick.add_memory("The shop has a sale this week only.", notes | {"ttl": "P1D"})
    leak = await quick.add_memory("Their word of entry was once changed.", notes)
    past = round(datetime(2020, 1, 1, tzinfo=UTC).timestamp() * 1000)
    change(settings, brief.memory_id, "m.expires = $value", past)
    change(settings, leak.memory_id, "c.text = $value", "The password is correct-horse-9.")

    audit = await quick.audit()

    kinds = found(audit)
    expected = {
        "repeated": copy,
        "near_duplicates": near,
        "too_short": short,
        "recalled": answer,
        "without_source": bare,
        "expired": brief,
        "secrets": leak,
    }
    assert {kind: each.examples for kind, each in kinds.items()} == {
        kind: (memory.memory_id,) for kind, memory in expected.items()
    }
    assert audit.memories == 8
    assert "ferry" not in str(dataclasses.asdict(audit))


@pytest.mark.anyio
async def test_a_memory_that_was_written_twice_is_a_duplicate(
    quick: MemoryEngine, settings: Settings
) -> None:
    first = await quick.add_memory("Maria likes green tea.", {"source": "user"})
    second = await quick.add_memory("Lena plays the violin.", {"source": "user"})
    with direct_client(settings.data_dir) as client:
        query = "MATCH (a:Memory), (b:Memory) WHERE a.id <> b.id SET b.hash = 'one'"
        client.execute_command("GRAPH.QUERY", keyspace_of(settings).graph, query)

    kinds = found(await quick.audit())

    assert kinds.keys() == {"duplicates"}
    assert kinds["duplicates"].count == 1
    assert set(kinds["duplicates"].examples) < {first.memory_id, second.memory_id}


def change(settings: Settings, memory_id: str, what: str, value: str | int) -> None:
    """Change a memory behind the engine's back."""
    written = f"'{value}'" if isinstance(value, str) else value
    query = (
        f"CYPHER id='{memory_id.replace('-', '')}' value={written} "
        f"MATCH (m:Memory {{id: $id}})-[:HAS]->(c:Chunk) SET {what}"
    )
    with direct_client(settings.data_dir) as client:
        client.execute_command("GRAPH.QUERY", keyspace_of(settings).graph, query)


@given(WORDS, st.randoms())
def test_order_case_and_punctuation_make_no_other_words(words: list[str], chance: object) -> None:
    assert hasattr(chance, "shuffle")
    shuffled = list(words)
    chance.shuffle(shuffled)

    assert same_words(" ".join(words)) == same_words(", ".join(shuffled).upper())
    assert same_words(" ".join(words)) != same_words(" ".join([*words, "another"]))


@given(st.text(min_size=1))
def test_a_copy_may_differ_in_white_space_only(text: str) -> None:
    long = f"{text} {'and so on ' * 6}"

    assert same_text(long) == same_text(f"  {long}\n") is not None
    assert same_text(long) != same_text(f"x{long}")


@given(st.text(max_size=7))
def test_few_characters_are_too_short(text: str) -> None:
    assert is_too_short(text)
    assert same_text(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "1. [Score: 0.83]\nMaria likes tea.",
        '{"results": [{"memory_id": "3b8b3a95-d560-4d17-af57-42d1bb8b876a", "text": "x"}]}',
        "Memory stored successfully.\nID: 3b8b3a95-d560-4d17-af57-42d1bb8b876a",
    ],
)
def test_answers_of_a_memory_are_known_again(text: str) -> None:
    assert is_recalled(text)
    assert not is_recalled(f"The tool answered: {text}")
