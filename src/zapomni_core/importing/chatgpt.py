"""Read the data export of ChatGPT: conversations.json or its numbered pieces, as of 2026."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from zapomni_core.importing.chat import Conversation, Turn, branch_to, remember_turns
from zapomni_core.importing.items import leave_out, reject
from zapomni_core.importing.json_stream import ByteStream, read_elements
from zapomni_core.importing.models import Extra, ImportedItem, ImportKind, Skipped
from zapomni_core.importing.values import as_list, as_object, as_text, iso_of, label

__all__ = ["WANTED", "read_chatgpt"]

WANTED = re.compile(r"(^|/)conversations(-\d+)?\.json$")
_REASONING = frozenset({"thoughts", "reasoning_recap"})
_SYSTEM = frozenset({"user_editable_context", "model_editable_context"})
_DIALOGUE = frozenset({"text", "multimodal_text"})
# Citations and widgets stand in the text between characters of the private use area.
_MARKS = re.compile("\ue200[^\ue200\ue201]*\ue201")


def read_chatgpt(
    stream: ByteStream, name: str, include: frozenset[Extra]
) -> Iterator[ImportedItem]:
    """Read conversations, each on the branch that the person saw last."""
    for value in read_elements(stream, name):
        if isinstance(value, Skipped):
            yield value
        elif isinstance(value.data, dict) and isinstance(value.data.get("mapping"), dict):
            yield from _read_conversation(value.data, value.where, include)
        else:
            yield reject("not a conversation", value.where)


def _read_conversation(
    data: dict[str, object], where: str, include: frozenset[Extra]
) -> Iterator[ImportedItem]:
    name = label(data.get("conversation_id")) or label(data.get("id"))
    metadata = {
        "conversation_id": name,
        "title": label(data.get("title")),
        "project_id": label(data.get("gizmo_id")),
    }
    conversation = Conversation(ImportKind.CHATGPT, metadata, data.get("create_time"))
    tree = _Tree(name or "", as_object(data["mapping"]), f"{where}, conversation {name}")
    yield from remember_turns(conversation, tree.turns(as_text(data.get("current_node"))), include)


@dataclass(frozen=True, slots=True)
class _Tree:
    conversation: str
    nodes: dict[str, object]
    where: str

    def turns(self, current: str | None) -> Iterator[Turn | Skipped]:
        parents = {key: as_text(as_object(node).get("parent")) for key, node in self.nodes.items()}
        branch, is_cycle = branch_to(self._leaf(current), parents)
        if is_cycle:
            yield reject("the messages follow each other in a circle", self.where)
        for key in branch:
            yield from self._node_turns(key, frozenset())
        aside = dict.fromkeys(self.nodes)
        for key in branch:
            del aside[key]
        for key in aside:
            yield from self._node_turns(key, frozenset({Extra.BRANCHES}))

    def _leaf(self, current: str | None) -> str:
        if current in self.nodes:
            return current or ""
        leaves = (key for key, node in self.nodes.items() if not as_object(node).get("children"))
        return max(leaves, key=self._time, default="")

    def _time(self, key: str) -> str:
        message = as_object(as_object(self.nodes[key]).get("message"))
        return iso_of(message.get("create_time")) or ""

    def _node_turns(self, key: str, extras: frozenset[Extra]) -> Iterator[Turn | Skipped]:
        where = f"{self.where}, message {key}"
        node = self.nodes[key]
        if not isinstance(node, dict):
            yield reject("not a message", where)
        elif isinstance(node.get("message"), dict):
            yield self._turn(key, as_object(node["message"]), extras, where)
        elif node.get("message") is not None:
            yield reject("not a message", where)

    def _turn(
        self, key: str, message: dict[str, object], extras: frozenset[Extra], where: str
    ) -> Turn | Skipped:
        content = as_object(message.get("content"))
        text, binary = _content_text(content)
        extra = _extra_of(message, content)
        if not text and binary and not extra:
            return leave_out("a picture, sound or file without text", where)
        author = as_object(message.get("author"))
        return Turn(
            (self.conversation, key),
            label(author.get("role")),
            text,
            message.get("create_time"),
            where,
            extras | ({extra} if extra else set()),
            {
                "message_id": label(message.get("id")) or label(key),
                "model": label(as_object(message.get("metadata")).get("model_slug")),
                "tool": label(author.get("name")),
                "without": binary,
            },
        )


def _extra_of(message: dict[str, object], content: dict[str, object]) -> Extra | None:
    role = label(as_object(message.get("author")).get("role"))
    about = as_object(message.get("metadata"))
    kind = label(content.get("content_type"))
    if kind in _REASONING or message.get("channel") == "analysis":
        return Extra.REASONING
    if role == "tool" or (role == "assistant" and message.get("recipient", "all") != "all"):
        return Extra.TOOLS
    is_hidden = about.get("is_visually_hidden_from_conversation") is True
    if role not in {"user", "assistant"} or kind in _SYSTEM or is_hidden:
        return Extra.SYSTEM if role is not None else None
    return None if kind in _DIALOGUE else Extra.TOOLS


def _content_text(content: dict[str, object]) -> tuple[str, list[str]]:
    """Return what can be read, and the kinds of what cannot."""
    texts: list[str] = []
    binary: list[str] = []
    for part in as_list(content.get("parts")):
        about = as_object(part)
        text = as_text(part) or as_text(about.get("text"))
        if text:
            texts.append(text)
        elif about:
            binary.append(label(about.get("content_type")) or "unknown")
    for thought in as_list(content.get("thoughts")):
        texts.extend(filter(None, (as_text(as_object(thought).get(n)) for n in _THOUGHT)))
    texts.extend(filter(None, (as_text(content.get(name)) for name in _OTHER_TEXTS)))
    return _MARKS.sub("", "\n\n".join(texts)), binary


_THOUGHT = ("summary", "content")
_OTHER_TEXTS = ("text", "result", "content", "user_profile", "user_instructions")
