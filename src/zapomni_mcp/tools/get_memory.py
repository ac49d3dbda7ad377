"""get_memory: one memory as a whole."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import GetMemoryRequest, GetMemoryResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["GetMemoryTool"]

_PREVIEW = 200


class GetMemoryTool(Tool[GetMemoryRequest, GetMemoryResponse]):
    """Shows all that is known of a memory."""

    name: ClassVar[str] = "get_memory"
    title: ClassVar[str] = "Read a memory"
    description: ClassVar[str] = (
        "Show one memory as a whole: its full text, its metadata, what it said before it was "
        "changed, whom and what it mentions. Use it when a search result is only a part of a "
        "longer text, or before you change or delete a memory."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    request_model = GetMemoryRequest
    response_model = GetMemoryResponse

    async def _ask(self, request: GetMemoryRequest, call: Call) -> GetMemoryResponse:
        found = await call.engine.get_memory(request.memory_id)
        response = GetMemoryResponse(**dataclasses.asdict(found))
        response.text = response.text[: request.max_chars]
        for version in [] if request.full_history else response.history:
            version.text = version.text[:_PREVIEW]
        return response

    def _text(self, response: GetMemoryResponse) -> str:
        lines = [
            f"ID: {response.memory_id}",
            f"Said: {response.timestamp:%Y-%m-%d %H:%M} UTC",
            f"Stored: {response.created_at:%Y-%m-%d %H:%M} UTC",
            f"Source: {response.source or 'none'}; tags: {', '.join(response.tags) or 'none'}",
        ]
        if response.is_pinned:
            lines.append("Pinned: it never expires.")
        elif response.expires_at:
            lines.append(f"Expires: {response.expires_at:%Y-%m-%d %H:%M} UTC")
        if response.similar_to:
            lines.append(f"Says nearly the same as: {response.similar_to}")
        if response.names:
            lines.append(f"Mentions: {', '.join(response.names)}")
        lines += ["", response.text]
        if len(response.text) < response.length:
            lines.append(f"[{response.length - len(response.text):,} more characters]")
        lines += [
            f"\nBefore {version.until:%Y-%m-%d %H:%M} UTC it said:\n{version.text}"
            for version in response.history
        ]
        return "\n".join(lines)
