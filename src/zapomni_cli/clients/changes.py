"""Plan a change to the settings of a client, and make it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from zapomni_cli.clients import files
from zapomni_cli.clients.documents import (
    Entry,
    entry_of,
    has_section,
    with_entry,
    without_entry,
)
from zapomni_cli.clients.errors import ConfigProblem, Unwritable
from zapomni_cli.clients.files import backup_of
from zapomni_cli.clients.known import Client
from zapomni_cli.clients.shapes import merged

__all__ = ["Change", "Kind", "apply", "plan_install", "plan_uninstall"]

type Kind = Literal["add", "update", "none", "restore", "remove", "delete"]


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a file and of the copy beside it; None if there is none then."""

    kind: Kind
    path: Path
    before: bytes | None
    after: bytes | None
    copy: bytes | None = None


def plan_install(client: Client, path: Path, entry: Entry) -> Change:
    """Say what has to change so that the client has the entry."""
    before = files.read(path)
    content = before or b""
    present = entry_of(client.format, content, client.section)
    wanted = entry if present is None else merged(present, entry)
    if wanted == present:
        return Change("none", path, before, before)
    files.ensure_writable(path)
    after = with_entry(client.format, content, client.section, wanted)
    if present is None:
        return Change("add", path, before, after, copy=before)
    # A copy that is there is from before the entry; a file of nothing else needs none.
    copy = files.read(backup_of(path))
    if copy is None and not _is_untouched(client, content, None, present):
        copy = before
    return Change("update", path, before, after, copy)


def plan_uninstall(client: Client, path: Path) -> Change:
    """Say what has to change so that the client is as it was, or at least without the entry."""
    before = files.read(path)
    present = None if before is None else entry_of(client.format, before, client.section)
    if before is None or present is None:
        return Change("none", path, before, before)
    files.ensure_writable(path)
    original = files.read(backup_of(path))
    if _is_untouched(client, before, original, present):
        return Change("delete" if original is None else "restore", path, before, original)
    keep = original is None or _had_section(client, original)
    after = without_entry(client.format, before, client.section, keep_section=keep)
    return Change("remove", path, before, after)


def apply(change: Change) -> None:
    """Write what was planned, unless the file has changed since."""
    if change.kind == "none":
        return
    if files.read(change.path) != change.before:
        raise Unwritable("it was changed by someone else meanwhile; try again")
    backup = backup_of(change.path)
    if change.copy is not None:
        files.write(backup, change.copy, like=change.path)
    if change.after is None:
        files.remove(change.path)
    else:
        files.write(change.path, change.after)
    if change.copy is None:
        files.remove(backup)


def _is_untouched(client: Client, current: bytes, original: bytes | None, entry: Entry) -> bool:
    """Tell whether the original had no entry, and is with ours what is there now."""
    content = original or b""
    try:
        if entry_of(client.format, content, client.section) is not None:
            return False
        return with_entry(client.format, content, client.section, entry) == current
    except ConfigProblem:
        return False


def _had_section(client: Client, original: bytes) -> bool:
    try:
        return has_section(client.format, original, client.section)
    except ConfigProblem:
        return True
