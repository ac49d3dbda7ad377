"""Reading survives what no program would write, and tells the same story each time."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.zapomni_core.importing.exports import (
    CODEX_META,
    chatgpt_conversation,
    chatgpt_node,
    claude_code_record,
    claude_conversation,
    claude_message,
    codex_message,
    faults_in,
    memories_in,
    write_json,
    write_lines,
)
from zapomni_core.errors import ValidationError
from zapomni_core.importing import (
    Extra,
    ImportedMemory,
    ImportKind,
    Skipped,
    detect,
    found_on_this_machine,
    json_stream,
    read_export,
)
from zapomni_core.importing.json_stream import Value, read_elements
from zapomni_core.validation import parse_metadata, parse_text

SAMPLES: dict[ImportKind, Any] = {
    ImportKind.CHATGPT: [
        chatgpt_conversation(
            chatgpt_node("q", "root", "user", "One"),
            chatgpt_node("a", "q", "assistant", "Two"),
            current="a",
        )
    ],
    ImportKind.CLAUDE: [
        claude_conversation(claude_message("m", "human", "One", parent_message_uuid="r")),
        {"uuid": "p", "docs": [{"uuid": "d", "content": "Three"}], "prompt_template": "x"},
        {"conversations_memory": "Four", "project_memories": {"p": "Five"}},
    ],
    ImportKind.CLAUDE_CODE: [
        claude_code_record("u", "user", "One"),
        claude_code_record("v", "assistant", [{"type": "text", "text": "Two"}]),
    ],
    ImportKind.CODEX: [CODEX_META, codex_message("user", "One")],
    ImportKind.MCP_MEMORY: [
        {"type": "entity", "name": "A", "entityType": "b", "observations": ["One"]},
        {"type": "relation", "from": "A", "to": "B", "relationType": "knows"},
    ],
    ImportKind.MEM0: [{"id": "1", "memory": "One", "metadata": {"a": 1}, "categories": ["x"]}],
}
EVERYTHING = frozenset(Extra)
HOSTILE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(st.characters(codec=None, categories=None), max_size=8)
    | st.sampled_from(["", "\0", "\ud800", "9999-12-31T23:59:59-10:00", "x" * 2000, "text"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


def write_sample(folder: Path, kind: ImportKind, values: list[Any]) -> Path:
    is_lines = kind in {ImportKind.CLAUDE_CODE, ImportKind.CODEX, ImportKind.MCP_MEMORY}
    if is_lines:
        return write_lines(folder / "rollout-a.jsonl", values)
    return write_json(folder / "conversations.json", values)


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if not isinstance(value, dict | list):
        return [path]
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    return [path, *(place for key, each in steps for place in places_in(each, (*path, key)))]


def changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    copy = json.loads(json.dumps(value))
    if not place:
        return new
    inner = copy
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = new
    return copy


@pytest.mark.parametrize("kind", SAMPLES)
def test_each_kind_is_recognized_by_its_content(tmp_path: Path, kind: ImportKind) -> None:
    assert detect(write_sample(tmp_path, kind, SAMPLES[kind])) is kind


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_same_export_gives_the_same_ids_once_each(tmp_path: Path, kind: ImportKind) -> None:
    path = write_sample(tmp_path, kind, SAMPLES[kind] * 2)

    ids = [memory.external_id for memory in memories_in(path)]

    assert ids
    assert len(ids) == len(set(ids))
    assert ids == [memory.external_id for memory in memories_in(path, kind)]


@pytest.mark.parametrize("kind", SAMPLES)
@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_hostile_values_become_storable_memories_or_reports(
    tmp_path: Path, kind: ImportKind, data: st.DataObject
) -> None:
    values = SAMPLES[kind]
    places = [place for place in places_in(values) if place]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(places))
        try:
            values = changed(values, place, data.draw(HOSTILE))
        except (KeyError, IndexError, TypeError):
            continue
    path = write_sample(tmp_path, kind, values)

    for item in read_export(path, kind, EVERYTHING):
        if isinstance(item, ImportedMemory):
            parse_text(item.text)
            parse_metadata(item.metadata)
        else:
            item.where.encode()
    detect(path)


@pytest.mark.parametrize("kind", ImportKind)
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(content=st.binary(max_size=200) | st.text('[]{}",:\\ \n-#a1').map(str.encode))
def test_no_bytes_break_the_reading(tmp_path: Path, kind: ImportKind, content: bytes) -> None:
    path = tmp_path / "export"
    path.write_bytes(content)

    for item in read_export(path, kind, EVERYTHING):
        assert isinstance(item, ImportedMemory | Skipped)
    detect(path)


@settings(max_examples=40, deadline=None)
@given(values=st.lists(st.dictionaries(st.text(), st.text() | st.lists(st.text())), max_size=5))
def test_elements_come_out_as_they_went_in(values: list[object]) -> None:
    content = json.dumps(values, indent=1).encode()

    found = list(read_elements(_Slow(content), "x"))

    assert [value.data for value in found if isinstance(value, Value)] == values
    assert len(found) == len(values)


# A larger one is read as a float.
_NUMBERS = st.integers(-(2**63), 2**63)


@settings(max_examples=40, deadline=None)
@given(
    values=st.lists(st.dictionaries(st.text(), st.lists(_NUMBERS)), min_size=1, max_size=4),
    data=st.data(),
)
def test_an_array_that_is_cut_off_is_reported(values: list[object], data: st.DataObject) -> None:
    content = json.dumps(values).encode()
    end = data.draw(st.integers(0, len(content) - 1))

    found = list(read_elements(BytesIO(content[:end]), "x"))

    assert isinstance(found[-1], Skipped)
    whole = [value.data for value in found if isinstance(value, Value)]
    assert whole == values[: len(whole)]


class _Slow(BytesIO):
    """Hand out a few bytes at a time, so that every border is crossed."""

    def read(self, size: int | None = -1, /) -> bytes:
        del size
        return super().read(7)


def test_deep_nesting_costs_only_the_item(tmp_path: Path) -> None:
    talk = json.dumps(SAMPLES[ImportKind.CHATGPT][0])
    deep = '{"mapping": ' + "[" * 20_000 + "]" * 20_000 + "}"
    path = tmp_path / "conversations.json"
    path.write_text(f"[{deep}, {talk}]")

    assert len(memories_in(path)) == 2
    assert len(faults_in(path)) == 1


def test_a_text_beyond_the_limit_is_reported(tmp_path: Path) -> None:
    long = chatgpt_node("q", "root", "user", "a" * 10_000_001)
    path = write_json(tmp_path / "c.json", [chatgpt_conversation(long, current="q")])

    assert memories_in(path) == []
    assert [fault.reason for fault in faults_in(path)] == ["longer than 10,000,000 characters"]


@pytest.mark.parametrize("name", ["memory.json", "memory.jsonl"])
def test_an_item_beyond_the_limit_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(json_stream, "_MAX_ITEM_BYTES", 1000)
    first, second = SAMPLES[ImportKind.MCP_MEMORY]
    large = first | {"observations": ["x" * 3_000_000]}
    write = write_json if name.endswith(".json") else write_lines
    path = write(tmp_path / name, [first, large, second])

    assert memories_in(path, ImportKind.MCP_MEMORY)[0].text == "A (b): One"
    assert "an item is larger" in faults_in(path, ImportKind.MCP_MEMORY)[0].reason


def test_an_archive_that_expands_too_much_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * (20 << 20) + b"]")

    faults = faults_in(path, ImportKind.CHATGPT)

    assert [fault.reason for fault in faults] == [
        "the archive expands too much and was not read further"
    ]


def test_a_damaged_archive_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps(SAMPLES[ImportKind.CHATGPT]))
    content = path.read_bytes()
    path.write_bytes(content.replace(b"Two", b"Six"))

    assert [fault.reason for fault in faults_in(path, ImportKind.CHATGPT)] == [
        "the archive is damaged"
    ]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    secret = write_json(tmp_path / "secret.json", SAMPLES[ImportKind.CHATGPT])
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "conversations.json").symlink_to(secret)

    assert memories_in(tmp_path / "export", ImportKind.CHATGPT) == []


@pytest.mark.parametrize("make", [lambda path: path, lambda path: write_json(path, {"a": 1})])
def test_what_is_no_export_is_refused_at_once(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    with pytest.raises(ValidationError):
        read_export(make(tmp_path / "nothing.json"))


def test_sessions_on_this_machine_are_found_by_name(tmp_path: Path) -> None:
    write_lines(tmp_path / ".claude" / "projects" / "shop" / "s1.jsonl", [{}])
    write_lines(tmp_path / "cx" / "sessions" / "2026" / "01" / "02" / "rollout-a.jsonl", [{}])
    memory = write_lines(tmp_path / "memory.jsonl", [{}, {}])
    environment = {"CODEX_HOME": str(tmp_path / "cx"), "MEMORY_FILE_PATH": "~/memory.jsonl"}

    found = found_on_this_machine(tmp_path, environment)

    assert [(each.kind, each.path, each.files, each.size_bytes) for each in found] == [
        (ImportKind.CLAUDE_CODE, tmp_path / ".claude" / "projects", 1, 3),
        (ImportKind.CODEX, tmp_path / "cx" / "sessions", 1, 3),
        (ImportKind.MCP_MEMORY, memory, 1, 6),
    ]


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    assert found_on_this_machine(tmp_path, {}) == []
