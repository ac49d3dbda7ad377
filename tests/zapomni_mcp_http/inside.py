"""A server in the process of the test, for tools and moments that only a test knows."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2

from tests.fakes import fake_ollama
from tests.folders import fresh_settings
from tests.zapomni_db.servers import free_ports
from tests.zapomni_mcp_http.running import LOOPBACK
from zapomni_core import MemoryEngine, Settings
from zapomni_mcp import MCPServer, MCPTool
from zapomni_mcp.serving import serve_application


@asynccontextmanager
async def serving_inside(folder: Path, *tools: MCPTool, **settings: Any) -> AsyncIterator[str]:
    """Serve tools until the block ends, and yield the address."""
    (port,) = free_ports(1)
    with fake_ollama() as ollama:  # loading the built-in model would keep this process busy
        chosen = fresh_settings(folder, sse_port=port, ollama_host=ollama.host, **settings)
        async with _serving(chosen, tools):
            yield f"http://{LOOPBACK}:{port}"


@asynccontextmanager
async def _serving(chosen: Settings, tools: Sequence[MCPTool]) -> AsyncIterator[None]:
    engine = MemoryEngine(chosen)
    async with _closing(engine), anyio.create_task_group() as tasks:
        server = MCPServer(engine)
        for tool in tools:
            server.register_tool(tool)
        tasks.start_soon(serve_application, server, chosen)
        await _until_it_answers(f"http://{LOOPBACK}:{chosen.sse_port}")
        yield
        os.kill(os.getpid(), signal.SIGTERM)


@asynccontextmanager
async def _closing(engine: MemoryEngine) -> AsyncIterator[None]:
    try:
        yield
    finally:
        await engine.close()


async def _until_it_answers(url: str) -> None:
    async with httpx2.AsyncClient(base_url=url, verify=False, timeout=30) as client:
        with anyio.fail_after(30):
            while True:
                try:
                    await client.get("/health")
                except httpx2.ConnectError:
                    await anyio.sleep(0.01)
                else:
                    return
