"""Our HTTP server as a process of its own, seen from outside."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psutil

from benchmarks.sse_client import fetch
from zapomni_core import Settings

__all__ = ["Footprint", "HttpServer"]

_START_LIMIT_S = 120.0
_STOP_LIMIT_S = 30.0


@dataclass(frozen=True, slots=True)
class Footprint:
    """What the server and its database cost at a moment."""

    server_mb: float
    database_mb: float
    server_cpu_s: float

    @property
    def total_mb(self) -> float:
        """Memory of both."""
        return self.server_mb + self.database_mb


class HttpServer:
    """A server on a free port of loopback, with a data folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.port = 0
        self._folder = folder
        self._log = folder / "server.jsonl"
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "zapomni_mcp", "--port", "0"),
                stdin=asyncio.subprocess.DEVNULL,
                stderr=log,
                cwd=self._folder,
                env=_without_settings() | {"ZAPOMNI_DATA_DIR": str(self._folder / "memory")},
            )
        async with asyncio.timeout(_START_LIMIT_S):
            while not (self.port and await self._is_ready()):
                await asyncio.sleep(0.05)
                self._fail_if_ended()
                self.port = self._logged("http_listening").get("port", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(_STOP_LIMIT_S):
            await self._process.wait()

    async def health(self) -> dict[str, Any]:
        """Ask the server how it is."""
        _, body = await fetch(self.port, "/health")
        answer: dict[str, Any] = json.loads(body)
        return answer

    def footprint(self) -> Footprint:
        """Measure memory and processor time."""
        server = self._server
        # A fork that rewrites the log shares its pages with the database: not counted.
        databases = [child for guardian in server.children() for child in guardian.children()]
        times = server.cpu_times()
        return Footprint(
            server.memory_info().rss / 1e6,
            sum(database.memory_info().rss for database in databases) / 1e6,
            times.user + times.system,
        )

    def complaints(self) -> Counter[str]:
        """Count the warnings and errors in the log by event."""
        return Counter(
            line["event"] for line in self._lines() if line["level"] not in ("debug", "info")
        )

    @property
    def _server(self) -> psutil.Process:
        assert self._process is not None
        return psutil.Process(self._process.pid)

    async def _is_ready(self) -> bool:
        status, _ = await fetch(self.port, "/health")
        return status == 200 and bool(self._logged("word_index_ready"))

    def _fail_if_ended(self) -> None:
        assert self._process is not None
        if self._process.returncode is not None:
            raise RuntimeError(self._log.read_text(encoding="utf-8"))

    def _logged(self, event: str) -> dict[str, Any]:
        return next((line for line in self._lines() if line["event"] == event), {})

    def _lines(self) -> Iterator[dict[str, Any]]:
        with self._log.open(encoding="utf-8") as log:
            for line in log:
                if line.endswith("}\n"):
                    yield json.loads(line)


def _without_settings() -> dict[str, str]:
    """Return the environment without our settings: they may point to somebody's real memory."""
    aliases = [field.validation_alias for field in Settings.model_fields.values()]
    names = {str(name) for alias in aliases for name in getattr(alias, "choices", ())}
    return {name: value for name, value in os.environ.items() if name not in names}
