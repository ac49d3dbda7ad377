"""Read an export of any known program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zapomni_core.errors import ValidationError
from zapomni_core.importing import basic_memory, chatgpt, claude, claude_code, codex, mcp_memory
from zapomni_core.importing import mem0 as mem0_memory
from zapomni_core.importing.detection import HEAD_BYTES, detect
from zapomni_core.importing.items import leave_out, reject
from zapomni_core.importing.json_stream import Value, read_values
from zapomni_core.importing.models import Extra, ImportedItem, ImportKind, Skipped
from zapomni_core.importing.parts import UNREADABLE, Part, open_parts, reason_of

__all__ = ["read_export"]

_WANTED = {
    ImportKind.BASIC_MEMORY: basic_memory.WANTED,
    ImportKind.CHATGPT: chatgpt.WANTED,
    ImportKind.CLAUDE: claude.WANTED,
    ImportKind.CLAUDE_CODE: claude_code.WANTED,
    ImportKind.CODEX: codex.WANTED,
    ImportKind.MCP_MEMORY: mcp_memory.WANTED,
    ImportKind.MEM0: mem0_memory.WANTED,
}


def read_export(
    path: Path, kind: ImportKind | None = None, include: frozenset[Extra] = frozenset()
) -> Iterator[ImportedItem]:
    """Read memories out of a file, folder or zip archive, and say what is left out.

    Items come as they are read, in an order that is the same each time; no id comes twice.

    Raises:
        ValidationError: There is nothing at the path, or nothing of a known kind.
    """
    if not path.exists():
        raise ValidationError("path", f"does not exist: {path}")
    chosen = kind or detect(path)
    if chosen is None:
        known = ", ".join(sorted(ImportKind))
        raise ValidationError("path", f"holds no export of a known kind ({known}): {path}")
    return _each_once(_read(path, chosen, include))


def _each_once(items: Iterator[ImportedItem]) -> Iterator[ImportedItem]:
    seen: set[bytes] = set()
    for item in items:
        if isinstance(item, Skipped):
            yield item
            continue
        key = bytes.fromhex(item.external_id.rpartition(":")[2])
        if key in seen:
            yield leave_out("the same item came before", item.external_id)
        else:
            seen.add(key)
            yield item


def _read(path: Path, kind: ImportKind, include: frozenset[Extra]) -> Iterator[ImportedItem]:
    for part in open_parts(path, _WANTED[kind]):
        if isinstance(part, Skipped):
            yield part
            continue
        try:
            yield from _read_part(part, kind, include)
        except UNREADABLE as exc:
            yield reject(reason_of(exc), part.name)


def _read_part(part: Part, kind: ImportKind, include: frozenset[Extra]) -> Iterator[ImportedItem]:
    match kind:
        case ImportKind.BASIC_MEMORY:
            yield from basic_memory.read_basic_memory(part)
        case ImportKind.CHATGPT:
            with part.open() as stream:
                yield from chatgpt.read_chatgpt(stream, part.name, include)
        case ImportKind.CLAUDE:
            with part.open() as stream:
                yield from claude.read_claude(stream, part.name, include)
        case ImportKind.CLAUDE_CODE:
            yield from claude_code.read_claude_code(part, include)
        case ImportKind.CODEX:
            yield from codex.read_codex(part, include)
        case ImportKind.MCP_MEMORY:
            yield from mcp_memory.read_mcp_memory(_values(part))
        case ImportKind.MEM0:
            yield from _read_mem0(part)


def _read_mem0(part: Part) -> Iterator[ImportedItem]:
    if part.path is not None and _head(part).startswith(mem0_memory.SQLITE_MARK):
        yield from mem0_memory.read_mem0_history(part.path)
    else:
        yield from mem0_memory.read_mem0(_values(part))


def _values(part: Part) -> Iterator[Value | Skipped]:
    head = _head(part)
    with part.open() as stream:
        yield from read_values(stream, head, part.name)


def _head(part: Part) -> bytes:
    with part.open() as stream:
        return stream.read(HEAD_BYTES)
