"""Arguments of the tools: the one source of their schemas and limits."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from zapomni_core import (
    MAX_LIMIT,
    MAX_QUERY_CHARS,
    MAX_TEXT_CHARS,
    MIN_TOKENS,
    SearchFilters,
)
from zapomni_mcp.schemas.forms import Arguments

__all__ = [
    "AddMemoryRequest",
    "GetStatsRequest",
    "MemoryMetadata",
    "Moment",
    "SearchMemoryFilters",
    "SearchMemoryRequest",
    "given_metadata",
]


_DEFAULT_LIMIT = 10


def _calendar_day(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        raise ValueError("must be a date of the form YYYY-MM-DD")
    return value


def _given_limit(value: object) -> object:
    # Many clients send null for what they mean to leave out.
    return _DEFAULT_LIMIT if value is None else value


def _given_score(value: object) -> object:
    return 0.0 if value is None else value


def _given_flag(value: object) -> object:
    return False if value is None else value


type Day = Annotated[
    date, BeforeValidator(_calendar_day), WithJsonSchema({"type": "string", "format": "date"})
]
type Moment = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
# Hints for the ranking: whatever else stands there is kept and not refused.
type Label = Annotated[Any, WithJsonSchema({"type": "string"})]
type Number = Annotated[Any, WithJsonSchema({"type": "integer"})]


class MemoryMetadata(Arguments):
    """What is known about a memory; any further field is kept as it is."""

    model_config = ConfigDict(extra="allow")

    source: str | None = Field(
        default=None, description="Where the memory comes from, e.g. 'user', 'github:user/repo'"
    )
    tags: list[str] | None = Field(default=None, description="Tags for categorization")
    timestamp: Moment | None = Field(
        default=None, description="When it happened or was said (ISO 8601); now if left out"
    )
    language: str | None = Field(
        default=None, description="Programming language if the text is code, e.g. 'python'"
    )
    session: Label = Field(
        default=None, description="Conversation or session that the text is a part of"
    )
    position: Number = Field(
        default=None, description="Place of the text in its session; as stored if left out"
    )
    speaker: Label = Field(default=None, description="Who said it, e.g. 'user', 'Maria'")
    ttl: str | None = Field(
        default=None, description="How long it is of use (ISO 8601 duration, e.g. 'P30D')"
    )
    expires: Moment | None = Field(
        default=None, description="When it is no longer of use (ISO 8601), instead of ttl"
    )
    pinned: bool | None = Field(
        default=None, description="True keeps it whatever ttl or expires say"
    )


_KNOWN_METADATA = frozenset(MemoryMetadata.model_fields)


def given_metadata(metadata: MemoryMetadata | None) -> dict[str, Any]:
    """Return metadata as it was given."""
    given = metadata.model_dump(exclude_unset=True) if metadata else {}
    # Many clients send null for what they mean to leave out.
    return {k: v for k, v in given.items() if v is not None or k not in _KNOWN_METADATA}


class AddMemoryRequest(Arguments):
    """Arguments of add_memory."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_CHARS)] = Field(
        description="Text content to remember, as it should be recalled: natural language, code, "
        "documentation. At most 10,000,000 characters."
    )
    metadata: MemoryMetadata | None = Field(
        default=None, description="Optional metadata for organization and filtering"
    )

    def given_metadata(self) -> dict[str, Any]:
        """Return the metadata as it was given."""
        return given_metadata(self.metadata)


class SearchMemoryFilters(Arguments):
    """Conditions that every result meets."""

    tags: list[str] | None = Field(
        default=None, description="Match memories with all specified tags"
    )
    source: str | None = Field(default=None, description="Match specific source")
    date_from: Day | None = Field(
        default=None, description="Match from date (YYYY-MM-DD, UTC, included)"
    )
    date_to: Day | None = Field(
        default=None, description="Match to date (YYYY-MM-DD, UTC, included)"
    )

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.date_from and self.date_to and self.date_from > self.date_to:
            raise ValueError("date_from must not be after date_to")
        return self


class SearchMemoryRequest(Arguments):
    """Arguments of search_memory."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUERY_CHARS)] = Field(
        description="Natural language search query: a question, a topic or keywords"
    )
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT), BeforeValidator(_given_limit)] = Field(
        default=_DEFAULT_LIMIT, description=f"Maximum results to return (1-{MAX_LIMIT})"
    )
    filters: SearchMemoryFilters | None = Field(
        default=None, description="Optional metadata filters; every one given must match"
    )
    min_score: Annotated[float, Field(ge=0.0, le=1.0), BeforeValidator(_given_score)] = Field(
        default=0.0, description="Leave out results that are less likely to answer (0-1)"
    )
    max_tokens: Annotated[int, Field(ge=MIN_TOKENS)] | None = Field(
        default=None, description="Bound the texts of all results together, in tokens"
    )
    explain: Annotated[bool, BeforeValidator(_given_flag)] = Field(
        default=False, description="Say of each result why it was found and what stands around it"
    )

    def search_filters(self) -> SearchFilters:
        """Return the filters as the engine knows them."""
        given = self.filters or SearchMemoryFilters()
        return SearchFilters(tuple(given.tags or ()), given.source, given.date_from, given.date_to)


class GetStatsRequest(Arguments):
    """Arguments of get_stats: none."""
