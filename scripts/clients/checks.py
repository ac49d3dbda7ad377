"""What is checked of a client, and how it came out."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.background import CommandFailed, RunningServer
from scripts.node import NotInstalled, Package

__all__ = ["TIMEOUT_S", "Bench", "Check", "Outcome", "Transport", "memorable", "perform"]

type Transport = Literal["stdio", "sse", "http"]

TIMEOUT_S = 90


@dataclass(frozen=True, slots=True)
class Bench:
    """What a check works with: the server, Node.js, and a folder for everything it writes."""

    server: RunningServer
    node: Path
    folder: Path

    @property
    def stdio_command(self) -> list[str]:
        """The command that a client starts to be served over stdio."""
        return [str(Path(sys.prefix) / "bin" / "zapomni-mcp"), "--transport", "stdio"]

    @property
    def stdio_environment(self) -> dict[str, str]:
        """Variables that make such a process share the server's memory."""
        return {"ZAPOMNI_DATA_DIR": str(self.server.data_dir), "LOG_LEVEL": "ERROR"}

    def url(self, transport: Transport) -> str:
        """Return the address of an HTTP transport."""
        return self.server.url + {"sse": "/sse", "http": "/mcp"}[transport]

    def clean_home(self) -> Path:
        """Return a new, empty home."""
        home = self.folder / secrets.token_hex(4)
        home.mkdir()
        return home

    def environment(self, home: Path) -> dict[str, str]:
        """Return variables with nothing of the user's."""
        path = f"{self.node.parent}:/usr/bin:/bin"
        return {"HOME": str(home), "PATH": path, "TERM": "dumb", "NO_COLOR": "1"}


@dataclass(frozen=True, slots=True)
class Check:
    """One client over one transport; `run` raises when something is wrong.

    It may return what it saw, to be shown.
    """

    client: str
    package: Package
    transport: str
    checked: str
    run: Callable[[Bench], str | None]
    is_host: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a check came out."""

    check: Check
    result: Literal["ok", "FAILED", "not installed"]
    reason: str = ""
    seen: str = ""


def memorable(client: str, transport: str) -> str:
    """Return a text that is in no memory yet."""
    return f"{client} over {transport} left the key {secrets.token_hex(6)} under the flower pot"


def perform(check: Check, bench: Bench) -> Outcome:
    """Run a check."""
    try:
        check.package.install()
        seen = check.run(bench)
    except NotInstalled as exc:
        return Outcome(check, "not installed", str(exc))
    except CommandFailed as exc:
        return Outcome(check, "FAILED", str(exc))
    return Outcome(check, "ok", seen=seen or "")
