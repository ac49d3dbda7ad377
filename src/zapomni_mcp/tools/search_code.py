"""search_code: find code by name or by what it does."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import CodeResult, SearchCodeRequest, SearchCodeResponse
from zapomni_mcp.tools.naming import placed
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["SearchCodeTool"]


class SearchCodeTool(Tool[SearchCodeRequest, SearchCodeResponse]):
    """Searches the indexed repositories."""

    name: ClassVar[str] = "search_code"
    title: ClassVar[str] = "Find code"
    description: ClassVar[str] = (
        "Find code in the indexed repositories by what it does or by its name: functions, "
        "classes and other definitions with file, lines and source, best first. Names and words "
        "count, and so does the meaning. Index a folder with index_codebase first."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    invalid_form: ClassVar[str] = "Invalid input - {field}: {}"
    request_model = SearchCodeRequest
    response_model = SearchCodeResponse

    async def _ask(self, request: SearchCodeRequest, call: Call) -> SearchCodeResponse:
        found = await call.engine.search_code(
            request.query,
            repository=request.repository,
            kinds=request.kinds or (),
            languages=request.languages or (),
            path=request.path,
            limit=request.limit,
            explain=request.explain,
        )
        results = [CodeResult(**dataclasses.asdict(hit)) for hit in found.hits]
        return SearchCodeResponse(results=results, notice=found.notice)

    def _text(self, response: SearchCodeResponse) -> str:
        notice = f"\n\nNote: {response.notice}" if response.notice else ""
        if not response.results:
            return f"No code fits that.{notice}"
        shown = [_told(number, hit) for number, hit in enumerate(response.results, start=1)]
        return "\n\n".join(shown) + notice


def _told(number: int, hit: CodeResult) -> str:
    stale = "; the file has changed since" if hit.is_stale else ""
    why = [f"because of {', '.join(hit.why)}"] if hit.why else []
    head = f"{number}. {placed(hit.symbol)} [score {hit.score:.2f}{stale}]"
    return "\n".join([head, *why, hit.source])
