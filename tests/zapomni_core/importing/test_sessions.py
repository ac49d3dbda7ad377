"""Session files of Claude Code and Codex become what people and agents said."""

from __future__ import annotations

from pathlib import Path

from tests.zapomni_core.importing.exports import (
    CODEX_META,
    claude_code_record,
    codex_message,
    memories_in,
    reasons_in,
    texts_in,
    write_lines,
)
from zapomni_core.importing import Extra, ImportKind


def test_claude_code_messages_keep_session_folder_title_and_time(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s1.jsonl",
        [
            {"type": "summary", "summary": "Fix the cart", "leafUuid": "u2"},
            claude_code_record("u1", "user", "The cart is broken."),
            claude_code_record("u2", "assistant", [{"type": "text", "text": "Fixed."}]),
        ],
    )

    first, second = memories_in(path)

    assert first.metadata == {
        "source": "claude-code",
        "session_id": "s1",
        "title": "Fix the cart",
        "position": 0,
        "speaker": "user",
        "role": "user",
        "timestamp": "2026-01-02T03:04:05.678Z",
        "message_id": "u1",
        "folder": "/home/user/shop",
        "git_branch": "main",
    }
    assert (second.text, second.metadata["position"]) == ("Fixed.", 1)


def test_a_summary_of_another_session_is_not_the_title(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s1.jsonl",
        [
            {"type": "summary", "summary": "Elsewhere", "leafUuid": "not-here"},
            claude_code_record("u1", "user", "Hello"),
        ],
    )

    (memory,) = memories_in(path)

    assert "title" not in memory.metadata


def test_the_title_that_a_person_gave_wins_wherever_it_stands(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s1.jsonl",
        [
            claude_code_record("u1", "user", "Hello"),
            {"type": "custom-title", "customTitle": "Mine", "sessionId": "s1"},
            {"type": "ai-title", "aiTitle": "Theirs", "sessionId": "s1"},
        ],
    )

    (memory,) = memories_in(path)

    assert memory.metadata["title"] == "Mine"


def test_claude_code_leaves_out_tools_thoughts_subagents_and_what_it_added(
    tmp_path: Path,
) -> None:
    path = write_lines(
        tmp_path / "s1.jsonl",
        [
            claude_code_record("u1", "user", "Hello"),
            claude_code_record("u2", "assistant", [{"type": "thinking", "thinking": "Hm"}]),
            claude_code_record("u3", "assistant", [
                {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]),
            claude_code_record("u4", "user", [{"type": "tool_result", "content": "a.txt"}]),
            claude_code_record("u5", "user", "Do this", isSidechain=True, agentId="a1"),
            claude_code_record("u6", "user", "Remember the rules", isMeta=True),
            claude_code_record("u7", "user", "<local-command-stdout>x</local-command-stdout>"),
            claude_code_record("u8", "user", "Before: …", isCompactSummary=True),
            claude_code_record("u9", "user", [{"type": "image", "source": {}}]),
            {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        ],
    )  # fmt: skip

    assert texts_in(path) == ["Hello"]
    assert reasons_in(path) == {
        "hidden reasoning": 1,
        "a tool call or its output": 2,
        "talk with a subagent": 1,
        "a system prompt or text added by the program": 2,
        "a summary of messages that are there themselves": 1,
        "a picture, sound or file without text": 1,
        "bookkeeping of the program": 1,
    }
    assert texts_in(path, None, Extra.TOOLS) == ["Hello", 'Bash {"command":"ls"}', "a.txt"]


def test_what_a_person_wrote_behind_a_command_is_kept(tmp_path: Path) -> None:
    command = "<command-name>/review</command-name><command-args>the cart page</command-args>"
    path = write_lines(tmp_path / "s1.jsonl", [claude_code_record("u1", "user", command)])

    assert texts_in(path) == ["/review the cart page"]


def test_a_message_copied_into_a_resumed_session_is_read_once(tmp_path: Path) -> None:
    message = claude_code_record("u1", "user", "Hello")
    write_lines(tmp_path / "shop" / "s1.jsonl", [message])
    write_lines(tmp_path / "shop" / "s2.jsonl", [message | {"sessionId": "s2"}])

    assert texts_in(tmp_path) == ["Hello"]
    assert reasons_in(tmp_path) == {"the same item came before": 1}


def test_codex_messages_keep_session_folder_and_time(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "rollout-2026-02-03T04-05-00-t1.jsonl",
        [
            CODEX_META,
            codex_message("developer", "Obey."),
            codex_message("user", "<environment_context>x</environment_context>"),
            codex_message("user", "The cart is broken."),
            {"timestamp": "2026-02-03T04:05:07Z", "type": "event_msg",
             "payload": {"type": "user_message", "message": "The cart is broken."}},
            codex_message("assistant", "Fixed."),
        ],
    )  # fmt: skip

    first, second = memories_in(path)

    assert first.metadata == {
        "source": "codex",
        "session_id": "t1",
        "folder": "/home/user/shop",
        "git_branch": "main",
        "position": 0,
        "speaker": "user",
        "role": "user",
        "timestamp": "2026-02-03T04:05:06.789Z",
    }
    assert second.text == "Fixed."
    assert reasons_in(path) == {
        "bookkeeping of the program": 2,
        "a system prompt or text added by the program": 2,
    }


def test_codex_tools_and_thoughts_are_read_on_request_only(tmp_path: Path) -> None:
    items = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look first"}]},
        {"type": "function_call", "name": "shell", "arguments": "ls", "call_id": "1"},
        {"type": "function_call_output", "call_id": "1", "output": "a.txt"},
    ]
    lines = [{"timestamp": "2026-02-03T04:05:07Z", "type": "response_item", "payload": item}
             for item in items]  # fmt: skip
    path = write_lines(tmp_path / "rollout-a.jsonl", [CODEX_META, *lines])

    assert texts_in(path) == []
    assert texts_in(path, None, Extra.TOOLS, Extra.REASONING) == [
        "Look first",
        "shell ls",
        "a.txt",
    ]


def test_the_same_words_said_twice_to_codex_are_two_memories(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "rollout-a.jsonl",
        [CODEX_META, codex_message("user", "go on"), codex_message("user", "go on")],
    )

    assert len({memory.external_id for memory in memories_in(path)}) == 2


def test_lines_of_early_codex_versions_are_read_too(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "rollout-old.jsonl",
        [
            {"id": "t0", "timestamp": "2025-06-01T00:00:00Z", "instructions": None},
            codex_message("user", "Hello")["payload"],
        ],
    )

    (memory,) = memories_in(path)

    assert (memory.text, memory.metadata["session_id"]) == ("Hello", "t0")


def test_a_compressed_codex_session_is_reported_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "rollout-a.jsonl.zst").write_bytes(b"(\xb5/\xfd")

    assert any("zstd -d" in reason for reason in reasons_in(tmp_path, ImportKind.CODEX))
