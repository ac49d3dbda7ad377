"""The engine of Zapomni: it chunks, embeds, stores and finds memories."""

from zapomni_core.engine import MemoryEngine
from zapomni_core.errors import (
    ConfigurationError,
    DatabaseError,
    EmbedderUnavailable,
    LanguageModelUnavailable,
    ProcessingError,
    ValidationError,
    ZapomniError,
)
from zapomni_core.life_engine import CLEAR_PHRASE
from zapomni_core.logs import configure_logs
from zapomni_core.models import (
    MAX_DEPTH,
    MAX_DESCRIPTION_CHARS,
    MAX_LIMIT,
    MAX_NAME_CHARS,
    MAX_QUERY_CHARS,
    MAX_TEXT_CHARS,
    MIN_TOKENS,
    Explanation,
    MemoryResult,
    SearchFilters,
    SearchResultItem,
    SearchResults,
    Statistics,
    WorkspaceDeleted,
    WorkspaceInfo,
)
from zapomni_core.settings import Settings, load_settings

ZapomniCore = MemoryEngine

__all__ = [
    "CLEAR_PHRASE",
    "MAX_DEPTH",
    "MAX_DESCRIPTION_CHARS",
    "MAX_LIMIT",
    "MAX_NAME_CHARS",
    "MAX_QUERY_CHARS",
    "MAX_TEXT_CHARS",
    "MIN_TOKENS",
    "ConfigurationError",
    "DatabaseError",
    "EmbedderUnavailable",
    "Explanation",
    "LanguageModelUnavailable",
    "MemoryEngine",
    "MemoryResult",
    "ProcessingError",
    "SearchFilters",
    "SearchResultItem",
    "SearchResults",
    "Settings",
    "Statistics",
    "ValidationError",
    "WorkspaceDeleted",
    "WorkspaceInfo",
    "ZapomniCore",
    "ZapomniError",
    "configure_logs",
    "load_settings",
]
