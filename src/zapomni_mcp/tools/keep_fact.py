"""keep_fact: a fact holds on although a newer one seems to replace it."""

from __future__ import annotations

from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas.graph import KeepFactRequest, KeepFactResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["KeepFactTool"]


class KeepFactTool(Tool[KeepFactRequest, KeepFactResponse]):
    """Corrects what the graph takes for replaced."""

    name: ClassVar[str] = "keep_fact"
    title: ClassVar[str] = "Keep a fact"
    description: ClassVar[str] = (
        "Say that a fact holds on although a newer one seems to replace it, or with keep false "
        "take that back. Use it when the user says that something get_related shows as superseded "
        "is still true; get_related shows the fact_id. Nothing is deleted."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=False,
    )
    request_model = KeepFactRequest
    response_model = KeepFactResponse

    async def _ask(self, request: KeepFactRequest, call: Call) -> KeepFactResponse:
        await call.engine.keep_fact(request.fact_id, is_kept=request.keep)
        return KeepFactResponse(fact_id=request.fact_id, is_kept=request.keep)

    def _text(self, response: KeepFactResponse) -> str:
        if response.is_kept:
            return f"Fact {response.fact_id} is kept: no newer fact replaces it."
        return f"Fact {response.fact_id} is not kept: a newer fact can replace it."
