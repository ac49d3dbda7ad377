"""What `zapomni install` writes, judged by the hosts that read it, in an empty home."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scripts.background import CommandFailed, run_bounded
from scripts.clients.checks import TIMEOUT_S, Bench, Check, memorable
from scripts.clients.hosts import CLAUDE, CODEX, GEMINI, OPENCODE, claude_variables, program
from scripts.clients.model import scripted_model
from scripts.node import Package

__all__ = ["INSTALL_CHECKS"]

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Desk:
    """An empty home with one host in it, and `zapomni` sharing the server's memory."""

    home: Path
    environment: dict[str, str]

    def run(self, name: str, *arguments: str) -> str:
        """Return what a program prints, without colours."""
        place = Path(sys.prefix) / "bin" if name == "zapomni" else self.home / "bin"
        command = [str(place / name), *arguments]
        return _COLOURS.sub("", run_bounded(command, self.environment, self.home, TIMEOUT_S))


def _desk(bench: Bench, host: str, variables: dict[str, str] | None = None) -> Desk:
    home = bench.clean_home()
    place = home / "bin"
    place.mkdir()
    (place / host).symlink_to(program(host))
    environment = bench.environment(home) | bench.stdio_environment | (variables or {})
    return Desk(home, environment | {"PATH": f"{place}:{environment['PATH']}"})


def _is_listed(host: str, expected: str, bench: Bench) -> str:
    """Install without naming the host, which has to be found, and have it list its servers."""
    desk = _desk(bench, host)
    if host == "gemini":
        # It starts no server in a folder that nobody trusts.
        trusted = desk.home / ".gemini" / "trustedFolders.json"
        trusted.parent.mkdir()
        trusted.write_text(f'{{"{desk.home}": "TRUST_FOLDER"}}', "utf-8")
    desk.run("zapomni", "install")
    listed = desk.run(host, "mcp", "list")
    seen = re.search(expected, listed)
    if seen is None:
        raise CommandFailed(f"`{host} mcp list` does not say {expected!r}", listed)
    return f"  {' '.join(seen[0].split())}"


def _runs_hooks(bench: Bench) -> str:
    """Have a session begin and be shortened: the model must be told, the memory must be kept."""
    known = memorable("A memory", "a briefing")
    said = memorable("A session", "a hook")
    with scripted_model(()) as model:
        desk = _desk(bench, "claude", claude_variables(model.url))
        desk.run("zapomni", "add", known)
        desk.run("zapomni", "install", "claude-code", "--hooks")
        output = desk.run("claude", "-p", said)
        if not model.was_told(known):
            raise CommandFailed("the model was not told what the memory holds", output)
        output = desk.run("claude", "-p", "/compact", "--continue")
    _await_memory(desk, said, output)
    return "  SessionStart: the briefing is in the prompt; PreCompact: the session is in memory"


def _await_memory(desk: Desk, text: str, output: str) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while text not in desk.run("zapomni", "list", "--json"):
        if time.monotonic() > deadline:
            raise CommandFailed("the session was not saved", output)


_LISTS: list[tuple[str, Package, str, str]] = [
    ("Claude Code", CLAUDE, "claude", r"zapomni: .+ - ✔ Connected"),
    # It lists what it will start, and starts nothing.
    ("Codex CLI", CODEX, "codex", r"zapomni .+ enabled\b"),
    ("Gemini CLI", GEMINI, "gemini", r"✓ zapomni: .+ - Connected"),
    ("opencode", OPENCODE, "opencode", r"✓ zapomni connected"),
]

INSTALL_CHECKS = [
    *(
        Check(
            client,
            package,
            "stdio",
            "lists what `zapomni install` wrote",
            partial(_is_listed, host, expected),
            is_host=True,
        )
        for client, package, host, expected in _LISTS
    ),
    Check(
        "Claude Code",
        CLAUDE,
        "hooks",
        "is briefed, saves before /compact",
        _runs_hooks,
        is_host=True,
    ),
]
