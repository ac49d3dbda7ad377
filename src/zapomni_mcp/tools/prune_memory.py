"""prune_memory: clean up what is of no use any more."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import PrunedKind, PruneMemoryRequest, PruneMemoryResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["PruneMemoryTool"]

_MEANINGS = {
    "expired": "memories whose time is over",
    "orphans": "vectors, versions and entities that belong to nothing",
    "history": "old versions of memories",
    "code": "code indexes of folders that are gone",
    "gone_files": "memories of documents whose files are gone",
}


class PruneMemoryTool(Tool[PruneMemoryRequest, PruneMemoryResponse]):
    """Removes what is of no use, or tells what would go."""

    name: ClassVar[str] = "prune_memory"
    title: ClassVar[str] = "Clean up"
    description: ClassVar[str] = (
        "Tell what is of no use any more: expired memories, orphans, old versions, code indexes "
        "of folders that are gone, memories of documents whose files are gone. This is a dry run: "
        "nothing is removed unless dry_run is false and kinds says what to remove. Pinned "
        "memories stay as they are. Show the user what would go before you remove anything."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=True,
        idempotent_hint=True,
        open_world_hint=False,
    )
    request_model = PruneMemoryRequest
    response_model = PruneMemoryResponse

    async def _ask(self, request: PruneMemoryRequest, call: Call) -> PruneMemoryResponse:
        report = await call.engine.prune_memory(
            request.kinds,
            dry_run=request.dry_run,
            older_than_days=request.older_than_days,
            path=request.path,
        )
        return PruneMemoryResponse(**dataclasses.asdict(report))

    def _text(self, response: PruneMemoryResponse) -> str:
        first = (
            "Dry run: nothing was removed. With dry_run false this would go:"
            if response.is_dry_run
            else "Removed:"
        )
        return "\n".join([first, *map(_line, response.kinds)])


def _line(found: PrunedKind) -> str:
    examples = f" ({', '.join(found.examples)})" if found.examples else ""
    return f"- {found.kind}: {found.count} {_MEANINGS[found.kind]}{examples}"
