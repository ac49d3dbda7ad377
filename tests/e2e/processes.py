"""Servers as a host runs them: processes of their own, spoken to over raw pipes."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.folders import setting_names

STDIO = ("-m", "zapomni_mcp", "--transport", "stdio")
SERVER = ("-m", "zapomni_mcp.server")
TOYS = (str(Path(__file__).with_name("toy_server.py")),)
HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a server whose memory is in a folder."""
    outside = {name: value for name, value in os.environ.items() if name not in setting_names()}
    return outside | {"ZAPOMNI_DATA_DIR": str(folder)} | settings


class ServerProcess:
    """One server process."""

    def __init__(self, command: Sequence[str], folder: Path, **settings: str) -> None:
        folder.mkdir(exist_ok=True)
        self._numbers = itertools.count(1)
        self.errors = folder.parent / f"{folder.name}-{time.monotonic_ns()}.stderr"
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment(folder, **settings),
                cwd=folder.parent,
            )

    def send(self, line: bytes) -> None:
        """Send a line as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> int:
        """Send a request and return its id."""
        number = next(self._numbers)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.send(json.dumps(message).encode())
        return number

    def call(self, tool: str, **arguments: Any) -> int:
        """Send a tool call and return its id."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def receive(self) -> dict[str, Any]:
        """Return the next message."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.log()
        message: dict[str, Any] = json.loads(line)
        return message

    def shake_hands(self) -> None:
        """Initialize the session."""
        self.request("initialize", HANDSHAKE)
        assert "result" in self.receive()
        self.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return the result of the answer, which must be the next message."""
        number = self.call(tool, **arguments)
        answer = self.receive()
        assert answer["id"] == number, answer
        result: dict[str, Any] = answer["result"]
        return result

    def remember(self, text: str) -> str:
        """Store a text and return the memory's id."""
        result = self.ask("add_memory", text=text)
        assert not result["isError"], result
        memory_id: str = result["structuredContent"]["memory_id"]
        return memory_id

    def search(self, query: str, limit: int = 100) -> list[str]:
        """Return the texts that are found."""
        result = self.ask("search_memory", query=query, limit=limit)
        assert not result["isError"], result
        return [item["text"] for item in result["structuredContent"]["results"]]

    def hang_up(self) -> None:
        """End the server's input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def rest(self) -> list[dict[str, Any]]:
        """Return every message until the server closes its output."""
        assert self.process.stdout is not None
        return [json.loads(line) for line in self.process.stdout]

    def log(self) -> str:
        """Return what the server wrote to standard error."""
        return self.errors.read_text(encoding="utf-8")

    def close(self) -> None:
        """Make sure that the process is gone."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # something was still to be flushed to the dead process


@contextmanager
def running(
    folder: Path, *arguments: str, prefix: Sequence[str] = (), **settings: str
) -> Iterator[ServerProcess]:
    """Run a server and shake hands with it."""
    command = [*prefix, sys.executable, *(arguments or STDIO)]
    server = ServerProcess(command, folder, **settings)
    try:
        server.shake_hands()
        yield server
    finally:
        server.close()


def wait_until(condition: Callable[[], bool], within_s: float = 20.0) -> None:
    """Wait for something that another process does."""
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        time.sleep(0.01)
