"""Structured answers of the tools."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from zapomni_mcp.schemas.forms import Answer

__all__ = [
    "AddMemoryResponse",
    "Explanation",
    "GetStatsResponse",
    "MentionedCode",
    "SearchMemoryResponse",
    "SearchResult",
    "Statistics",
]

_NO_ERROR = "Always null: a failed call answers with isError and a text instead"


class AddMemoryResponse(Answer):
    """A stored memory."""

    status: Literal["success"] = "success"
    memory_id: str = Field(description="UUID of the stored memory")
    chunks_created: int = Field(ge=0, description="Number of chunks generated")
    text_preview: str = Field(description="First 100 characters of the text")
    deduplicated: bool = Field(
        default=False, description="True if it was stored already and nothing was added"
    )
    similar_to: list[str] = Field(
        default_factory=list, description="UUIDs of memories that say nearly the same"
    )
    secrets_hidden: dict[str, int] = Field(
        default_factory=dict,
        description="Keys, tokens and passwords that were not stored, by kind",
    )
    error: None = Field(default=None, description=_NO_ERROR)


class Explanation(Answer):
    """Why a result was found."""

    similarity: float | None = Field(description="Cosine similarity of question and text")
    vector_rank: int | None = Field(description="Rank by meaning alone")
    word_rank: int | None = Field(description="Rank by words alone")
    nearness: float = Field(description="Best similarity of any memory to the question")
    coverage: float = Field(
        description="Share of the question's words, weighed, in the best match"
    )
    matched_words: list[str] = Field(description="Words of the text that the question holds, too")
    period: str | None = Field(description="Words of the question that were read as a time")
    added: dict[str, float] = Field(
        description="What meaning, words, surroundings, speaker and time added to the ranking"
    )
    before: str | None = Field(description="Text before it in its document or conversation")
    after: str | None = Field(description="Text after it in its document or conversation")


class MentionedCode(Answer):
    """Code of an indexed repository that a memory mentions."""

    name: str = Field(description="How the memory names it")
    repository: str = Field(description="Name of the repository")
    path: str = Field(description="File, relative to the repository")
    line: int = Field(ge=1, description="Line where it is, or was")
    is_stale: bool = Field(description="True if the code has changed since the memory was said")
    why: str | None = Field(description="What has changed, if so")


class SearchResult(Answer):
    """One result."""

    memory_id: str = Field(description="UUID of the memory")
    text: str = Field(description="Text of the chunk that was found")
    similarity_score: float = Field(
        ge=0.0, le=1.0, description="How likely it answers the question, 1 is certain"
    )
    tags: list[str] = Field(description="Tags of the memory")
    source: str = Field(description="Source of the memory")
    timestamp: datetime = Field(description="When it happened or was stored")
    highlight: str = Field(description="Excerpt of about 200 characters around the match")
    chunk_id: str = Field(description="UUID of the chunk")
    chunk_index: int = Field(ge=0, description="Position of the chunk in the memory")
    start_char: int = Field(ge=0, description="Where the chunk starts in the memory's text")
    end_char: int = Field(ge=0, description="Where the chunk ends in the memory's text")
    metadata: dict[str, Any] = Field(description="Metadata as given")
    also_in: list[str] = Field(description="UUIDs of memories that say the same")
    why: Explanation | None = Field(description="Why it was found, if explain was set")
    code: list[MentionedCode] = Field(description="Indexed code that it mentions")


class SearchMemoryResponse(Answer):
    """Results of a search, best first."""

    status: Literal["success"] = "success"
    count: int = Field(ge=0, description="Number of results returned")
    results: list[SearchResult] = Field(description="Search results")
    is_confident: bool = Field(
        description="False if nothing that is stored seems to answer the question"
    )
    notice: str | None = Field(description="In what way the results may be incomplete, if so")
    error: None = Field(default=None, description=_NO_ERROR)


class Statistics(Answer):
    """Statistics about the memory system."""

    total_memories: int = Field(ge=0, description="Memories stored")
    total_chunks: int = Field(ge=0, description="Chunks stored")
    database_size_mb: float = Field(ge=0.0, description="Memory used by the database in MB")
    graph_name: str = Field(description="Name of the graph")
    cache_hit_rate: float | None = Field(description="Share of embeddings that were cached, 0-1")
    avg_query_latency_ms: float | None = Field(description="Mean time of a search in ms")
    embedding_model: str = Field(description="Model that embeds texts")
    embedding_dimension: int | None = Field(description="Length of its vectors")
    database: str = Field(description="How the database runs: embedded, server or cluster")
    disk_size_mb: float = Field(ge=0.0, description="Size of the database's log on disk in MB")
    pool_size: int = Field(ge=1, description="Most connections to the database at a time")
    pool_in_use: int = Field(ge=0, description="Connections to the database in use")
    state: str = Field(description="ready, or warming while indexes load")
    workspace: str = Field(description="Name of the workspace that the numbers are about")


class GetStatsResponse(Answer):
    """Statistics."""

    status: Literal["success"] = "success"
    statistics: Statistics = Field(description="System statistics")
    error: None = Field(default=None, description=_NO_ERROR)
