"""A client with next to no cost of its own, so that the server is what is measured."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Self

import psutil

__all__ = ["ServerProcess"]

_ROOT = Path(__file__).parents[1]
_LONGEST_LINE = 64_000_000


class ServerProcess:
    """A server over stdio, and what it costs."""

    def __init__(self, module: str, **environment: str) -> None:
        self._module = module
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._last_id = 0
        self.handshake_wall_ms = 0.0
        self.handshake_cpu_ms = 0.0

    async def __aenter__(self) -> Self:
        started = time.perf_counter()
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", self._module),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=_ROOT,
            env={**os.environ, "LOG_LEVEL": "ERROR", **self._environment},
            limit=_LONGEST_LINE,
        )
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        await self.ask("initialize", hello | {"clientInfo": {"name": "bench", "version": "1"}})
        self.handshake_wall_ms = (time.perf_counter() - started) * 1000
        times = psutil.Process(self._process.pid).cpu_times()
        self.handshake_cpu_ms = (times.user + times.system) * 1000
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()

    async def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        assert self._process is not None
        assert self._process.stdout is not None
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        while True:
            answer: dict[str, Any] = json.loads(await self._process.stdout.readline())
            if answer.get("id") == self._last_id:
                return answer

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool and return its text."""
        answer = await self.ask("tools/call", {"name": tool, "arguments": arguments})
        result = answer["result"]
        if result.get("isError"):
            raise RuntimeError(result["content"][0]["text"])
        text: str = result["content"][0]["text"]
        return text

    def rss_mb(self) -> float:
        """Return the resident memory of the server and of everything it started."""
        assert self._process is not None
        return psutil.Process(self._process.pid).memory_info().rss / 1e6

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
