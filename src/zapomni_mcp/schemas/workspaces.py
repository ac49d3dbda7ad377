"""Arguments and answers of the tools for workspaces, and the argument that others have."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from zapomni_core import MAX_DESCRIPTION_CHARS
from zapomni_mcp.schemas.forms import Answer, Arguments

__all__ = [
    "CreateWorkspaceRequest",
    "CreateWorkspaceResponse",
    "DeleteWorkspaceRequest",
    "DeleteWorkspaceResponse",
    "ListWorkspacesRequest",
    "ListWorkspacesResponse",
    "ListedWorkspace",
    "SetCurrentWorkspaceRequest",
    "SetCurrentWorkspaceResponse",
    "with_workspace",
]

_NO_ERROR = "Always null: a failed call answers with isError and a text instead"
_ARGUMENT = {"type": "string", "description": "Workspace, if not the current one"}


def with_workspace(schema: dict[str, Any]) -> dict[str, Any]:
    """Add the argument that says in which workspace a tool works."""
    return {**schema, "properties": {**schema["properties"], "workspace": dict(_ARGUMENT)}}


class CreateWorkspaceRequest(Arguments):
    """Arguments of create_workspace."""

    name: str = Field(description="1-64 letters, digits and _ . -; case matters")
    description: Annotated[str, StringConstraints(max_length=MAX_DESCRIPTION_CHARS)] | None = (
        Field(default=None, description="What it is for")
    )


class CreateWorkspaceResponse(Answer):
    """A new workspace."""

    status: Literal["success"] = "success"
    name: str = Field(description="Name of the new workspace")
    description: str = Field(description="What it is for")
    error: None = Field(default=None, description=_NO_ERROR)


class ListWorkspacesRequest(Arguments):
    """Arguments of list_workspaces: none."""


class ListedWorkspace(Answer):
    """One workspace."""

    name: str = Field(description="Name of the workspace")
    description: str = Field(description="What it is for")
    created: datetime | None = Field(description="When it was created; null for the default one")
    memories: int = Field(ge=0, description="Memories that it holds")
    is_default: bool = Field(description="True for the one that is always there")
    is_current: bool = Field(description="True for the one that calls without workspace use")


class ListWorkspacesResponse(Answer):
    """All workspaces."""

    status: Literal["success"] = "success"
    workspaces: list[ListedWorkspace] = Field(description="The default one, then by age")
    error: None = Field(default=None, description=_NO_ERROR)


class DeleteWorkspaceRequest(Arguments):
    """Arguments of delete_workspace."""

    name: str = Field(description="Workspace to delete with everything in it")
    confirm: str = Field(description="The name once more, exactly: this cannot be undone")


class DeleteWorkspaceResponse(Answer):
    """A workspace that is gone."""

    status: Literal["success"] = "success"
    name: str = Field(description="Workspace that was deleted")
    memories: int = Field(ge=0, description="Memories that went with it")
    current: str = Field(description="Workspace of calls without workspace from now on")
    notice: str = Field(description="What changed for this session, and where texts may still be")
    error: None = Field(default=None, description=_NO_ERROR)


class SetCurrentWorkspaceRequest(Arguments):
    """Arguments of set_current_workspace."""

    name: str = Field(description="Workspace that calls without workspace are to use")


class SetCurrentWorkspaceResponse(Answer):
    """The workspace of this session from now on."""

    status: Literal["success"] = "success"
    current: str = Field(description="Current workspace from now on")
    before: str = Field(description="Current workspace until now")
    memories: int = Field(ge=0, description="Memories that it holds")
    error: None = Field(default=None, description=_NO_ERROR)
