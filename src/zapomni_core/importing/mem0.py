"""Read what mem0 gives out: the answer of get_all, or its history database, as of August 2026."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from zapomni_core.importing.items import leave_out, reject, remember
from zapomni_core.importing.json_stream import Value
from zapomni_core.importing.models import ImportedItem, ImportKind, Skipped
from zapomni_core.importing.values import as_list, as_object, as_text, label, plain, tags_of

__all__ = ["SQLITE_MARK", "WANTED", "is_mem0_history", "read_mem0", "read_mem0_history"]

WANTED = re.compile(r"\.jsonl?$|(^|/)history\.db$")
SQLITE_MARK = b"SQLite format 3\0"
_KIND = ImportKind.MEM0
_OWNERS = ("user_id", "agent_id", "app_id", "run_id", "actor_id")
_IS_TABLE = "SELECT 1 FROM sqlite_master WHERE name = 'history' AND type = 'table'"
_HISTORY_COLUMNS = "memory_id, new_memory, event, is_deleted, created_at, updated_at"
# Later rows of a memory replace earlier ones; bare columns come from the row of max().
_NEWEST_ROWS = f"SELECT {_HISTORY_COLUMNS}, max(rowid) FROM history GROUP BY memory_id"  # noqa: S608


def read_mem0(values: Iterable[Value | Skipped]) -> Iterator[ImportedItem]:
    """Read memories and the relations between what they name."""
    for value in values:
        if isinstance(value, Skipped):
            yield value
            continue
        match value.data:
            case {"results": list()} | {"memories": list()} | {"relations": list()}:
                yield from _read_answer(as_object(value.data), value.where)
            case _:
                yield _read_memory(value.data, value.where)


def is_mem0_history(path: Path) -> bool:
    """Tell whether a database has the columns of mem0's history."""
    try:
        with closing(_connect(path)) as database:
            columns = {row[1] for row in database.execute("PRAGMA table_info(history)")}
            # A view could compute without end.
            is_table = any(database.execute(_IS_TABLE))
    except sqlite3.Error:
        return False
    return is_table and {"memory_id", "new_memory", "event"} <= columns


def read_mem0_history(path: Path) -> Iterator[ImportedItem]:
    """Read the newest text of each memory from the history of changes."""
    if not is_mem0_history(path):
        yield reject("not a history of mem0", path.name)
        return
    try:
        with closing(_connect(path)) as database:
            for row in database.execute(_NEWEST_ROWS):
                yield _read_row(row, path.name)
    except sqlite3.Error:
        yield reject("the database cannot be read", path.name)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    database.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _read_row(row: tuple[object, ...], name: str) -> ImportedItem:
    memory, text, event, is_deleted, created, updated, *_ = row
    where = f"{name}, memory {label(memory)}"
    if is_deleted or event == "DELETE":
        return leave_out("deleted in mem0", where)
    metadata = {"memory_id": label(memory), "timestamp": created, "updated_at": label(updated)}
    return remember(_KIND, (label(memory),), text, metadata, where)


def _read_answer(data: dict[str, object], where: str) -> Iterator[ImportedItem]:
    for name in ("results", "memories"):
        for number, memory in enumerate(as_list(data.get(name)), 1):
            yield _read_memory(memory, f"{where}, memory {number}")
    for number, relation in enumerate(as_list(data.get("relations")), 1):
        yield _read_relation(as_object(relation), f"{where}, relation {number}")


def _read_memory(data: object, where: str) -> ImportedItem:
    memory = as_object(data)
    text = memory.get("memory", memory.get("text"))
    if text is None:
        return reject("not a memory", where)
    own = as_object(memory.get("metadata"))
    name = label(memory.get("id"))
    metadata: dict[str, object] = {owner: label(memory.get(owner)) for owner in _OWNERS}
    metadata |= {
        "memory_id": name,
        "timestamp": memory.get("created_at"),
        "updated_at": label(memory.get("updated_at")),
        "speaker": label(memory.get("actor_id")) or label(memory.get("role")),
        "role": label(memory.get("role")),
        "session_id": label(memory.get("run_id")),
        "tags": tags_of(memory.get("categories")),
        "mem0": plain(own),
        "mem0_left_out": "too large or too deep" if own and plain(own) is None else None,
    }
    owners = [label(memory.get(owner)) for owner in _OWNERS]
    return remember(_KIND, (name,) if name else (*owners, as_text(text)), text, metadata, where)


def _read_relation(data: dict[str, object], where: str) -> ImportedItem:
    target = data.get("target", data.get("destination"))
    words = [as_text(word) for word in (data.get("source"), data.get("relationship"), target)]
    if None in words:
        return reject("not a relation", where)
    metadata = {"from": label(words[0]), "relation": label(words[1]), "to": label(words[2])}
    text = " ".join(word for word in words if word)
    return remember(_KIND, ("relation", *words), text, metadata, where)
