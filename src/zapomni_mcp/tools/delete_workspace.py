"""delete_workspace: take a separate memory away for good."""

from __future__ import annotations

from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import DeleteWorkspaceRequest, DeleteWorkspaceResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["DeleteWorkspaceTool"]

_DEFAULT = "default"
_BACKUPS = "Backups that were made before still hold it."


class DeleteWorkspaceTool(Tool[DeleteWorkspaceRequest, DeleteWorkspaceResponse]):
    """Deletes a workspace with everything in it."""

    name: ClassVar[str] = "delete_workspace"
    title: ClassVar[str] = "Delete a workspace"
    description: ClassVar[str] = (
        "Delete a workspace for good with all its memories, graph and code indexes. Only when the "
        "user wants it gone; confirm must repeat its name exactly. The default one stays."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=True,
        idempotent_hint=False,
        open_world_hint=False,
    )
    takes_workspace: ClassVar[bool] = False
    request_model = DeleteWorkspaceRequest
    response_model = DeleteWorkspaceResponse

    async def _ask(self, request: DeleteWorkspaceRequest, call: Call) -> DeleteWorkspaceResponse:
        deleted = await call.engine.delete_workspace(request.name, request.confirm)
        current, notice = call.engine.workspace, _BACKUPS
        if call.session is not None and current == deleted.name:
            current = call.session.workspace = _DEFAULT
            notice = f"It was the current workspace; {current} is now. {_BACKUPS}"
        return DeleteWorkspaceResponse(
            name=deleted.name, memories=deleted.memories, current=current, notice=notice
        )

    def _text(self, response: DeleteWorkspaceResponse) -> str:
        return (
            f"Workspace {response.name} was deleted with {response.memories} memories.\n"
            f"Note: {response.notice}"
        )
