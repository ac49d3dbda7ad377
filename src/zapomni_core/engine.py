"""The memory engine: the one object that everything above this layer talks to."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import structlog

from zapomni_core.code_engine import CodeEngine
from zapomni_core.errors import ValidationError
from zapomni_core.graph_engine import GraphEngine
from zapomni_core.intake_engine import IntakeEngine
from zapomni_core.jobs_engine import JobsEngine
from zapomni_core.keeping_engine import KeepingEngine
from zapomni_core.life_engine import LifeEngine
from zapomni_core.models import (
    MemoryResult,
    Metadata,
    Search,
    SearchFilters,
    SearchResults,
    Statistics,
)
from zapomni_core.opening import milliseconds_since
from zapomni_core.validation import (
    ParsedMetadata,
    parse_limit,
    parse_max_tokens,
    parse_metadata,
    parse_min_score,
    parse_query,
    parse_text,
)
from zapomni_core.workspaces_engine import WorkspacesEngine

if TYPE_CHECKING:
    from zapomni_core.jobs import Progress

__all__ = ["MemoryEngine"]

_log = structlog.get_logger()


class MemoryEngine(
    GraphEngine,
    CodeEngine,
    LifeEngine,
    IntakeEngine,
    KeepingEngine,
    JobsEngine,
    WorkspacesEngine,
):
    """Remembers texts and finds them again.

    Cheap to create: the database and the model are opened by `initialize`, or by the first call
    that needs them.
    """

    async def add_memory(
        self, text: str, metadata: Metadata | None = None, progress: Progress | None = None
    ) -> MemoryResult:
        """Store a text with its metadata unless it is there already; it is durable then."""
        text, parsed = parse_text(text), parse_metadata(metadata)
        _check_expiry(parsed)
        async with self._working() as workspace:
            started = time.perf_counter()
            result = await workspace.add(text, parsed, progress)
        _log.info(
            "memory_added",
            id=result.memory_id,
            chunks=result.chunks_created,
            is_duplicate=result.is_duplicate,
            secrets_hidden=sum(result.secrets_hidden.values()),
            ms=milliseconds_since(started),
        )
        return result

    async def search_memory(
        self,
        query: str,
        limit: int = 10,
        filters: SearchFilters | None = None,
        *,
        min_score: float = 0.0,
        max_tokens: int | None = None,
        explain: bool = False,
    ) -> SearchResults:
        """Find the memories that answer a query, best first.

        `min_score` leaves out what is less likely, `max_tokens` bounds the texts together, and
        `explain` says of each hit why it was found and what stands around it.
        """
        wanted = Search(
            query=parse_query(query),
            limit=parse_limit(limit),
            filters=filters or SearchFilters(),
            min_score=parse_min_score(min_score),
            max_tokens=parse_max_tokens(max_tokens),
            explain=explain,
        )
        async with self._working() as workspace:
            started = time.perf_counter()
            found = await workspace.search(wanted)
        _log.info("memory_searched", results=found.count, ms=milliseconds_since(started))
        return found

    async def get_stats(self) -> Statistics:
        """Count what is stored and say how the parts are doing."""
        async with self._working() as workspace:
            return await workspace.statistics()


def _check_expiry(metadata: ParsedMetadata) -> None:
    """Refuse what nobody would ever find."""
    expires_ms = metadata.expires_ms
    if expires_ms is not None and not metadata.is_pinned and expires_ms <= time.time() * 1000:
        raise ValidationError("metadata.expires", "is over already; nothing was stored")
