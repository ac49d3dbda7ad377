"""Read session files of the Codex CLI, ~/.codex/sessions/**/rollout-*.jsonl, as of August 2026."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from zapomni_core.importing.chat import Conversation, Turn, remember_turns
from zapomni_core.importing.claude import block_text
from zapomni_core.importing.items import leave_out, reject
from zapomni_core.importing.json_stream import Value, read_lines
from zapomni_core.importing.models import Extra, ImportedItem, ImportKind, Skipped
from zapomni_core.importing.parts import Part
from zapomni_core.importing.values import as_list, as_object, as_text, label

__all__ = ["WANTED", "read_codex"]

WANTED = re.compile(r"(^|/)rollout-[^/]+\.jsonl(\.zst)?$")
_ADDED = re.compile(
    r"\s*(# AGENTS\.md instructions|<(INSTRUCTIONS|apps_instructions|collaboration_mode"
    r"|context_window\w*|current_time_reminder|environments?_\w+|hook_prompt|image_resize_notice"
    r"|model_switch|multi_agent_\w+|permissions instructions|personality_spec"
    r"|plugins_instructions|recommended_plugins|skill|skills_instructions|startup_context"
    r"|subagent_notification|tools|turn_aborted|user_instructions|user_shell_command)\b)"
)
_ITEM_TYPES = {
    "agent_message": Extra.SUBAGENTS,
    "custom_tool_call": Extra.TOOLS,
    "custom_tool_call_output": Extra.TOOLS,
    "function_call": Extra.TOOLS,
    "function_call_output": Extra.TOOLS,
    "image_generation_call": Extra.TOOLS,
    "local_shell_call": Extra.TOOLS,
    "reasoning": Extra.REASONING,
    "tool_search_call": Extra.TOOLS,
    "tool_search_output": Extra.TOOLS,
    "web_search_call": Extra.TOOLS,
}
_SUMMARIES = frozenset({"compacted", "compaction", "context_compaction"})
_TEXT_FIELDS = ("arguments", "input", "output")


def read_codex(part: Part, include: frozenset[Extra]) -> Iterator[ImportedItem]:
    """Read the messages of one session."""
    if part.name.endswith(".zst"):
        yield reject("compressed with Zstandard; unpack it with `zstd -d` first", part.name)
        return
    session = _Session()
    conversation = Conversation(ImportKind.CODEX, session.metadata)
    with part.open() as stream:
        turns = (turn for value in read_lines(stream, part.name) for turn in session.turns(value))
        yield from remember_turns(conversation, turns, include)


@dataclass(slots=True)
class _Session:
    """What the first lines of a file say about all that follow."""

    metadata: dict[str, object] = field(default_factory=dict)
    is_subagent: bool = False
    repeats: dict[int, int] = field(default_factory=dict)

    def turns(self, value: Value | Skipped) -> Iterator[Turn | Skipped]:
        if isinstance(value, Skipped):
            yield value
            return
        record = as_object(value.data)
        # Until the middle of 2025 an item was a line of its own, without a time.
        is_wrapped = isinstance(record.get("payload"), dict)
        item = as_object(record["payload"]) if is_wrapped else record
        kind = str(record.get("type") if is_wrapped else item.get("type", "session_meta"))
        if not record:
            yield reject("not a record of a session", value.where)
        elif kind == "session_meta":
            self._begin(item)
            yield leave_out("bookkeeping of the program", value.where)
        elif kind in _SUMMARIES or str(item.get("type")) in _SUMMARIES:
            yield leave_out("a summary of messages that are there themselves", value.where)
        elif is_wrapped and kind != "response_item":
            yield leave_out("bookkeeping of the program", value.where)
        else:
            yield from self._item_turns(item, record.get("timestamp"), value.where)

    def _begin(self, meta: dict[str, object]) -> None:
        if self.metadata or not label(meta.get("id")):
            return
        git = as_object(meta.get("git"))
        self.metadata |= {
            "session_id": label(meta.get("id")),
            "folder": label(meta.get("cwd")),
            "git_branch": label(git.get("branch")),
        }
        source = as_object(meta.get("source"))
        self.is_subagent = (
            "subagent" in source or as_text(meta.get("parent_thread_id")) is not None
        )

    def _item_turns(
        self, item: dict[str, object], timestamp: object, where: str
    ) -> Iterator[Turn | Skipped]:
        kind = str(item.get("type"))
        if kind == "message":
            yield from self._message_turns(item, timestamp, where)
        elif kind in _ITEM_TYPES:
            yield self._turn(item, _item_text(item), timestamp, where, _ITEM_TYPES[kind])
        else:
            yield leave_out("bookkeeping of the program", where)

    def _message_turns(
        self, item: dict[str, object], timestamp: object, where: str
    ) -> Iterator[Turn | Skipped]:
        blocks = [as_object(block) for block in as_list(item.get("content"))]
        texts = [text for block in blocks if (text := block_text(block))]
        is_dialogue = label(item.get("role")) in {"user", "assistant"}
        said = [text for text in texts if is_dialogue and not _ADDED.match(text)]
        added = [text for text in texts if text not in said]
        if not texts and blocks:
            yield leave_out("a picture, sound or file without text", where)
        elif said or not texts:
            yield self._turn(item, "\n\n".join(said), timestamp, where)
        if added:
            yield self._turn(item, "\n\n".join(added), timestamp, where, Extra.SYSTEM)

    def _turn(
        self,
        item: dict[str, object],
        text: str,
        timestamp: object,
        where: str,
        extra: Extra | None = None,
    ) -> Turn:
        name = label(item.get("id"))
        extras = {extra} if extra else set()
        aside = {Extra.SUBAGENTS} if self.is_subagent else set()
        speaker = label(item.get("role")) or label(item.get("author")) or "assistant"
        return Turn(
            self._identity(name, extra, speaker, text, label(timestamp)),
            speaker,
            text,
            timestamp,
            where,
            frozenset(extras | aside),
            {"message_id": name, "phase": label(item.get("phase"))},
        )

    def _identity(
        self, name: str | None, extra: Extra | None, *content: str | None
    ) -> tuple[str | int | None, ...]:
        """Name an item by its id, else by its content and how often that was there before."""
        session = label(self.metadata.get("session_id"))
        if name:
            return session, name, extra
        # Their hash, because a session can hold many long texts.
        key = hash(content)
        self.repeats[key] = self.repeats.get(key, -1) + 1
        return session, extra, *content, self.repeats[key]


def _item_text(item: dict[str, object]) -> str:
    for name in _TEXT_FIELDS:
        if isinstance(text := item.get(name), str):
            return f"{label(item.get('name')) or ''} {text}".strip()
    if summary := as_list(item.get("summary")):
        return "\n\n".join(filter(None, (block_text(as_object(each)) for each in summary)))
    return block_text(item)
