"""Request and response models of the tools."""

from zapomni_mcp.schemas.graph import (
    BuildGraphRequest,
    BuildGraphResponse,
    ExportGraphRequest,
    ExportGraphResponse,
    GetRelatedRequest,
    GetRelatedResponse,
    GraphEntity,
    GraphEvidence,
    GraphJob,
    GraphRelation,
    GraphStatusRequest,
    GraphStatusResponse,
)
from zapomni_mcp.schemas.portable import portable_schema
from zapomni_mcp.schemas.requests import (
    AddMemoryRequest,
    GetStatsRequest,
    SearchMemoryFilters,
    SearchMemoryRequest,
)
from zapomni_mcp.schemas.responses import (
    AddMemoryResponse,
    GetStatsResponse,
    SearchMemoryResponse,
    SearchResult,
    Statistics,
)

__all__ = [
    "AddMemoryRequest",
    "AddMemoryResponse",
    "BuildGraphRequest",
    "BuildGraphResponse",
    "ExportGraphRequest",
    "ExportGraphResponse",
    "GetRelatedRequest",
    "GetRelatedResponse",
    "GetStatsRequest",
    "GetStatsResponse",
    "GraphEntity",
    "GraphEvidence",
    "GraphJob",
    "GraphRelation",
    "GraphStatusRequest",
    "GraphStatusResponse",
    "SearchMemoryFilters",
    "SearchMemoryRequest",
    "SearchMemoryResponse",
    "SearchResult",
    "Statistics",
    "portable_schema",
]
