"""get_call_graph: who calls it, what it calls, what a change may break."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_core import MAX_LIMIT
from zapomni_mcp.schemas import GetCallGraphRequest, GetCallGraphResponse
from zapomni_mcp.tools.naming import called, not_known, placed
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["GetCallGraphTool"]

_SHOWN = 20
_MORE_AT_ALL = "- and more: raise the limit to see them"
_MORE_THAN_TOLD = "- and more than one answer tells: ask about one of these, or without guesses"


class GetCallGraphTool(Tool[GetCallGraphRequest, GetCallGraphResponse]):
    """Walks the calls of a repository."""

    name: ClassVar[str] = "get_call_graph"
    title: ClassVar[str] = "Who calls what"
    description: ClassVar[str] = (
        "Tell who calls a function or class, what it calls, or (direction 'impact') what a "
        "change of it may break through calls, subclasses and imports, with the tests to run, and "
        "the lines that name it without a call. "
        "Each call has its file and line, "
        "and says how it is known: by imports, scopes and types, or only by its name."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    invalid_form: ClassVar[str] = "Invalid input - {field}: {}"
    request_model = GetCallGraphRequest
    response_model = GetCallGraphResponse

    async def _ask(self, request: GetCallGraphRequest, call: Call) -> GetCallGraphResponse:
        found = await call.engine.get_call_graph(
            request.symbol,
            request.direction,
            repository=request.repository,
            depth=request.depth,
            with_guesses=request.guesses,
            limit=request.limit,
        )
        return GetCallGraphResponse(**dataclasses.asdict(found))

    def _text(self, response: GetCallGraphResponse) -> str:
        notice = f"\n\nNote: {response.notice}" if response.notice else ""
        if response.symbol is None:
            return not_known(response.suggestions) + notice
        heads = {
            "callers": "Who calls it",
            "callees": "What it calls",
            "impact": "What a change may break",
        }
        sites = [called(site) for site in response.sites] or ["- nothing that is known"]
        lines = [placed(response.symbol), f"{heads[response.direction]}:", *sites]
        if response.is_cut:
            lines.append(_MORE_AT_ALL if len(response.sites) < MAX_LIMIT else _MORE_THAN_TOLD)
        for title, rows in (
            ("Outside of the repository", response.externals),
            ("Possibly, by name", response.possible),
            ("Tests among them", response.tests),
        ):
            if rows:
                lines += [f"{title}: {', '.join(rows[:_SHOWN])}"]
        if response.uses:
            lines += ["Named without a known call:"]
            lines += [f"- {use.path}:{use.line}: {use.text}" for use in response.uses]
        return "\n".join(lines) + notice
