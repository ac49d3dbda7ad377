"""The hooks of Claude Code: what it runs when a session begins and before one is shortened."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zapomni_cli.clients import files
from zapomni_cli.clients.changes import Change
from zapomni_cli.clients.errors import ConfigProblem
from zapomni_cli.clients.files import backup_of
from zapomni_cli.clients.hook_text import groups_of, with_groups, without_groups
from zapomni_cli.clients.launch import Command
from zapomni_cli.clients.machine import Machine

__all__ = ["hooks_file", "plan_hooks", "plan_without_hooks", "session_hooks"]

# The host waits for a hook; ours give up long before.
_TIMEOUT_S = 10
_BRIEF = "brief --hook"
_SAVE = "save-session --hook"
# A session that is resumed has its briefing already.
_BEGINNINGS = "startup|clear|compact"


def hooks_file(machine: Machine) -> Path:
    """Return the file of the user's settings that hooks are in."""
    return machine.folder("CLAUDE_CONFIG_DIR", machine.home / ".claude") / "settings.json"


def session_hooks(command: Command) -> dict[str, dict[str, Any]]:
    """Return what each event is to run, with the settings that the server has."""
    beginning = _group(_shell_line(command.variables, _BRIEF))
    return {
        "SessionStart": {"matcher": _BEGINNINGS, **beginning},
        "PreCompact": _group(_shell_line(command.variables, _SAVE)),
    }


def plan_hooks(path: Path, hooks: Mapping[str, dict[str, Any]]) -> Change:
    """Say what has to change so that the hooks are there."""
    before = files.read(path)
    content = before or b""
    present = groups_of(content, _is_ours)
    if present == hooks:
        return Change("none", path, before, before)
    files.ensure_writable(path)
    if not present:
        return Change("add", path, before, with_groups(content, hooks), copy=before)
    original = files.read(backup_of(path))
    if _is_untouched(original, content, present):
        return Change("update", path, before, with_groups(original or b"", hooks), original)
    after = with_groups(without_groups(content, _is_ours), hooks)
    return Change("update", path, before, after, before if original is None else original)


def plan_without_hooks(path: Path) -> Change:
    """Say what has to change so that the file is as it was, or at least without our hooks."""
    before = files.read(path)
    present = {} if before is None else groups_of(before, _is_ours)
    if before is None or not present:
        return Change("none", path, before, before)
    files.ensure_writable(path)
    original = files.read(backup_of(path))
    if _is_untouched(original, before, present):
        return Change("delete" if original is None else "restore", path, before, original)
    return Change("remove", path, before, without_groups(before, _is_ours))


def _is_untouched(
    original: bytes | None, current: bytes, hooks: Mapping[str, dict[str, Any]]
) -> bool:
    content = original or b""
    try:
        return not groups_of(content, _is_ours) and with_groups(content, hooks) == current
    except ConfigProblem:
        return False


def _is_ours(group: object) -> bool:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    commands = [each.get("command") for each in hooks or () if isinstance(each, dict)]
    return bool(commands) and all(
        isinstance(each, str) and "zapomni" in each and each.endswith((_BRIEF, _SAVE))
        for each in commands
    )


def _group(line: str) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": line, "timeout": _TIMEOUT_S}]}


def _shell_line(variables: Mapping[str, str], what: str) -> str:
    # By its whole path: a host that was started from a desktop has a PATH of its own.
    script = Path(sys.executable).with_name("zapomni")
    program = [str(script)] if script.exists() else [sys.executable, "-m", "zapomni_cli"]
    settings = [f"{name}={value}" for name, value in variables.items()]
    return f"{shlex.join([*(['env', *settings] if settings else []), *program])} {what}"
