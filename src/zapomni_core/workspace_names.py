"""Find workspaces by name, and say what the caller may have meant."""

from __future__ import annotations

from difflib import get_close_matches

from zapomni_core.errors import ValidationError
from zapomni_db import WorkspaceRecord, WorkspaceRegistry

__all__ = ["find_workspace", "unknown_workspace"]


async def find_workspace(
    registry: WorkspaceRegistry, name: str, field: str = "workspace"
) -> WorkspaceRecord:
    """Return a workspace, or refuse a name that none has."""
    record = await registry.get(name)
    if record is None:
        raise await unknown_workspace(registry, name, field)
    return record


async def unknown_workspace(
    registry: WorkspaceRegistry, name: str, field: str = "workspace", why: str = "does not exist"
) -> ValidationError:
    """Build the refusal of a name."""
    names = [each.name for each in await registry.all()]
    folded = get_close_matches(name.casefold(), {each.casefold() for each in names})
    close = [each for each in names if each.casefold() in folded]
    meant = f"did you mean {' or '.join(close)}? " if close else ""
    return ValidationError(
        field, f"{name!r} {why}; {meant}list_workspaces shows all, create_workspace makes one"
    )
