"""code_overview: a repository at a glance."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import CodeOverviewRequest, CodeOverviewResponse, CodeSymbol
from zapomni_mcp.tools.naming import placed
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["CodeOverviewTool"]


class CodeOverviewTool(Tool[CodeOverviewRequest, CodeOverviewResponse]):
    """Shows what a repository consists of."""

    name: ClassVar[str] = "code_overview"
    title: ClassVar[str] = "Code at a glance"
    description: ClassVar[str] = (
        "Show an indexed repository at a glance, within a number of tokens: languages, folders, "
        "the symbols that the others rest on, and where execution begins. A good first look at "
        "code that you do not know."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    invalid_form: ClassVar[str] = "Invalid input - {field}: {}"
    request_model = CodeOverviewRequest
    response_model = CodeOverviewResponse

    async def _ask(self, request: CodeOverviewRequest, call: Call) -> CodeOverviewResponse:
        seen = await call.engine.code_overview(request.repository, request.max_tokens)
        return CodeOverviewResponse(**dataclasses.asdict(seen))

    def _text(self, response: CodeOverviewResponse) -> str:
        lines = [
            f"{response.repository} ({response.root})",
            f"Files: {response.files} ({_counted(response.languages)})",
            f"Symbols: {response.symbols} ({_counted(response.kinds)}); calls: {response.calls}",
            f"Folders: {_counted(response.folders)}",
        ]
        for title, symbols in (
            ("Central", response.central),
            ("Entry points", response.entry_points),
        ):
            if symbols:
                lines += [f"{title}:"]
                lines += [_told(each) for each in symbols]
        return "\n".join(lines) + (f"\n\nNote: {response.notice}" if response.notice else "")


def _told(symbol: CodeSymbol) -> str:
    signature = f"\n    {symbol.signature}" if symbol.signature else ""
    return f"- {placed(symbol)}{signature}"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in counts.items()) or "none"
