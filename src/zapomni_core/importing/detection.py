"""Tell which program an export comes from, by what its first items look like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from zapomni_core.importing.basic_memory import looks_like_basic_memory
from zapomni_core.importing.json_stream import Value, read_values
from zapomni_core.importing.mem0 import SQLITE_MARK, is_mem0_history
from zapomni_core.importing.models import ImportKind
from zapomni_core.importing.parts import UNREADABLE, Part, open_parts
from zapomni_core.importing.values import as_list, as_object

__all__ = ["HEAD_BYTES", "detect"]

HEAD_BYTES = 64 << 10
_MAX_PARTS = 50
_MAX_VALUES = 20
_READABLE = re.compile(r"\.(db|json|jsonl|md|sqlite)$|\.jsonl\.zst$")
_CLAUDE_CODE_TYPES = frozenset(
    {"assistant", "custom-title", "file-history-snapshot", "queue-operation", "summary", "user"}
)
_IDS = frozenset({"leafUuid", "messageId", "sessionId"})
_CODEX_TYPES = frozenset({"event_msg", "response_item", "session_meta", "turn_context"})


def detect(path: Path) -> ImportKind | None:
    """Name the kind of an export, or None where nothing known is there."""
    parts = (part for part in open_parts(path, _READABLE) if isinstance(part, Part))
    kinds = (_kind_of_part(part) for part in islice(parts, _MAX_PARTS))
    return next((kind for kind in kinds if kind), None)


def _kind_of_part(part: Part) -> ImportKind | None:
    if part.name.endswith(".jsonl.zst"):
        return ImportKind.CODEX
    try:
        with part.open() as stream:
            head = stream.read(HEAD_BYTES)
        if head.startswith(SQLITE_MARK):
            is_history = part.path is not None and is_mem0_history(part.path)
            return ImportKind.MEM0 if is_history else None
        if part.name.endswith(".md"):
            is_note = looks_like_basic_memory(head.decode("utf-8-sig", "replace"))
            return ImportKind.BASIC_MEMORY if is_note else None
        return _kind_of_values(part, head)
    except UNREADABLE:
        return None


def _kind_of_values(part: Part, head: bytes) -> ImportKind | None:
    with part.open() as stream:
        values = islice(read_values(stream, head, part.name), _MAX_VALUES)
        kinds = (_kind_of_value(value.data) for value in values if isinstance(value, Value))
        return next((kind for kind in kinds if kind), None)


def _kind_of_value(data: object) -> ImportKind | None:
    match data:
        case {"mapping": dict()}:
            return ImportKind.CHATGPT
        case {"chat_messages": list()} | {"conversations_memory": _} | {"project_memories": _}:
            return ImportKind.CLAUDE
        case {"uuid": _, "docs": list()} | {"uuid": _, "prompt_template": _}:
            return ImportKind.CLAUDE
        case {"type": "entity", "name": _} | {"type": "relation", "relationType": _}:
            return ImportKind.MCP_MEMORY
        case {"entities": list()}:
            return ImportKind.MCP_MEMORY
        case {"memory": str()}:
            return ImportKind.MEM0
        case {"type": str() as kind, "payload": dict()} if kind in _CODEX_TYPES:
            return ImportKind.CODEX
        case {"id": str(), "timestamp": str(), "instructions": _}:
            return ImportKind.CODEX
        case {"type": str() as kind, **rest} if kind in _CLAUDE_CODE_TYPES and rest.keys() & _IDS:
            return ImportKind.CLAUDE_CODE
    return next(_kinds_of_results(data), None)


def _kinds_of_results(data: object) -> Iterator[ImportKind]:
    for name in ("results", "memories"):
        for each in as_list(as_object(data).get(name)):
            if isinstance(as_object(each).get("memory"), str):
                yield ImportKind.MEM0
