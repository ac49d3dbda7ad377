"""graph_status: how large the knowledge graph is, and what is being added."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import GraphStatusRequest, GraphStatusResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["GraphStatusTool"]


class GraphStatusTool(Tool[GraphStatusRequest, GraphStatusResponse]):
    """Counts what the graph holds."""

    name: ClassVar[str] = "graph_status"
    title: ClassVar[str] = "Graph status"
    description: ClassVar[str] = (
        "Tell how many people, things and facts the knowledge graph holds, which are named most, "
        "how much of the memory it covers, and how far running jobs are."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    request_model = GraphStatusRequest
    response_model = GraphStatusResponse

    async def _ask(self, _request: GraphStatusRequest, call: Call) -> GraphStatusResponse:
        status = await call.engine.graph_status()
        return GraphStatusResponse(**dataclasses.asdict(status))

    def _text(self, response: GraphStatusResponse) -> str:
        kinds = ", ".join(f"{name} {n}" for name, n in sorted(response.entities_by_type.items()))
        top = ", ".join(f"{each.name} ({each.mentions})" for each in response.top_entities)
        lines = [
            "Knowledge graph:",
            f"Entities: {response.entities}" + (f" ({kinds})" if kinds else ""),
            f"Facts: {response.facts}",
            f"Mentions: {response.mentions}; aliases: {response.aliases}",
            f"Density: {response.density:.6f}; largest part: {response.largest_component}",
            f"Memories read: {response.memories_built} of {response.memories_total}",
            f"Read by: {response.extractor}",
            f"Named most: {top or 'nothing yet'}",
        ]
        lines += [
            f"Job {job.id} ({job.kind}): {job.state}, {job.done} of {job.total}"
            for job in response.jobs
        ]
        return "\n".join(lines)
