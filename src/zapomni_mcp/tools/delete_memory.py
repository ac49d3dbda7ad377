"""delete_memory: take one memory away for good."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import DeleteMemoryRequest, DeleteMemoryResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["DeleteMemoryTool"]


class DeleteMemoryTool(Tool[DeleteMemoryRequest, DeleteMemoryResponse]):
    """Deletes a memory with its history."""

    name: ClassVar[str] = "delete_memory"
    title: ClassVar[str] = "Forget a memory"
    description: ClassVar[str] = (
        "Delete one memory for good, with its history and what only it says in the knowledge "
        "graph. Needs confirm: true; call it only when the user wants this memory gone. With "
        "erase: true the database's files are rewritten, too, so that the text is nowhere on disk."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=True,
        idempotent_hint=True,
        open_world_hint=False,
    )
    request_model = DeleteMemoryRequest
    response_model = DeleteMemoryResponse

    async def _ask(self, request: DeleteMemoryRequest, call: Call) -> DeleteMemoryResponse:
        deleted = await call.engine.delete_memory(
            request.memory_id, confirm=request.confirm, erase=request.erase
        )
        return DeleteMemoryResponse(**dataclasses.asdict(deleted))

    def _text(self, response: DeleteMemoryResponse) -> str:
        erased = " and erased from the files on disk" if response.is_erased else ""
        return (
            f"Memory {response.memory_id} was deleted{erased}.\n"
            f"Chunks: {response.chunks}; earlier versions: {response.versions}\n"
            f"Facts: {response.facts}; entities that nothing else mentions: {response.entities}\n"
            f"Note: {response.notice}"
        )
