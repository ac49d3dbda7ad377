"""What other programs have exported comes in once, with its dates and speakers."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.zapomni_core.importing.exports import (
    chatgpt_conversation,
    chatgpt_node,
    claude_code_record,
    claude_conversation,
    claude_message,
    codex_message,
    write_json,
    write_lines,
)
from zapomni_core import MemoryEngine, ValidationError
from zapomni_core.importing import Extra, ImportKind

pytestmark = pytest.mark.anyio


def chatgpt(folder: Path, count: int = 2) -> Path:
    nodes = []
    parent = "root"
    for number in range(count):
        role = ("user", "assistant")[number % 2]
        text = f"Message {number} about the kettle"
        nodes.append(chatgpt_node(f"m{number}", parent, role, text))
        parent = f"m{number}"
    conversation = chatgpt_conversation(*nodes, current=parent)
    return write_json(folder / "conversations.json", [conversation])


def memory_file(folder: Path) -> Path:
    entity = {
        "type": "entity",
        "name": "Ada",
        "entityType": "person",
        "observations": ["Ada likes tea.", "Ada lives in Lisbon."],
    }
    relation = {"type": "relation", "from": "Ada", "to": "Lena", "relationType": "knows"}
    return write_lines(folder / "memory.jsonl", [entity, relation])


def mem0_file(folder: Path, *texts: str) -> Path:
    given = [{"id": f"m{n}", "memory": text} for n, text in enumerate(texts)]
    return write_json(folder / "mem0.json", {"results": given})


def export_of(kind: ImportKind, folder: Path) -> Path:
    match kind:
        case ImportKind.CHATGPT:
            return chatgpt(folder)
        case ImportKind.CLAUDE:
            messages = [
                claude_message("a", "human", "Plant beans."),
                claude_message("b", "assistant", "Yes."),
            ]
            return write_json(folder / "conversations.json", [claude_conversation(*messages)])
        case ImportKind.CLAUDE_CODE:
            records = [
                claude_code_record("a", "user", "Fix the bug."),
                claude_code_record("b", "assistant", "Done."),
            ]
            return write_lines(folder / "session.jsonl", records)
        case ImportKind.CODEX:
            meta = {
                "timestamp": "2026-02-03T04:05:06Z",
                "type": "session_meta",
                "payload": {"id": "s1"},
            }
            lines = [
                meta,
                codex_message("user", "Run the tests."),
                codex_message("assistant", "All green."),
            ]
            return write_lines(folder / "rollout-2026.jsonl", lines)
        case ImportKind.MCP_MEMORY:
            return memory_file(folder)
        case ImportKind.MEM0:
            return mem0_file(folder, "Likes tea.", "Lives in Lisbon.")
        case ImportKind.BASIC_MEMORY:
            head = "---\ntitle: Tea\npermalink: tea\ntype: note\n---\n\n"
            (folder / "tea.md").write_text(f"{head}# Tea\n\n- [fact] Green tea is best #tea\n")
            return folder


async def memories(engine: MemoryEngine) -> list[dict[str, Any]]:
    page = await engine.list_memories(order="first_added", limit=100)
    return [{"text": each.text, "at": each.timestamp, **each.metadata} for each in page.memories]


@pytest.mark.parametrize("kind", list(ImportKind))
async def test_every_kind_comes_in_once(
    quick: MemoryEngine, folder: Path, kind: ImportKind
) -> None:
    path = export_of(kind, folder)

    first = await quick.import_export(path)
    before = await memories(quick)
    again = await quick.import_export(path)

    assert first.job.state == again.job.state == "done"
    assert (first.kind, first.failed) == (kind, 0)
    assert first.added == first.memories == len(before) > 0
    assert (again.added, again.present) == (0, first.added)
    assert await memories(quick) == before
    assert {each["source"] for each in before} == {str(kind)}


async def test_dates_speakers_and_order_are_kept(quick: MemoryEngine, folder: Path) -> None:
    await quick.import_export(chatgpt(folder, 4))

    found = sorted(await memories(quick), key=lambda each: int(each["position"]))
    assert [each["text"] for each in found] == [f"Message {n} about the kettle" for n in range(4)]
    assert [each["role"] for each in found] == ["user", "assistant"] * 2
    assert all(each["at"].year == 2023 for each in found)
    assert {each["conversation_id"] for each in found} == {"c1"}


async def test_search_finds_what_was_imported(engine: MemoryEngine, folder: Path) -> None:
    await engine.import_export(memory_file(folder))

    found = await engine.search_memory("Where does Ada live?")

    assert "Lisbon" in found.results[0].text


async def test_a_dry_run_counts_and_changes_nothing(quick: MemoryEngine, folder: Path) -> None:
    path = chatgpt(folder, 10)

    rehearsed = await quick.import_export(path, is_dry_run=True)
    assert (await quick.get_stats()).total_memories == 0
    done = await quick.import_export(path)
    after = await quick.import_export(path, is_dry_run=True)

    assert (rehearsed.added, rehearsed.is_dry_run) == (done.added, True) == (10, True)
    assert (after.added, after.present) == (0, 10)


async def test_what_grows_is_added_to(quick: MemoryEngine, folder: Path) -> None:
    await quick.import_export(chatgpt(folder, 3))

    done = await quick.import_export(chatgpt(folder, 8))

    assert (done.added, done.present) == (5, 3)


async def test_a_memory_that_was_changed_meanwhile_stays_as_it_is(
    quick: MemoryEngine, folder: Path
) -> None:
    path = mem0_file(folder, "Likes tea.")
    await quick.import_export(path)
    (memory,) = (await quick.list_memories()).memories
    await quick.update_memory(memory.memory_id, "Likes coffee now.")

    done = await quick.import_export(path)

    assert done.added == 0
    assert [each["text"] for each in await memories(quick)] == ["Likes coffee now."]


async def test_the_same_text_twice_is_one_memory(quick: MemoryEngine, folder: Path) -> None:
    done = await quick.import_export(mem0_file(folder, "Likes tea.", "Likes tea.", "Is tall."))

    assert (done.memories, done.added, done.present) == (3, 2, 1)


async def test_what_cannot_be_read_is_named_and_the_rest_comes_in(
    quick: MemoryEngine, folder: Path
) -> None:
    path = folder / "memory.jsonl"
    entity = {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Tall."]}
    path.write_text(f"{json.dumps(entity)}\n{{broken\n")

    done = await quick.import_export(path)

    assert done.added > 0
    assert done.failed == done.job.failed == len(done.failures) == 1
    assert done.failures[0].where
    assert done.failures[0].reason


async def test_secrets_are_hidden(quick: MemoryEngine, folder: Path) -> None:
    secret = "ghp_" + "a1B2" * 9

    done = await quick.import_export(mem0_file(folder, f"The token is {secret}, keep it."))

    assert secret not in str(await memories(quick))
    assert done.secrets_hidden == {"GitHub token": 1}


async def test_parts_that_are_usually_left_out_can_be_included(
    quick: MemoryEngine, folder: Path
) -> None:
    path = write_json(
        folder / "conversations.json",
        [
            chatgpt_conversation(
                chatgpt_node("a", "root", "system", "Be kind."),
                chatgpt_node("b", "a", "user", "Hello there."),
                current="b",
            )
        ],
    )

    usual = await quick.import_export(path)
    more = await quick.import_export(path, include=[Extra.SYSTEM])

    assert (usual.added, sum(usual.left_out.values())) == (1, 1)
    assert more.memories == 2


async def test_what_is_no_export_is_refused(quick: MemoryEngine, folder: Path) -> None:
    strange = folder / "strange.json"
    strange.write_text('{"a": 1}')

    with pytest.raises(ValidationError, match="known kind"):
        await quick.import_export(strange)
    with pytest.raises(ValidationError, match="does not exist"):
        await quick.import_export(folder / "missing.json")


async def test_what_was_deleted_does_not_come_back(quick: MemoryEngine, folder: Path) -> None:
    path = mem0_file(folder, "Likes tea.", "Lives in Lisbon.")
    await quick.import_export(path)
    page = await quick.list_memories()
    await quick.delete_memory(page.memories[0].memory_id, confirm=True)

    again = await quick.import_export(path)

    assert (again.added, again.present, again.left_out) == (0, 1, {"deleted before": 1})
    assert (await quick.list_memories()).total == 1
