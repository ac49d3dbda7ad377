"""Two ways to reach a memory: the engine in this process, or the tools of a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from benchmarks.client import ServerProcess
from zapomni_core import MAX_QUERY_CHARS, MemoryEngine, Settings
from zapomni_core.embedding import Embedder
from zapomni_core.models import Metadata
from zapomni_core.retrieval.recipe import Recipe

__all__ = ["Access", "Found", "Via", "open_engine", "open_server"]

type Via = Literal["engine", "mcp"]

_LIMIT = 20
_SERVER = "zapomni_mcp.server"
# Nothing stored here is worth waiting for the disk.
_FSYNC: Literal["everysec"] = "everysec"
_READY_LIMIT_S = 120


@dataclass(frozen=True, slots=True)
class Found:
    """The memories of an answer, best first, and how sure it is of them."""

    memory_ids: tuple[str, ...]
    best_score: float
    is_confident: bool


class Access(Protocol):
    """What it takes to remember and to ask."""

    async def add(self, text: str, metadata: Metadata | None) -> str:
        """Store a text and return the memory's id."""

    async def search(self, query: str) -> Found:
        """Search once."""

    async def build_graph(self) -> None:
        """Read everything that is stored for the knowledge graph."""


class _EngineAccess:
    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine

    async def add(self, text: str, metadata: Metadata | None) -> str:
        return (await self._engine.add_memory(text, metadata)).memory_id

    async def search(self, query: str) -> Found:
        found = await self._engine.search_memory(query[:MAX_QUERY_CHARS], _LIMIT)
        ids = tuple(item.memory_id for item in found.results)
        best = max((item.similarity_score for item in found.results), default=0.0)
        return Found(ids, best, found.is_confident)

    async def build_graph(self) -> None:
        await self._engine.build_graph()
        while any(job.state == "running" for job in (await self._engine.graph_status()).jobs):
            await asyncio.sleep(0.2)


class _ServerAccess:
    def __init__(self, server: ServerProcess) -> None:
        self._server = server

    async def add(self, text: str, metadata: Metadata | None) -> str:
        stored = await self.call("add_memory", text=text, metadata=metadata)
        memory_id: str = stored["memory_id"]
        return memory_id

    async def search(self, query: str) -> Found:
        found = await self.call("search_memory", query=query[:MAX_QUERY_CHARS], limit=_LIMIT)
        results = found["results"]
        ids = tuple(result["memory_id"] for result in results)
        best = max((result["similarity_score"] for result in results), default=0.0)
        return Found(ids, best, is_confident=found["is_confident"])

    async def build_graph(self) -> None:
        await self.call("build_graph")
        while any(j["state"] == "running" for j in (await self.call("graph_status"))["jobs"]):
            await asyncio.sleep(0.2)

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._server.ask("tools/call", {"name": tool, "arguments": arguments})
        result = answer["result"]
        if result.get("isError"):
            raise RuntimeError(result["content"][0]["text"])
        content: dict[str, Any] = result["structuredContent"]
        return content


@asynccontextmanager
async def open_engine(
    folder: Path, embedder: Embedder, recipe: Recipe | None
) -> AsyncIterator[Access]:
    """Open the memory of a folder in this process, with all its indexes loaded."""
    # In the background the graph would grow while questions are asked, another one each time.
    settings = Settings(data_dir=folder, fsync=_FSYNC, auto_graph=False)
    async with MemoryEngine(settings, recipe=recipe, embedder=embedder) as engine:
        async with asyncio.timeout(_READY_LIMIT_S):
            while (await engine.get_stats()).state != "ready":
                await asyncio.sleep(0.02)
        yield _EngineAccess(engine)


@asynccontextmanager
async def open_server(folder: Path) -> AsyncIterator[Access]:
    """Start a server for the memory of a folder; yield when all its indexes are loaded."""
    environment = {
        "ZAPOMNI_DATA_DIR": str(folder),
        "ZAPOMNI_FSYNC": _FSYNC,
        "ZAPOMNI_AUTO_GRAPH": "false",
    }
    async with ServerProcess(_SERVER, **environment) as server:
        access = _ServerAccess(server)
        async with asyncio.timeout(_READY_LIMIT_S):
            while (await access.call("get_stats"))["statistics"]["state"] != "ready":
                await asyncio.sleep(0.1)
        yield access
