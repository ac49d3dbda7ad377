"""Read session files of Claude Code, ~/.claude/projects/**/*.jsonl, as of version 2.0."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from zapomni_core.importing.chat import Conversation, Turn, remember_turns
from zapomni_core.importing.claude import block_extra, block_text
from zapomni_core.importing.items import leave_out, reject
from zapomni_core.importing.json_stream import ByteStream, Value, parse_json, read_lines
from zapomni_core.importing.models import Extra, ImportedItem, ImportKind, Skipped
from zapomni_core.importing.parts import Part
from zapomni_core.importing.values import as_list, as_object, as_text, label

__all__ = ["WANTED", "read_claude_code"]

WANTED = re.compile(r"\.jsonl$")
_TITLE_FIELDS = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
_MAX_TITLE_LINE_BYTES = 4096
_ADDED = re.compile(
    r"\s*(<(bash-(input|stdout|stderr)|command-(name|message|args|contents)|ide_\w+"
    r"|local-command-\w+|system-reminder|task-notification|teammate-message"
    r"|user-prompt-submit-hook)\b|Caveat: The messages below|\[Request interrupted by user)"
)
_COMMAND = re.compile(r"<command-name>([^<]+)</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]+)</command-args>")
_BINARY_BLOCKS = frozenset({"image", "document"})


def read_claude_code(part: Part, include: frozenset[Extra]) -> Iterator[ImportedItem]:
    """Read the messages of one session."""
    with part.open() as stream:
        title = _find_title(stream)
    metadata = {"session_id": label(PurePosixPath(part.name).stem), "title": title}
    conversation = Conversation(ImportKind.CLAUDE_CODE, metadata)
    with part.open() as stream:
        turns = (turn for value in read_lines(stream, part.name) for turn in _record_turns(value))
        yield from remember_turns(conversation, turns, include)


def _find_title(stream: ByteStream) -> str | None:
    """Find the title: the person's own, else the program's, else a summary of these messages."""
    titles: dict[str, str] = {}
    summaries: dict[bytes, str] = {}
    while line := stream.readline(_MAX_TITLE_LINE_BYTES):
        record = _title_record(line)
        kind = str(record.get("type"))
        title = label(record.get(_TITLE_FIELDS.get(kind, "")))
        if title and kind == "summary":
            # It can stand in the file of another session; its leaf says where it belongs.
            summaries[str(record.get("leafUuid")).encode("utf-8", "replace")] = title
        elif title:
            titles[kind] = title
        else:
            of_these = [summary for leaf, summary in summaries.items() if leaf in line]
            titles |= {"summary": of_these[-1]} if of_these else {}
    return next((titles[kind] for kind in _TITLE_FIELDS if kind in titles), None)


def _title_record(line: bytes) -> dict[str, object]:
    if b"-title" not in line and b'"summary"' not in line:
        return {}
    try:
        return as_object(parse_json(line))
    except ValueError:
        return {}


def _record_turns(value: Value | Skipped) -> Iterator[Turn | Skipped]:
    if isinstance(value, Skipped):
        yield value
        return
    record = as_object(value.data)
    message = as_object(record.get("message"))
    if not record:
        yield reject("not a record of a session", value.where)
    elif record.get("type") not in ("user", "assistant"):
        yield leave_out("bookkeeping of the program", value.where)
    elif record.get("isCompactSummary") is True:
        yield leave_out("a summary of messages that are there themselves", value.where)
    elif not message:
        yield reject("not a message", value.where)
    else:
        yield from _message_turns(record, message, value.where)


def _message_turns(
    record: dict[str, object], message: dict[str, object], where: str
) -> Iterator[Turn | Skipped]:
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else as_list(content)
    pieces = [(number, as_object(block)) for number, block in enumerate(blocks)]
    said = [(number, block) for number, block in pieces if _extra_of(record, block) is None]
    if said:
        texts = (_without_command_tags(block_text(block)) for _, block in said)
        yield _turn(record, message, "\n\n".join(filter(None, texts)), where)
    for number, block in pieces:
        if str(block.get("type")) in _BINARY_BLOCKS:
            yield leave_out("a picture, sound or file without text", where)
        elif extra := _extra_of(record, block):
            yield _turn(record, message, block_text(block), where, extra, number)


def _extra_of(record: dict[str, object], block: dict[str, object]) -> Extra | None:
    """Tell what a part of a message is, if it is not said by a speaker."""
    if extra := block_extra(block):
        return extra
    text = block_text(block)
    is_added = _ADDED.match(text) and not _typed_command(text)
    if is_added or record.get("isMeta") is True or record.get("isApiErrorMessage") is True:
        return Extra.SYSTEM
    return None


def _typed_command(text: str) -> str | None:
    """Return a command with what the person wrote behind it."""
    command, arguments = _COMMAND.search(text), _ARGUMENTS.search(text)
    if not command or not arguments or not arguments[1].strip():
        return None
    return f"{command[1].strip()} {arguments[1].strip()}"


def _without_command_tags(text: str) -> str:
    return (_typed_command(text) if _ADDED.match(text) else None) or text


def _turn(
    record: dict[str, object],
    message: dict[str, object],
    text: str,
    where: str,
    extra: Extra | None = None,
    number: int | None = None,
) -> Turn:
    is_aside = record.get("isSidechain") is True or as_text(record.get("agentId")) is not None
    extras = {extra} if extra else set()
    session = label(record.get("sessionId"))
    name = label(record.get("uuid"))
    identity = (name,) if name else (session, label(record.get("timestamp")), text)
    return Turn(
        identity if extra is None else (*identity, number),
        label(message.get("role")) or str(record["type"]),
        text,
        record.get("timestamp"),
        where,
        frozenset(extras | ({Extra.SUBAGENTS} if is_aside else set())),
        {
            **({"session_id": session} if session else {}),
            "message_id": name,
            "agent_id": label(record.get("agentId")),
            "folder": label(record.get("cwd")),
            "git_branch": label(record.get("gitBranch")),
            "model": label(message.get("model")),
        },
    )
