"""ChatGPT exports become messages with speaker, time, title and position."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.zapomni_core.importing.exports import (
    chatgpt_conversation,
    chatgpt_node,
    faults_in,
    memories_in,
    reasons_in,
    texts_in,
    write_json,
)
from zapomni_core.importing import Extra, ImportKind

QUESTION = chatgpt_node("q", "root", "user", "My kettle leaks.")
ANSWER = chatgpt_node("a", "q", "assistant", "Change the seal.", metadata={"model_slug": "m-1"})


def test_each_message_keeps_its_speaker_time_conversation_and_position(tmp_path: Path) -> None:
    talk = chatgpt_conversation(QUESTION, ANSWER, current="a")

    question, answer = memories_in(write_json(tmp_path / "conversations.json", [talk]))

    assert (question.text, answer.text) == ("My kettle leaks.", "Change the seal.")
    assert answer.metadata == {
        "source": "chatgpt",
        "conversation_id": "c1",
        "title": "Kettle repair",
        "position": 1,
        "speaker": "assistant",
        "role": "assistant",
        "timestamp": "2023-11-14T22:13:20.250000+00:00",
        "message_id": "a",
        "model": "m-1",
    }
    assert question.metadata["position"] == 0


def test_only_the_branch_that_was_seen_last_is_read(tmp_path: Path) -> None:
    other = chatgpt_node("b", "q", "assistant", "Buy a new one.")
    path = write_json(
        tmp_path / "conversations.json",
        [chatgpt_conversation(QUESTION, ANSWER, other, current="b")],
    )

    assert texts_in(path) == ["My kettle leaks.", "Buy a new one."]
    assert reasons_in(path) == {"a branch that was abandoned": 1}
    assert "Change the seal." in texts_in(path, None, Extra.BRANCHES)


@pytest.mark.parametrize(
    ("node", "extra"),
    [
        (chatgpt_node("x", "a", "system", "Be kind."), Extra.SYSTEM),
        (chatgpt_node("x", "a", "tool", "42"), Extra.TOOLS),
        (chatgpt_node("x", "a", "assistant", "print(42)", recipient="python"), Extra.TOOLS),
        (
            chatgpt_node("x", "a", "user", "me", metadata={
                "is_visually_hidden_from_conversation": True}),
            Extra.SYSTEM,
        ),
        (
            chatgpt_node("x", "a", "assistant", content={
                "content_type": "thoughts", "thoughts": [{"summary": "S", "content": "T"}]}),
            Extra.REASONING,
        ),
    ],
)  # fmt: skip
def test_what_nobody_said_is_read_on_request_only(
    tmp_path: Path, node: dict[str, object], extra: Extra
) -> None:
    talk = chatgpt_conversation(QUESTION, ANSWER, node, current="x")
    path = write_json(tmp_path / "conversations.json", [talk])

    assert len(texts_in(path)) == 2
    assert len(texts_in(path, None, extra)) == 3
    assert sum(reasons_in(path).values()) == 1


def test_pictures_are_left_out_and_what_was_spoken_is_kept(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f"}
    spoken = {"content_type": "audio_transcription", "text": "Hello there"}
    talk = chatgpt_conversation(
        chatgpt_node("p", "root", "user", picture, content_type="multimodal_text"),
        chatgpt_node("s", "p", "user", picture, spoken, content_type="multimodal_text"),
        current="s",
    )
    path = write_json(tmp_path / "conversations.json", [talk])

    (memory,) = memories_in(path)

    assert memory.text == "Hello there"
    assert memory.metadata["without"] == ["image_asset_pointer"]
    assert reasons_in(path) == {"a picture, sound or file without text": 1}


def test_citation_marks_are_taken_out_of_the_text(tmp_path: Path) -> None:
    marked = chatgpt_node("q", "root", "assistant", "Boil it\ue200cite\ue202turn0\ue201.")
    path = write_json(tmp_path / "c.json", [chatgpt_conversation(marked, current="q")])

    assert texts_in(path) == ["Boil it."]


def test_a_circle_of_messages_ends_and_is_reported(tmp_path: Path) -> None:
    talk = chatgpt_conversation(
        chatgpt_node("q", "a", "user", "One"), chatgpt_node("a", "q", "user", "Two"), current="a"
    )
    path = write_json(tmp_path / "conversations.json", [talk])

    assert sorted(texts_in(path)) == ["One", "Two"]
    assert [fault.reason for fault in faults_in(path)] == [
        "the messages follow each other in a circle"
    ]


def test_a_message_without_a_time_takes_that_of_its_conversation(tmp_path: Path) -> None:
    node = chatgpt_node("q", "root", "user", "Old", create_time=None)
    path = write_json(tmp_path / "c.json", [chatgpt_conversation(node, current="q")])

    (memory,) = memories_in(path)

    assert memory.metadata["timestamp"] == "2023-11-14T22:13:19+00:00"
    assert memory.metadata["timestamp_of"] == "conversation"


def test_numbered_pieces_in_a_zip_are_all_read(tmp_path: Path) -> None:
    first = write_json(tmp_path / "1", [chatgpt_conversation(QUESTION, current="q")])
    second = write_json(tmp_path / "2", [chatgpt_conversation(QUESTION, current="q", name="c2")])
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(first, "conversations-000.json")
        archive.write(second, "conversations-001.json")
        archive.writestr("user.json", "{}")

    assert [memory.metadata["conversation_id"] for memory in memories_in(path)] == ["c1", "c2"]
    assert reasons_in(path) == {"a file that holds no messages or notes": 1}


def test_a_message_with_broken_unicode_costs_only_itself(tmp_path: Path) -> None:
    broken = chatgpt_node("b", "q", "user", "half \ud83d")
    nul = chatgpt_node("n", "b", "user", "nul \0")
    talk = chatgpt_conversation(QUESTION, broken, nul, current="n")
    path = write_json(tmp_path / "conversations.json", [talk])

    assert texts_in(path, ImportKind.CHATGPT) == ["My kettle leaks."]
    assert len(faults_in(path)) == 2


def test_a_broken_title_costs_no_message(tmp_path: Path) -> None:
    talk = chatgpt_conversation(QUESTION, current="q") | {"title": "a\0b\ud800"}

    (memory,) = memories_in(write_json(tmp_path / "conversations.json", [talk]))

    assert memory.metadata["title"] == "a\ufffdb\ufffd"
