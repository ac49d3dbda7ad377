"""get_stats: what the memory holds."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import GetStatsRequest, GetStatsResponse, Statistics
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["GetStatsTool"]


class GetStatsTool(Tool[GetStatsRequest, GetStatsResponse]):
    """Tells how much is remembered and how the parts are doing."""

    name: ClassVar[str] = "get_stats"
    title: ClassVar[str] = "Memory statistics"
    description: ClassVar[str] = (
        "Get statistics of the memory system: how many memories and chunks it holds, its size, "
        "cache hit rate, query latency, embedding model and state."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    failure_form: ClassVar[str] = "Failed to retrieve statistics - {}"
    request_model = GetStatsRequest
    response_model = GetStatsResponse

    async def _ask(self, _request: GetStatsRequest, call: Call) -> GetStatsResponse:
        found = await call.engine.get_stats()
        return GetStatsResponse(statistics=Statistics(**dataclasses.asdict(found)))

    def _text(self, response: GetStatsResponse) -> str:
        found = response.statistics
        chunks_per_memory = (
            found.total_chunks / found.total_memories if found.total_memories else 0
        )
        hit_rate, latency = found.cache_hit_rate, found.avg_query_latency_ms
        return "\n".join(
            [
                "Memory System Statistics:",
                f"Total Memories: {found.total_memories}",
                f"Total Chunks: {found.total_chunks}",
                f"Database Size: {found.database_size_mb:.2f} MB",
                f"Average Chunks per Memory: {chunks_per_memory:.1f}",
                f"Cache Hit Rate: {'n/a' if hit_rate is None else f'{hit_rate:.1%}'}",
                f"Avg Query Latency: {'n/a' if latency is None else f'{latency:.0f} ms'}",
                f"Graph: {found.graph_name}",
                f"Workspace: {found.workspace}",
                f"Database: {found.database}, {found.disk_size_mb:.2f} MB on disk",
                f"Embedding Model: {_model(found)}",
                f"State: {found.state}",
            ]
        )


def _model(found: Statistics) -> str:
    if found.embedding_dimension is None:
        return found.embedding_model
    return f"{found.embedding_model} ({found.embedding_dimension} dimensions)"
