"""add_memory: store a text."""

from __future__ import annotations

from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import AddMemoryRequest, AddMemoryResponse
from zapomni_mcp.tools.hidden import hidden_line
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["AddMemoryTool"]


class AddMemoryTool(Tool[AddMemoryRequest, AddMemoryResponse]):
    """Stores a text in long-term memory."""

    name: ClassVar[str] = "add_memory"
    title: ClassVar[str] = "Remember"
    description: ClassVar[str] = (
        "Add a memory (text or code) to the knowledge graph. The memory will be processed, "
        "chunked, embedded, and stored for later retrieval, on this machine only. Use it for "
        "anything worth knowing in a later conversation: facts about the user, preferences, "
        "decisions and their reasons, how a problem was solved. Write one self-contained memory "
        "per call, with names and dates instead of 'he' and 'yesterday'. What is stored already "
        "is not stored twice; passwords and keys are blanked out."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=False,
        idempotent_hint=False,
        open_world_hint=False,
    )
    request_model = AddMemoryRequest
    response_model = AddMemoryResponse

    async def _ask(self, request: AddMemoryRequest, call: Call) -> AddMemoryResponse:
        result = await call.engine.add_memory(
            request.text, request.given_metadata(), call.progress
        )
        return AddMemoryResponse(
            memory_id=result.memory_id,
            chunks_created=result.chunks_created,
            text_preview=result.text_preview,
            deduplicated=result.is_duplicate,
            similar_to=[result.similar_to] if result.similar_to else [],
            secrets_hidden=result.secrets_hidden,
        )

    def _text(self, response: AddMemoryResponse) -> str:
        first = (
            "This is a memory already; nothing was added."
            if response.deduplicated
            else "Memory stored successfully."
        )
        similar = ", ".join(response.similar_to)
        return (
            f"{first}\n"
            f"ID: {response.memory_id}\n"
            f"Chunks created: {response.chunks_created}\n"
            f"Preview: {response.text_preview}"
            + (f"\nSays nearly the same as: {similar}" if similar else "")
            + hidden_line(response.secrets_hidden)
        )
