"""list_workspaces: which separate memories there are."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import ListedWorkspace, ListWorkspacesRequest, ListWorkspacesResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["ListWorkspacesTool"]


class ListWorkspacesTool(Tool[ListWorkspacesRequest, ListWorkspacesResponse]):
    """Lists the workspaces."""

    name: ClassVar[str] = "list_workspaces"
    title: ClassVar[str] = "Workspaces"
    description: ClassVar[str] = (
        "List the workspaces, how many memories each holds, and which is current."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    takes_workspace: ClassVar[bool] = False
    request_model = ListWorkspacesRequest
    response_model = ListWorkspacesResponse

    async def _ask(self, _request: ListWorkspacesRequest, call: Call) -> ListWorkspacesResponse:
        found = await call.engine.list_workspaces()
        return ListWorkspacesResponse(
            workspaces=[ListedWorkspace(**dataclasses.asdict(each)) for each in found]
        )

    def _text(self, response: ListWorkspacesResponse) -> str:
        return "\n".join(map(_told, response.workspaces))


def _told(each: ListedWorkspace) -> str:
    current = " (current)" if each.is_current else ""
    about = f": {each.description}" if each.description else ""
    return f"- {each.name}{current}, memories: {each.memories}{about}"
