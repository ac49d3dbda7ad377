"""Write small exports, and sort what comes out of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from zapomni_core.importing import Extra, ImportedMemory, ImportKind, Skipped, read_export

type Json = dict[str, Any]


def write_json(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def write_lines(path: Path, lines: list[Json]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def memories_in(
    path: Path, kind: ImportKind | None = None, *include: Extra
) -> list[ImportedMemory]:
    items = read_export(path, kind, frozenset(include))
    return [item for item in items if isinstance(item, ImportedMemory)]


def texts_in(path: Path, kind: ImportKind | None = None, *include: Extra) -> list[str]:
    return [memory.text for memory in memories_in(path, kind, *include)]


def reasons_in(path: Path, kind: ImportKind | None = None) -> Counter[str]:
    items = read_export(path, kind)
    return Counter(item.reason for item in items if isinstance(item, Skipped))


def faults_in(path: Path, kind: ImportKind | None = None) -> list[Skipped]:
    items = read_export(path, kind)
    return [item for item in items if isinstance(item, Skipped) and not item.by_design]


def chatgpt_node(
    name: str,
    parent: str | None,
    role: str,
    *parts: object,
    content_type: str = "text",
    **message: object,
) -> Json:
    about = {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1_700_000_000.25,
        "content": {"content_type": content_type, "parts": list(parts)},
        "metadata": {},
        "recipient": "all",
    }
    return {"id": name, "message": about | message, "parent": parent, "children": []}


def chatgpt_conversation(*nodes: Json, current: str | None, name: str = "c1") -> Json:
    root: Json = {"id": "root", "message": None, "parent": None, "children": []}
    return {
        "title": "Kettle repair",
        "create_time": 1_699_999_999.0,
        "mapping": {node["id"]: node for node in (root, *nodes)},
        "current_node": current,
        "conversation_id": name,
        "id": name,
    }


def claude_message(name: str, sender: str, text: str, **more: object) -> Json:
    return {
        "uuid": name,
        "text": text,
        "content": [{"type": "text", "text": text}],
        "sender": sender,
        "created_at": "2025-05-04T10:00:00.123456Z",
        "attachments": [],
        "files": [],
    } | more


def claude_conversation(*messages: Json) -> Json:
    return {
        "uuid": "k1",
        "name": "Garden plan",
        "created_at": "2025-05-04T09:00:00Z",
        "account": {"uuid": "a1"},
        "chat_messages": list(messages),
    }


def claude_code_record(name: str, role: str, content: object, **more: object) -> Json:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/home/user/shop",
        "sessionId": "s1",
        "gitBranch": "main",
        "type": role,
        "message": {"role": role, "content": content},
        "uuid": name,
        "timestamp": "2026-01-02T03:04:05.678Z",
    } | more


def codex_message(role: str, *texts: str, timestamp: str = "2026-02-03T04:05:06.789Z") -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    payload = {"type": "message", "role": role, "content": content}
    return {"timestamp": timestamp, "type": "response_item", "payload": payload}


CODEX_META: Json = {
    "timestamp": "2026-02-03T04:05:00Z",
    "type": "session_meta",
    "payload": {"id": "t1", "cwd": "/home/user/shop", "git": {"branch": "main"}},
}
