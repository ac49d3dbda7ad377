"""get_symbol: one definition with its source and what surrounds it."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import CodeMemory, GetSymbolRequest, GetSymbolResponse
from zapomni_mcp.tools.naming import called, not_known, placed
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["GetSymbolTool"]


class GetSymbolTool(Tool[GetSymbolRequest, GetSymbolResponse]):
    """Shows one symbol."""

    name: ClassVar[str] = "get_symbol"
    title: ClassVar[str] = "Show code"
    description: ClassVar[str] = (
        "Show one function, class or file of an indexed repository: its source as it is now, "
        "signature and documentation, what is defined in it, what it inherits, who calls it and "
        "what it calls, and the memories that mention it, with a warning if the code has changed "
        "since they were stored."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    invalid_form: ClassVar[str] = "Invalid input - {field}: {}"
    request_model = GetSymbolRequest
    response_model = GetSymbolResponse

    async def _ask(self, request: GetSymbolRequest, call: Call) -> GetSymbolResponse:
        view = await call.engine.get_symbol(request.symbol, repository=request.repository)
        return GetSymbolResponse(**dataclasses.asdict(view))

    def _text(self, response: GetSymbolResponse) -> str:
        notice = f"\n\nNote: {response.notice}" if response.notice else ""
        if response.symbol is None:
            return not_known(response.suggestions) + _remembered(response.memories) + notice
        stale = _stale(response)
        lists = {
            "Inherits from": [f"- {name}" for name in response.bases],
            "Inherited by": [f"- {name}" for name in response.subclasses],
            "Defines": [f"- {placed(each)}" for each in response.members],
            "Called by": [called(site) for site in response.callers],
            "Calls": [called(site) for site in response.callees],
        }
        told = "".join(
            f"\n\n{title}:\n" + "\n".join(rows) for title, rows in lists.items() if rows
        )
        head = f"{placed(response.symbol)}{stale}\n\n{response.source}"
        return head + told + _remembered(response.memories) + notice


def _stale(response: GetSymbolResponse) -> str:
    if not response.is_stale:
        return ""
    if not response.source:
        return "\nThe file cannot be read any more; index_codebase takes note of what is gone."
    return "\nThe file has changed since it was indexed."


def _remembered(memories: list[CodeMemory]) -> str:
    if not memories:
        return ""
    rows = [
        f'- "{each.text}" ({each.timestamp:%Y-%m-%d}, {each.memory_id})'
        + (f" [may be out of date: {each.why}]" if each.is_stale else "")
        for each in memories
    ]
    return "\n\nRemembered about it:\n" + "\n".join(rows)
