"""What the engine can do with whole workspaces: separate memories that never meet."""

from __future__ import annotations

from zapomni_core.errors import ValidationError
from zapomni_core.models import WorkspaceDeleted, WorkspaceInfo
from zapomni_core.opening import Opening, translated
from zapomni_core.validation import parse_description, parse_workspace

__all__ = ["WorkspacesEngine"]


class WorkspacesEngine(Opening):
    """Makes, lists and deletes workspaces; `within` works in one of them."""

    async def create_workspace(self, name: str, description: str = "") -> WorkspaceInfo:
        """Make a new, empty workspace; names that differ in case are different names."""
        name, description = parse_workspace(name, "name"), parse_description(description)
        workspaces = await self._household.open()
        with translated():
            return await workspaces.create(name, description)

    async def list_workspaces(self) -> list[WorkspaceInfo]:
        """List the workspaces, the default one first, and say how much each holds."""
        workspaces = await self._household.open()
        with translated():
            return await workspaces.all(self.workspace)

    async def find_workspace(self, name: str) -> WorkspaceInfo:
        """Return a workspace by its exact name."""
        workspaces = await self._household.open()
        with translated():
            return await workspaces.find(parse_workspace(name, "name"), self.workspace)

    async def delete_workspace(self, name: str, confirm: str) -> WorkspaceDeleted:
        """Delete a workspace with everything in it; `confirm` must repeat its name exactly."""
        if confirm != parse_workspace(name, "name"):
            raise ValidationError(
                "confirm", "must repeat the name of the workspace exactly; nothing was deleted"
            )
        workspaces = await self._household.open()
        with translated():
            return await workspaces.delete(name)
