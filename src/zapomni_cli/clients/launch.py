"""How a client reaches the server: a command that it starts, or an address."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Address", "Command", "Launch", "left_out", "server_address", "server_command"]

# A password of the HTTP server, which a command that speaks over stdio does not ask for.
_TOKEN = "ZAPOMNI_AUTH_TOKEN"  # noqa: S105
_FOLDER = "ZAPOMNI_DATA_DIR"
# Names that other programs use as well, so that we cannot know whom they were set for.
_SHARED = (
    "EMBEDDING_MODEL",
    "FALKORDB_HOST",
    "FALKORDB_URL",
    "GRAPH_NAME",
    "OLLAMA_HOST",
    "RERANKER_MODEL",
)


@dataclass(frozen=True, slots=True)
class Command:
    """A program with its arguments and the variables that it needs."""

    program: str
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return shlex.join([self.program, *self.arguments])


@dataclass(frozen=True, slots=True)
class Address:
    """The URL of a running server, and the token that it asks for."""

    url: str
    token: str | None = None

    def __str__(self) -> str:
        return self.url

    @property
    def headers(self) -> dict[str, str]:
        """What is sent with each request."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


type Launch = Address | Command


def server_command(variables: Mapping[str, str]) -> Command:
    """Return the command of this installation, with the settings that the user has made."""
    # By its whole path: programs started from a desktop have a PATH of their own.
    suffix = ".exe" if sys.platform == "win32" else ""
    script = Path(sys.executable).with_name(f"zapomni-mcp{suffix}")
    transport = ("--transport", "stdio")
    settings = _settings(variables)
    if script.exists():
        return Command(str(script), transport, settings)
    return Command(sys.executable, ("-m", "zapomni_mcp", *transport), settings)


def server_address(url: str, variables: Mapping[str, str]) -> Address:
    """Return the address, with the token that is set here."""
    return Address(url, variables.get(_TOKEN) or None)


def left_out(variables: Mapping[str, str]) -> list[str]:
    """Return the settings that are made here and not in the command."""
    return [name for name in _SHARED if variables.get(name)]


def _settings(variables: Mapping[str, str]) -> dict[str, str]:
    found = {
        name: value
        for name, value in sorted(variables.items())
        if name.startswith("ZAPOMNI_") and name != _TOKEN and value
    }
    if _FOLDER in found:
        # A client starts the command in a folder of its own choice.
        found[_FOLDER] = str(Path(found[_FOLDER]).expanduser().absolute())
    return found
