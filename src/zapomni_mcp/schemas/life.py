"""Arguments and answers of the tools for single memories."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    StrictBool,
    StringConstraints,
    WithJsonSchema,
)

from zapomni_core import (
    CLEAR_PHRASE,
    MAX_LIMIT,
    MAX_NAME_CHARS,
    MAX_TEXT_CHARS,
    SearchFilters,
)
from zapomni_mcp.schemas.forms import Answer, Arguments
from zapomni_mcp.schemas.requests import MemoryMetadata, SearchMemoryFilters, given_metadata
from zapomni_mcp.schemas.responses import MentionedCode

__all__ = [
    "ClearAllRequest",
    "ClearAllResponse",
    "DeleteMemoryRequest",
    "DeleteMemoryResponse",
    "GetMemoryRequest",
    "GetMemoryResponse",
    "ListMemoriesRequest",
    "ListMemoriesResponse",
    "ListedMemory",
    "MemoryChunk",
    "MemoryCounts",
    "MemoryVersion",
    "PruneMemoryRequest",
    "PruneMemoryResponse",
    "PrunedKind",
    "UpdateMemoryRequest",
    "UpdateMemoryResponse",
]

_NO_ERROR = "Always null: a failed call answers with isError and a text instead"
_DEFAULT_LIMIT = 20
_DEFAULT_DAYS = 90
_ORDERS = ("newest", "oldest", "last_added", "first_added")
_KINDS = ("expired", "orphans", "history", "code", "gone_files")


# Many clients send null for what they mean to leave out.
def _given_limit(value: object) -> object:
    return _DEFAULT_LIMIT if value is None else value


def _given_days(value: object) -> object:
    return _DEFAULT_DAYS if value is None else value


def _given_false(value: object) -> object:
    return False if value is None else value


def _given_true(value: object) -> object:
    return True if value is None else value


def _given_order(value: object) -> object:
    if value is not None and value not in _ORDERS:
        raise ValueError(f"must be one of {', '.join(_ORDERS)}")
    return "newest" if value is None else value


def _given_kind(value: object) -> object:
    if value not in _KINDS:
        raise ValueError(f"must be one of {', '.join(_KINDS)}")
    return value


type Order = Literal["newest", "oldest", "last_added", "first_added"]
type Kind = Annotated[
    Literal["expired", "orphans", "history", "code", "gone_files"], BeforeValidator(_given_kind)
]
# The engine checks it, in words that say where ids come from.
type MemoryId = Annotated[str, WithJsonSchema({"type": "string", "format": "uuid"})]
# Nothing but true and false: "yes" and 1 are no consent.
type Consent = Annotated[StrictBool, BeforeValidator(_given_false)]


class GetMemoryRequest(Arguments):
    """Arguments of get_memory."""

    memory_id: MemoryId = Field(
        description="Id of the memory, as search_memory and list_memories show it"
    )
    max_chars: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Cut a long text after this many characters"
    )
    full_history: Annotated[bool, BeforeValidator(_given_false)] = Field(
        default=False, description="Show earlier versions whole instead of their beginnings"
    )


class MemoryChunk(Answer):
    """A piece of a memory that is found by itself."""

    chunk_id: str = Field(description="UUID of the chunk")
    start_char: int = Field(ge=0, description="Where it starts in the text")
    end_char: int = Field(ge=0, description="Where it ends in the text")


class MemoryVersion(Answer):
    """What a memory said before it was changed."""

    text: str = Field(description="Text at that time, or its beginning")
    metadata: dict[str, Any] = Field(description="Metadata at that time")
    timestamp: datetime = Field(description="When it happened or was said, as known then")
    since: datetime = Field(description="When this version was stored")
    until: datetime = Field(description="When it was replaced")


class _Memory(Answer):
    memory_id: str = Field(description="UUID of the memory")
    text: str = Field(description="Its text, or the beginning of it")
    length: int = Field(ge=0, description="Characters of the whole text")
    source: str = Field(description="Source of the memory")
    tags: list[str] = Field(description="Tags of the memory")
    timestamp: datetime = Field(description="When it happened or was said")
    created_at: datetime = Field(description="When it was stored")
    changed_at: datetime | None = Field(description="When it was last changed, if ever")
    expires_at: datetime | None = Field(description="When it is no longer found, if ever")
    is_pinned: bool = Field(description="True if it never expires and is never pruned")
    metadata: dict[str, Any] = Field(description="Metadata as given")


class GetMemoryResponse(_Memory):
    """A whole memory."""

    status: Literal["success"] = "success"
    chunks: list[MemoryChunk] = Field(description="Its pieces, in order")
    history: list[MemoryVersion] = Field(description="Earlier versions, the latest first")
    similar_to: str | None = Field(description="UUID of a memory that says nearly the same")
    names: list[str] = Field(description="People and things that the graph knows it mentions")
    code: list[MentionedCode] = Field(description="Indexed code that it mentions")
    error: None = Field(default=None, description=_NO_ERROR)


class ListMemoriesRequest(Arguments):
    """Arguments of list_memories."""

    filters: SearchMemoryFilters | None = Field(
        default=None, description="Optional metadata filters; every one given must match"
    )
    order: Annotated[Order, BeforeValidator(_given_order)] = Field(
        default="newest",
        description="newest or oldest by when it was said, last_added or first_added by when it "
        "was stored",
    )
    cursor: str | None = Field(
        default=None, description="next_cursor of the page before; leave out for the first page"
    )
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT), BeforeValidator(_given_limit)] = Field(
        default=_DEFAULT_LIMIT, description=f"Memories on a page (1-{MAX_LIMIT})"
    )
    with_counts: Annotated[bool, BeforeValidator(_given_false)] = Field(
        default=False, description="Also count all that match by day, tag and source"
    )

    def search_filters(self) -> SearchFilters:
        """Return the filters as the engine knows them."""
        given = self.filters or SearchMemoryFilters()
        return SearchFilters(tuple(given.tags or ()), given.source, given.date_from, given.date_to)


class ListedMemory(_Memory):
    """A memory on a page."""

    chunks: int = Field(ge=0, description="Number of its pieces")


class MemoryCounts(Answer):
    """How many memories match."""

    by_day: dict[str, int] = Field(description="Of each day (UTC) that has any")
    by_tag: dict[str, int] = Field(description="Of the tags that most have, at most 100")
    by_source: dict[str, int] = Field(description="Of the sources that most have, at most 100")


class ListMemoriesResponse(Answer):
    """Some of the memories, in order."""

    status: Literal["success"] = "success"
    memories: list[ListedMemory] = Field(description="Memories of this page")
    total: int = Field(ge=0, description="All memories that match")
    next_cursor: str | None = Field(description="What to hand over for the next page, if any")
    notice: str | None = Field(description="In what way the page may be incomplete, if so")
    counts: MemoryCounts | None = Field(
        description="All that match, counted, if with_counts was set"
    )
    error: None = Field(default=None, description=_NO_ERROR)


class UpdateMemoryRequest(Arguments):
    """Arguments of update_memory."""

    memory_id: MemoryId = Field(description="Id of the memory to change")
    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_CHARS)] | None = (
        Field(default=None, description="New text; leave out to keep it")
    )
    metadata: MemoryMetadata | None = Field(
        default=None,
        description="Fields to change; those left out stay. An empty list takes all tags away, "
        "an empty text the source",
    )

    def given_metadata(self) -> dict[str, Any] | None:
        """Return the metadata as it was given."""
        return None if self.metadata is None else given_metadata(self.metadata)


class UpdateMemoryResponse(Answer):
    """A memory after a change."""

    status: Literal["success"] = "success"
    memory_id: str = Field(description="UUID of the memory; it stays the same")
    is_changed: bool = Field(description="False if the memory was like that already")
    chunks: int = Field(ge=0, description="Number of its pieces now")
    text_preview: str = Field(description="First 100 characters of the text")
    secrets_hidden: dict[str, int] = Field(
        description="Keys, tokens and passwords that were not stored, by kind"
    )
    error: None = Field(default=None, description=_NO_ERROR)


class DeleteMemoryRequest(Arguments):
    """Arguments of delete_memory."""

    memory_id: MemoryId = Field(description="Id of the memory to delete")
    confirm: Consent = Field(default=False, description="Must be true: this cannot be undone")
    erase: Consent = Field(
        default=False,
        description="Also rewrite the database's files, so that the text is nowhere on disk",
    )


class DeleteMemoryResponse(Answer):
    """What went with a memory."""

    status: Literal["success"] = "success"
    memory_id: str = Field(description="UUID of the memory that was deleted")
    chunks: int = Field(ge=0, description="Pieces that went")
    facts: int = Field(ge=0, description="Facts of the graph that only it said")
    entities: int = Field(ge=0, description="People and things that nothing else mentions")
    versions: int = Field(ge=0, description="Earlier versions that went")
    is_erased: bool = Field(description="True if the files on disk were rewritten, too")
    notice: str = Field(description="Where the text may still be")
    error: None = Field(default=None, description=_NO_ERROR)


class ClearAllRequest(Arguments):
    """Arguments of clear_all."""

    phrase: str = Field(description=f"Must be exactly: {CLEAR_PHRASE}")
    erase: Consent = Field(
        default=False,
        description="Also rewrite the database's files, so that no text is left on disk",
    )


class ClearAllResponse(Answer):
    """What was deleted."""

    status: Literal["success"] = "success"
    memories: int = Field(ge=0, description="Memories that were deleted")
    chunks: int = Field(ge=0, description="Their pieces")
    is_erased: bool = Field(description="True if the files on disk were rewritten, too")
    notice: str = Field(description="Where texts may still be")
    error: None = Field(default=None, description=_NO_ERROR)


class PruneMemoryRequest(Arguments):
    """Arguments of prune_memory."""

    kinds: list[Kind] | None = Field(
        default=None,
        description="What to look for: expired memories, orphans (vectors, versions and entities "
        "that belong to nothing), history (old versions), code (indexes of folders that are "
        "gone), gone_files (memories of documents whose files are gone). All of them in a dry "
        "run if left out",
    )
    dry_run: Annotated[StrictBool, BeforeValidator(_given_true)] = Field(
        default=True, description="True only tells what would go; false removes it"
    )
    older_than_days: Annotated[int, Field(ge=0), BeforeValidator(_given_days)] = Field(
        default=_DEFAULT_DAYS, description="Versions replaced longer ago than this are history"
    )
    path: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS)] | None = (
        Field(
            default=None,
            description="Full path of the folder to look for gone_files in; needed to remove them",
        )
    )


class PrunedKind(Answer):
    """What of one kind was found."""

    kind: str = Field(description="expired, orphans, history, code or gone_files")
    count: int = Field(ge=0, description="How many were removed, or would be")
    examples: list[str] = Field(description="Some of them")


class PruneMemoryResponse(Answer):
    """What was removed, or would be."""

    status: Literal["success"] = "success"
    is_dry_run: bool = Field(description="True if nothing was removed")
    kinds: list[PrunedKind] = Field(description="What was found of each kind")
    error: None = Field(default=None, description=_NO_ERROR)
