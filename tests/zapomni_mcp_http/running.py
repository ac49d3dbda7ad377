"""HTTP servers as a user runs them: processes of their own, on ports of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil

from tests.e2e.processes import environment, wait_until

LOOPBACK = "127.0.0.1"
ON_A_FREE_PORT = ("--port", "0")
_FRESH = httpx2.Limits(max_keepalive_connections=0)


class HttpServer:
    """One server process that listens."""

    def __init__(self, folder: Path, arguments: Sequence[str], settings: dict[str, str]) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.errors = folder.parent / f"{folder.name}.stderr"
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "zapomni_mcp", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                env=environment(folder, **settings),
                cwd=folder.parent,
            )
        wait_until(lambda: self._is_listening() or self.process.poll() is not None, 60)
        assert self._is_listening(), self.log()
        self.port = int(self.logged("http_listening")[0]["port"])
        self.url = f"http://{LOOPBACK}:{self.port}"
        self.http = httpx2.Client(base_url=self.url, timeout=30, limits=_FRESH, verify=False)

    def log(self) -> str:
        """Return what the server wrote to standard output and error."""
        return self.errors.read_text(encoding="utf-8")

    def entries(self) -> list[dict[str, Any]]:
        """Return every line of the log; each of them must be JSON."""
        return [json.loads(line) for line in self.log().splitlines()]

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Return the log lines of a kind."""
        return [entry for entry in self.entries() if entry["event"] == event]

    def resident_mb(self) -> float:
        """Return how much memory the process holds."""
        return float(psutil.Process(self.process.pid).memory_info().rss) / 1e6

    def settled_mb(self) -> float:
        """Return how much memory the process holds once it has loaded what it loads at first."""
        deadline = time.monotonic() + 15
        before, now = 0.0, self.resident_mb()
        while now - before > 1 and time.monotonic() < deadline:
            time.sleep(1)
            before, now = now, self.resident_mb()
        return now

    def age_s(self) -> float:
        """Return how long ago the process was started."""
        return time.time() - float(psutil.Process(self.process.pid).create_time())

    def active_sessions(self) -> int:
        """Return how many SSE sessions the server counts."""
        health: dict[str, int] = self.http.get("/health").json()
        return health["active_sessions"]

    def wait_for_sessions(self, count: int) -> None:
        """Wait until the server counts so many SSE sessions."""
        wait_until(lambda: self.active_sessions() == count, 10)

    def close(self) -> None:
        """Make sure that the process is gone."""
        self.http.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _is_listening(self) -> bool:
        return '"http_listening"' in self.log()


@contextmanager
def http_server(
    folder: Path, arguments: Sequence[str] = ON_A_FREE_PORT, **settings: str
) -> Iterator[HttpServer]:
    """Run a server until the block ends."""
    server = HttpServer(folder, arguments, settings)
    try:
        yield server
    finally:
        server.close()
