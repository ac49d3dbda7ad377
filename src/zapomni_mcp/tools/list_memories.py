"""list_memories: what is stored, in order."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import ListedMemory, ListMemoriesRequest, ListMemoriesResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["ListMemoriesTool"]


class ListMemoriesTool(Tool[ListMemoriesRequest, ListMemoriesResponse]):
    """Shows memories page by page."""

    name: ClassVar[str] = "list_memories"
    title: ClassVar[str] = "List memories"
    description: ClassVar[str] = (
        "List memories in order, page by page, each with the beginning of its text; filters work "
        "as in search_memory. Use it to see what is stored under a tag, from a source or of some "
        "days; to find something by what it says, use search_memory."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    request_model = ListMemoriesRequest
    response_model = ListMemoriesResponse

    async def _ask(self, request: ListMemoriesRequest, call: Call) -> ListMemoriesResponse:
        page = await call.engine.list_memories(
            request.search_filters(),
            order=request.order,
            cursor=request.cursor,
            limit=request.limit,
            with_counts=request.with_counts,
        )
        return ListMemoriesResponse(**dataclasses.asdict(page))

    def _text(self, response: ListMemoriesResponse) -> str:
        notice = f"\n\nNote: {response.notice}" if response.notice else ""
        if not response.memories:
            return f"No memories found.{notice}"
        blocks = [f"{len(response.memories)} of {response.total} memories:"]
        blocks += map(_block, response.memories)
        if response.next_cursor:
            blocks.append(f"More with cursor: {response.next_cursor}")
        return "\n\n".join(blocks) + notice


def _block(memory: ListedMemory) -> str:
    tags = f" [{', '.join(memory.tags)}]" if memory.tags else ""
    more = "…" if len(memory.text) < memory.length else ""
    return f"{memory.memory_id} ({memory.timestamp:%Y-%m-%d}){tags}\n{memory.text}{more}"
