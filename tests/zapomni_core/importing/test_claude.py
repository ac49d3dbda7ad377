"""Claude exports become messages, attachments, documents of projects and memories."""

from __future__ import annotations

from pathlib import Path

from tests.zapomni_core.importing.exports import (
    claude_conversation,
    claude_message,
    memories_in,
    reasons_in,
    texts_in,
    write_json,
)
from zapomni_core.importing import Extra, detect


def test_each_message_keeps_its_speaker_time_and_conversation(tmp_path: Path) -> None:
    talk = claude_conversation(
        claude_message("m1", "human", "Where do beans grow?"),
        claude_message("m2", "assistant", "In the sun."),
    )

    first, second = memories_in(write_json(tmp_path / "conversations.json", [talk]))

    assert first.metadata == {
        "source": "claude",
        "conversation_id": "k1",
        "title": "Garden plan",
        "position": 0,
        "speaker": "human",
        "role": "user",
        "timestamp": "2025-05-04T10:00:00.123456Z",
        "message_id": "m1",
    }
    assert second.text == "In the sun."


def test_thoughts_and_tools_are_read_on_request_only(tmp_path: Path) -> None:
    content = [
        {"type": "thinking", "thinking": "They ask about beans."},
        {"type": "tool_use", "name": "look_up", "input": {"plant": "bean"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "Full sun"}]},
        {"type": "text", "text": "In the sun."},
    ]
    message = claude_message("m1", "assistant", "This block is not supported.", content=content)
    path = write_json(tmp_path / "conversations.json", [claude_conversation(message)])

    assert texts_in(path) == ["In the sun."]
    assert reasons_in(path) == {"hidden reasoning": 1, "a tool call or its output": 2}
    assert texts_in(path, None, Extra.REASONING, Extra.TOOLS) == [
        "In the sun.",
        "They ask about beans.",
        'look_up {"plant":"bean"}',
        "Full sun",
    ]


def test_the_text_of_an_attachment_is_a_memory_with_its_name(tmp_path: Path) -> None:
    attachment = {"file_name": "beds.txt", "extracted_content": "Bed one: beans"}
    message = claude_message("m1", "human", "See this.", attachments=[attachment])

    said, attached = memories_in(write_json(tmp_path / "c.json", [claude_conversation(message)]))

    assert said.text == "See this."
    assert (attached.text, attached.metadata["file_name"]) == ("Bed one: beans", "beds.txt")


def test_a_message_that_was_edited_away_is_left_out(tmp_path: Path) -> None:
    root = "00000000-0000-4000-8000-000000000000"
    talk = claude_conversation(
        claude_message("m1", "human", "First try", parent_message_uuid=root),
        claude_message("m2", "human", "Second try", parent_message_uuid=root),
        claude_message("m3", "assistant", "Yes", parent_message_uuid="m2"),
    )
    path = write_json(tmp_path / "conversations.json", [talk])

    assert texts_in(path) == ["Second try", "Yes"]
    assert reasons_in(path) == {"a branch that was abandoned": 1}


def test_projects_and_memories_of_the_export_are_read(tmp_path: Path) -> None:
    project = {
        "uuid": "p1",
        "name": "Garden",
        "description": "Plan of the beds",
        "prompt_template": "Answer shortly.",
        "created_at": "2025-01-01T00:00:00+02:00",
        "docs": [{"uuid": "d1", "filename": "soil.md", "content": "Clay"}],
    }
    memories = [
        {
            "conversations_memory": "Likes beans.",
            "project_memories": {"p1": "Beds face south."},
            "account_uuid": "a1",
        }
    ]
    write_json(tmp_path / "projects" / "p1.json", project)
    write_json(tmp_path / "memories.json", memories)

    found = memories_in(tmp_path)

    assert [memory.text for memory in found] == [
        "Likes beans.",
        "Beds face south.",
        "Project Garden: Plan of the beds",
        "Clay",
    ]
    assert found[3].metadata["timestamp"] == "2025-01-01T00:00:00+02:00"
    assert reasons_in(tmp_path) == {"a system prompt or text added by the program": 1}
    assert detect(tmp_path) == "claude"
