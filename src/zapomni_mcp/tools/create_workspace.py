"""create_workspace: a separate memory."""

from __future__ import annotations

from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import CreateWorkspaceRequest, CreateWorkspaceResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["CreateWorkspaceTool"]


class CreateWorkspaceTool(Tool[CreateWorkspaceRequest, CreateWorkspaceResponse]):
    """Makes a new, empty workspace."""

    name: ClassVar[str] = "create_workspace"
    title: ClassVar[str] = "New workspace"
    description: ClassVar[str] = (
        "Create a workspace: a memory of its own, with its own graph and code indexes, of which "
        "no other sees anything. It does not become the current one by this."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=False,
        idempotent_hint=False,
        open_world_hint=False,
    )
    takes_workspace: ClassVar[bool] = False
    request_model = CreateWorkspaceRequest
    response_model = CreateWorkspaceResponse

    async def _ask(self, request: CreateWorkspaceRequest, call: Call) -> CreateWorkspaceResponse:
        made = await call.engine.create_workspace(request.name, request.description or "")
        return CreateWorkspaceResponse(name=made.name, description=made.description)

    def _text(self, response: CreateWorkspaceResponse) -> str:
        return (
            f"Workspace {response.name} was created. To use it, pass it as workspace, or make it "
            "the current one with set_current_workspace."
        )
