"""update_memory: another text or other metadata, under the same id."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import UpdateMemoryRequest, UpdateMemoryResponse
from zapomni_mcp.tools.hidden import hidden_line
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["UpdateMemoryTool"]


class UpdateMemoryTool(Tool[UpdateMemoryRequest, UpdateMemoryResponse]):
    """Changes a memory and keeps what it said before."""

    name: ClassVar[str] = "update_memory"
    title: ClassVar[str] = "Correct a memory"
    description: ClassVar[str] = (
        "Change the text or the metadata of a memory; its id stays, and what it said before is "
        "kept in its history. Use it when a memory is wrong. If something has changed in the "
        "world, add a new memory instead: then both times are known."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=True,
        idempotent_hint=True,
        open_world_hint=False,
    )
    request_model = UpdateMemoryRequest
    response_model = UpdateMemoryResponse

    async def _ask(self, request: UpdateMemoryRequest, call: Call) -> UpdateMemoryResponse:
        updated = await call.engine.update_memory(
            request.memory_id, request.text, request.given_metadata(), call.progress
        )
        return UpdateMemoryResponse(**dataclasses.asdict(updated))

    def _text(self, response: UpdateMemoryResponse) -> str:
        first = (
            "Memory updated; what it said before is in its history."
            if response.is_changed
            else "The memory was like that already; nothing was changed."
        )
        return (
            f"{first}\n"
            f"ID: {response.memory_id}\n"
            f"Chunks: {response.chunks}\n"
            f"Preview: {response.text_preview}"
        ) + hidden_line(response.secrets_hidden)
