"""set_current_workspace: which memory the calls of a session are about."""

from __future__ import annotations

from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_core import ValidationError
from zapomni_mcp.schemas import SetCurrentWorkspaceRequest, SetCurrentWorkspaceResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["SetCurrentWorkspaceTool"]


class SetCurrentWorkspaceTool(Tool[SetCurrentWorkspaceRequest, SetCurrentWorkspaceResponse]):
    """Chooses the workspace of a session."""

    name: ClassVar[str] = "set_current_workspace"
    title: ClassVar[str] = "Change workspace"
    description: ClassVar[str] = (
        "Choose the workspace that calls without workspace use, for this connection only and "
        "until it ends."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=False,
    )
    takes_workspace: ClassVar[bool] = False
    request_model = SetCurrentWorkspaceRequest
    response_model = SetCurrentWorkspaceResponse

    async def _ask(
        self, request: SetCurrentWorkspaceRequest, call: Call
    ) -> SetCurrentWorkspaceResponse:
        if call.session is None:
            raise ValidationError(
                "name",
                "cannot be kept: your client opens no session with the server. Pass workspace "
                "with each call instead.",
            )
        chosen = await call.engine.find_workspace(request.name)
        before, call.session.workspace = call.engine.workspace, chosen.name
        return SetCurrentWorkspaceResponse(
            current=chosen.name, before=before, memories=chosen.memories
        )

    def _text(self, response: SetCurrentWorkspaceResponse) -> str:
        return (
            f"The current workspace is {response.current} now (memories: {response.memories}); "
            f"it was {response.before}."
        )
