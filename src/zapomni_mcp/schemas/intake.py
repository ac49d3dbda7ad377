"""Arguments and answers of the tool for documents."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from zapomni_core import MAX_NAME_CHARS, MAX_TEXT_CHARS
from zapomni_mcp.schemas.forms import Answer, Arguments
from zapomni_mcp.schemas.graph import GraphJob
from zapomni_mcp.schemas.requests import MemoryMetadata, given_metadata

__all__ = ["AddDocumentRequest", "AddDocumentResponse", "DocumentFile"]

_LONGEST_PATH = 4096
_NO_ERROR = "Always null: a failed call answers with isError and a text instead"

type Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS)]
type Names = Annotated[list[Name], Field(max_length=100)]


class AddDocumentRequest(Arguments):
    """Arguments of add_document."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=_LONGEST_PATH)] | None = Field(
        default=None, description="Full path of a file or folder to read"
    )
    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_CHARS)] | None = (
        Field(default=None, description="The document itself, instead of a path")
    )
    name: Name | None = Field(
        default=None,
        description="What the text is called, e.g. 'minutes.md'; replaces what had this name",
    )
    tags: Names | None = Field(default=None, description="Tags for all that is read")
    metadata: MemoryMetadata | None = Field(
        default=None, description="Optional metadata for all that is read"
    )
    exclude: Names | None = Field(
        default=None, description="Patterns to leave out of a folder, as in a .gitignore"
    )

    def given_metadata(self) -> dict[str, Any]:
        """Return the metadata as it was given, the tags among it."""
        given = given_metadata(self.metadata)
        tags = [*(given.get("tags") or ()), *(self.tags or ())]
        return given | ({"tags": tags} if tags else {})


class DocumentFile(Answer):
    """What became of one file."""

    path: str = Field(description="Its full path, or the name of the text")
    outcome: Literal["added", "updated", "unchanged", "skipped", "failed", "gone"] = Field(
        description="What was done; skipped by choice, failed if it could not be read, gone if "
        "it was read before and is no more"
    )
    reason: str = Field(description="Why it was left out, or what of it was")
    memories: int = Field(ge=0, description="Memories that hold its parts")


class AddDocumentResponse(Answer):
    """What became of the files."""

    status: Literal["success"] = "success"
    job: GraphJob = Field(description="The job that reads; it goes on if it is still running")
    added: int = Field(ge=0, description="Files that are new")
    updated: int = Field(ge=0, description="Files that replaced what they said before")
    unchanged: int = Field(ge=0, description="Files that are stored as they are")
    skipped: dict[str, int] = Field(description="Files and folders that were left out, by reason")
    failed: int = Field(ge=0, description="Files that could not be read")
    gone: int = Field(
        ge=0, description="Files that were read here before and are no more; their memories stay"
    )
    memories_added: int = Field(ge=0, description="Memories that are new")
    memories_removed: int = Field(ge=0, description="Memories that gave way to newer ones")
    memories_changed: int = Field(
        ge=0, description="Memories of unchanged files that got these tags and metadata"
    )
    secrets_hidden: dict[str, int] = Field(description="Passwords and keys left out, by kind")
    files: list[DocumentFile] = Field(
        description="The files, at most 100, failures and those that are gone first"
    )
    files_not_shown: int = Field(ge=0, description="How many more files there were")
    notice: str | None = Field(description="What went wrong, or is left to decide")
    error: None = Field(default=None, description=_NO_ERROR)
