"""code_status: which repositories are indexed, and what is being read."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import CodeRepository, CodeStatusRequest, CodeStatusResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["CodeStatusTool"]


class CodeStatusTool(Tool[CodeStatusRequest, CodeStatusResponse]):
    """Lists the indexed repositories."""

    name: ClassVar[str] = "code_status"
    title: ClassVar[str] = "Code status"
    description: ClassVar[str] = (
        "List the repositories that are indexed, when that was, how much of each is found by "
        "meaning already, and how far running jobs are."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    request_model = CodeStatusRequest
    response_model = CodeStatusResponse

    async def _ask(self, _request: CodeStatusRequest, call: Call) -> CodeStatusResponse:
        return CodeStatusResponse(**dataclasses.asdict(await call.engine.code_status()))

    def _text(self, response: CodeStatusResponse) -> str:
        if not response.repositories:
            lines = ["No repository is indexed. index_codebase reads one."]
        else:
            lines = [_told(each) for each in response.repositories]
        lines += [
            f"Job {job.id} ({job.kind}): {job.state}, {job.done} of {job.total}"
            for job in response.jobs
        ]
        return "\n".join(lines)


def _told(each: CodeRepository) -> str:
    when = "never to the end" if each.indexed_at is None else f"{each.indexed_at:%Y-%m-%d %H:%M}"
    return (
        f"{each.name} ({each.root}): {each.files} files, {each.symbols} symbols, indexed "
        f"{when}; by meaning: {each.embedded} of {each.embedded + each.to_embed}"
    )
