"""Read the data export of Claude: conversations, projects and memories, as of 2026."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from zapomni_core.importing.chat import Conversation, Turn, branch_to, remember_turns
from zapomni_core.importing.items import leave_out, reject, remember
from zapomni_core.importing.json_stream import ByteStream, read_elements
from zapomni_core.importing.models import Extra, ImportedItem, ImportKind, Skipped
from zapomni_core.importing.values import as_list, as_object, as_text, label

__all__ = ["WANTED", "block_extra", "block_text", "read_claude"]

WANTED = re.compile(
    r"(^|/)((conversations|projects|memories)(-\d+)?|(projects|memories)/[^/]+)\.json$"
)
_KIND = ImportKind.CLAUDE
_DIALOGUE_BLOCKS = frozenset({"text", "voice_note"})
_REASONING_BLOCKS = frozenset({"redacted_thinking", "thinking"})


def read_claude(
    stream: ByteStream, name: str, include: frozenset[Extra]
) -> Iterator[ImportedItem]:
    """Read whatever of the export a file holds."""
    for value in read_elements(stream, name):
        if isinstance(value, Skipped):
            yield value
            continue
        match value.data:
            case {"chat_messages": list()}:
                yield from _read_conversation(as_object(value.data), value.where, include)
            case {"conversations_memory": _} | {"project_memories": _}:
                yield from _read_memories(as_object(value.data), value.where)
            case {"uuid": _, "docs": _} | {"uuid": _, "prompt_template": _}:
                yield from _read_project(as_object(value.data), value.where, include)
            case _:
                yield reject("neither a conversation nor a project nor memories", value.where)


def block_extra(block: dict[str, object]) -> Extra | None:
    """Tell what a part of a message is, if it is not said by a speaker."""
    kind = str(block.get("type"))
    if kind in _DIALOGUE_BLOCKS:
        return None
    return Extra.REASONING if kind in _REASONING_BLOCKS else Extra.TOOLS


def block_text(block: dict[str, object], levels: int = 4) -> str:
    """Return the text of a part of a message, whatever its type."""
    for name in ("text", "thinking"):
        if text := as_text(block.get(name)):
            return text
    for name in ("input", "content"):
        value = block.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and levels:
            texts = (block_text(as_object(each), levels - 1) for each in value)
            return "\n".join(filter(None, texts))
        if isinstance(value, dict):
            return f"{label(block.get('name')) or ''} {_dumped(value)}".strip()
    return ""


def _dumped(value: object) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return ""


def _read_conversation(
    data: dict[str, object], where: str, include: frozenset[Extra]
) -> Iterator[ImportedItem]:
    name = label(data.get("uuid"))
    project = as_object(data.get("project"))
    metadata = {
        "conversation_id": name,
        "title": label(data.get("name")),
        "project_id": label(project.get("uuid")) or label(data.get("project_uuid")),
        "project": label(project.get("name")),
    }
    conversation = Conversation(_KIND, metadata, data.get("created_at"))
    messages = as_list(data["chat_messages"])
    on_branch = _current_branch(messages, data.get("current_leaf_message_uuid"))
    place = f"{where}, conversation {name}"
    turns = (
        turn
        for number, message in enumerate(messages)
        for turn in _message_turns(name, message, number, on_branch, place)
    )
    yield from remember_turns(conversation, turns, include)


def _current_branch(messages: list[object], leaf: object) -> set[str] | None:
    """Find the messages that the person saw last; None where nothing tells them apart."""
    parents: dict[str, str | None] = {}
    for message in map(as_object, messages):
        name, parent = as_text(message.get("uuid")), as_text(message.get("parent_message_uuid"))
        if name is None or parent is None:
            return None
        parents[name] = parent
    if not parents:
        return None
    last = leaf if isinstance(leaf, str) and leaf in parents else list(parents)[-1]
    branch, is_cycle = branch_to(last, parents)
    # The first message names a parent that no message is: so do those after a gap.
    roots = {parent for parent in parents.values() if parent not in parents}
    return None if is_cycle or len(roots) > 1 else set(branch)


def _message_turns(
    conversation: str | None,
    message: object,
    number: int,
    on_branch: set[str] | None,
    place: str,
) -> Iterator[Turn | Skipped]:
    if not isinstance(message, dict):
        yield reject("not a message", f"{place}, message {number + 1}")
        return
    name = label(message.get("uuid"))
    is_aside = on_branch is not None and message.get("uuid") not in on_branch
    yield from _Message(
        (conversation, name or number),
        message,
        frozenset({Extra.BRANCHES}) if is_aside else frozenset(),
        {"message_id": name, "files": _file_names(message)},
        f"{place}, message {name or number + 1}",
    ).turns()


@dataclass(frozen=True, slots=True)
class _Message:
    identity: tuple[str | int | None, ...]
    data: dict[str, object]
    extras: frozenset[Extra]
    metadata: dict[str, object]
    where: str

    def turns(self) -> Iterator[Turn | Skipped]:
        blocks = [as_object(block) for block in as_list(self.data.get("content"))]
        said = [block for block in blocks if not block_extra(block)]
        text = "\n\n".join(filter(None, map(block_text, said)))
        if len(said) == len(blocks):
            # Beside other blocks, this field holds a notice instead of what was said.
            text = text or as_text(self.data.get("text")) or ""
        attachments = [as_object(each) for each in as_list(self.data.get("attachments"))]
        if not text and self.metadata["files"]:
            yield leave_out("a picture, sound or file without text", self.where)
        elif text or not (blocks or attachments):
            yield self._turn(text)
        for number, block in enumerate(blocks):
            if extra := block_extra(block):
                yield self._turn(block_text(block), ("block", number), extras={extra})
        for number, attachment in enumerate(attachments):
            yield self._attachment(attachment, number)

    def _attachment(self, attachment: dict[str, object], number: int) -> Turn | Skipped:
        name = label(attachment.get("file_name"))
        text = as_text(attachment.get("extracted_content"))
        if text is None:
            return leave_out("a picture, sound or file without text", f"{self.where}, {name}")
        return self._turn(text, ("attachment", number), metadata={"file_name": name})

    def _turn(
        self,
        text: object,
        piece: tuple[str | int, ...] = (),
        extras: set[Extra] | None = None,
        metadata: dict[str, object] | None = None,
    ) -> Turn:
        return Turn(
            self.identity + piece,
            label(self.data.get("sender")),
            text,
            self.data.get("created_at"),
            self.where,
            self.extras | (extras or set()),
            self.metadata | (metadata or {}),
        )


def _file_names(message: dict[str, object]) -> list[str]:
    files = (as_object(each) for each in as_list(message.get("files")))
    return [name for each in files if (name := label(each.get("file_name")))]


def _read_project(
    data: dict[str, object], where: str, include: frozenset[Extra]
) -> Iterator[ImportedItem]:
    project = label(data.get("uuid"))
    called = label(data.get("name"))
    about = {"project_id": project, "project": called, "timestamp": data.get("created_at")}
    if description := as_text(data.get("description")):
        text = f"Project {called}: {description}"
        yield remember(_KIND, (project, "description"), text, about, where)
    if prompt := as_text(data.get("prompt_template")):
        if Extra.SYSTEM in include:
            text = f"Instructions of the project {called}: {prompt}"
            yield remember(_KIND, (project, "prompt"), text, about, where)
        else:
            yield leave_out("a system prompt or text added by the program", where)
    for number, doc in enumerate(map(as_object, as_list(data.get("docs")))):
        name, title = label(doc.get("uuid")), label(doc.get("filename"))
        time = doc.get("created_at") or data.get("created_at")
        metadata = about | {"title": title, "document_id": name, "timestamp": time}
        identity = (project, "document", name or number)
        place = f"{where}, document {title}"
        yield remember(_KIND, identity, doc.get("content"), metadata, place)


def _read_memories(data: dict[str, object], where: str) -> Iterator[ImportedItem]:
    account = label(data.get("account_uuid"))
    texts = {"": data.get("conversations_memory"), **as_object(data.get("project_memories"))}
    for project, text in texts.items():
        metadata = {
            "project_id": label(project),
            "account_id": account,
            "title": "What Claude remembered",
        }
        if text is not None:
            yield remember(_KIND, (account, "memory", project), text, metadata, where)
    if data.get("memory_files"):
        yield reject("files of memories are of an unknown form", where)
