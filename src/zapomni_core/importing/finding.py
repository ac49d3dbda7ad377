"""Find data of other programs on this machine; look at names and sizes only."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from zapomni_core.importing import claude_code, codex
from zapomni_core.importing.models import Found, ImportKind

__all__ = ["found_on_this_machine"]


def found_on_this_machine(
    home: Path | None = None, environment: Mapping[str, str] | None = None
) -> list[Found]:
    """List the sessions of Claude Code and Codex and the file of the MCP memory server."""
    place = home or Path.home()
    given = os.environ if environment is None else environment
    claude = _folder(given.get("CLAUDE_CONFIG_DIR"), place / ".claude", place)
    codex_home = _folder(given.get("CODEX_HOME"), place / ".codex", place)
    found = [
        _sessions(ImportKind.CLAUDE_CODE, claude / "projects", claude_code.WANTED),
        _sessions(ImportKind.CODEX, codex_home / "sessions", codex.WANTED),
        _sessions(ImportKind.CODEX, codex_home / "archived_sessions", codex.WANTED),
        _memory_file(given.get("MEMORY_FILE_PATH"), place),
    ]
    return [each for each in found if each]


def _folder(given: str | None, usual: Path, home: Path) -> Path:
    return _expanded(given, home) if given else usual


def _expanded(given: str, home: Path) -> Path:
    return home / given[2:] if given.startswith("~/") else Path(given)


def _sessions(kind: ImportKind, folder: Path, wanted: re.Pattern[str]) -> Found | None:
    sizes = [
        _size(Path(place, name))
        for place, _, names in os.walk(folder)
        for name in names
        if wanted.search(name)
    ]
    return Found(kind, folder, len(sizes), sum(sizes)) if sizes else None


def _memory_file(given: str | None, home: Path) -> Found | None:
    # The server takes a relative path from its own folder, which nothing here can know.
    path = _expanded(given, home) if given else None
    if path is None or not path.is_absolute() or not path.is_file():
        return None
    return Found(ImportKind.MCP_MEMORY, path, 1, _size(path))


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0
