"""search_memory: find what was stored."""

from __future__ import annotations

from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import SearchMemoryRequest, SearchMemoryResponse, SearchResult
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["SearchMemoryTool"]


class SearchMemoryTool(Tool[SearchMemoryRequest, SearchMemoryResponse]):
    """Finds memories by meaning and by words."""

    name: ClassVar[str] = "search_memory"
    title: ClassVar[str] = "Recall"
    description: ClassVar[str] = (
        "Search long-term memory by meaning and by words. Ask in natural language, as you would "
        "ask a person who was there; results come best first with a score from 0 to 1. Use it "
        "before answering anything that an earlier conversation may have settled."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    invalid_form: ClassVar[str] = "Invalid input - {field}: {}"
    request_model = SearchMemoryRequest
    response_model = SearchMemoryResponse

    async def _ask(self, request: SearchMemoryRequest, call: Call) -> SearchMemoryResponse:
        found = await call.engine.search_memory(
            request.query,
            request.limit,
            request.search_filters(),
            min_score=request.min_score,
            max_tokens=request.max_tokens,
            explain=request.explain,
        )
        # `asdict` would copy every text and time of it: a twentieth of the call.
        return SearchMemoryResponse.model_validate(found, from_attributes=True)

    def _text(self, response: SearchMemoryResponse) -> str:
        notice = f"\n\nNote: {response.notice}" if response.notice else ""
        if not response.results:
            return f"No results found matching your query.{notice}"
        blocks = [
            f"{number}. [Score: {result.similarity_score:.2f}]\n{result.text}"
            f"{_place(result)}{_warning(result)}"
            for number, result in enumerate(response.results, start=1)
        ]
        return "\n\n".join([f"Found {response.count} results:", *blocks]) + notice


def _place(result: SearchResult) -> str:
    """Say where in a document a text stands; the specification knows none of this."""
    if "document" not in result.metadata:
        return ""
    page, heading = result.metadata.get("page"), result.metadata.get("heading")
    parts = [result.source, f"page {page}" if page else "", heading]
    return f"\n[From {', '.join(str(part) for part in parts if part)}]"


def _warning(result: SearchResult) -> str:
    stale = [f"{each.name} ({each.path}): {each.why}" for each in result.code if each.is_stale]
    return f"\n[May be out of date: {'; '.join(stale)}]" if stale else ""
