"""export_graph: the knowledge graph for other programs."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import ExportGraphRequest, ExportGraphResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["ExportGraphTool"]


class ExportGraphTool(Tool[ExportGraphRequest, ExportGraphResponse]):
    """Writes the graph in a common format."""

    name: ClassVar[str] = "export_graph"
    title: ClassVar[str] = "Export the graph"
    description: ClassVar[str] = (
        "Write the knowledge graph for other programs, as GraphML, Cytoscape JSON, Cypher, "
        "JSON-LD or JSON: into the answer if it is small, or with file_name into a file in the "
        "data folder on this machine."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=False,
    )
    request_model = ExportGraphRequest
    response_model = ExportGraphResponse

    async def _ask(self, request: ExportGraphRequest, call: Call) -> ExportGraphResponse:
        exported = await call.engine.export_graph(request.format, request.file_name)
        return ExportGraphResponse(**dataclasses.asdict(exported))

    def _text(self, response: ExportGraphResponse) -> str:
        counted = f"{response.entities} entities and {response.facts} facts as {response.format}"
        if response.path is not None:
            return f"Exported {counted} to {response.path}"
        return f"Exported {counted}:\n{response.content}"
