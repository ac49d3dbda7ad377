"""clear_all: take every memory away for good."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_core import CLEAR_PHRASE
from zapomni_mcp.schemas import ClearAllRequest, ClearAllResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["ClearAllTool"]


class ClearAllTool(Tool[ClearAllRequest, ClearAllResponse]):
    """Deletes all memories."""

    name: ClassVar[str] = "clear_all"
    title: ClassVar[str] = "Forget everything"
    description: ClassVar[str] = (
        "Delete every memory for good, with the history of each and the whole knowledge graph; "
        f"code indexes stay. The phrase must be exactly {CLEAR_PHRASE}, and must come from the "
        "user: never write it on your own. With erase: true the database's files are rewritten, "
        "too."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=True,
        idempotent_hint=True,
        open_world_hint=False,
    )
    request_model = ClearAllRequest
    response_model = ClearAllResponse

    async def _ask(self, request: ClearAllRequest, call: Call) -> ClearAllResponse:
        cleared = await call.engine.clear_all(request.phrase, erase=request.erase)
        return ClearAllResponse(**dataclasses.asdict(cleared))

    def _text(self, response: ClearAllResponse) -> str:
        erased = " and erased from the files on disk" if response.is_erased else ""
        return (
            f"All memories were deleted{erased}: {response.memories} with {response.chunks} "
            f"chunks.\nNote: {response.notice}"
        )
