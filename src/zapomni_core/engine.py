"""The memory engine: the one object that everything above this layer talks to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Self

import structlog

from zapomni_core.errors import ConfigurationError, DatabaseError, ValidationError
from zapomni_core.models import (
    MemoryResult,
    Metadata,
    Search,
    SearchFilters,
    SearchResults,
    Statistics,
    Walk,
)
from zapomni_core.settings import Settings, load_settings
from zapomni_core.validation import (
    parse_as_of,
    parse_depth,
    parse_file_name,
    parse_limit,
    parse_max_tokens,
    parse_memory_ids,
    parse_metadata,
    parse_min_score,
    parse_name,
    parse_query,
    parse_text,
)

if TYPE_CHECKING:
    from zapomni_core.embedding.protocol import Embedder
    from zapomni_core.jobs import Progress
    from zapomni_core.knowledge import ExportFormat, GraphBuilt, GraphExport, GraphStatus, Related
    from zapomni_core.knowledge.language_model import LanguageModelChange
    from zapomni_core.retrieval.recipe import Recipe
    from zapomni_core.workspace import Workspace

__all__ = ["MemoryEngine"]

_RETRY = "Database temporarily unavailable. Please retry in a few seconds."

_log = structlog.get_logger()


class MemoryEngine:
    """Remembers texts and finds them again.

    Cheap to create: the database and the model are opened by `initialize`, or by the first call
    that needs them.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        recipe: Recipe | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        self.settings = settings or load_settings()
        self._recipe = recipe
        self._embedder = embedder
        self._workspace: Workspace | None = None
        self._opening = asyncio.Lock()
        self._queries = 0
        self._query_seconds = 0.0

    async def __aenter__(self) -> Self:
        await self.initialize()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def initialize(self) -> None:
        """Open the database and load the model; safe to call again."""
        await self._open()

    async def close(self) -> None:
        """Leave the database."""
        async with self._opening:
            workspace, self._workspace = self._workspace, None
            if workspace is not None:
                with _translated():
                    await workspace.close()

    async def add_memory(
        self, text: str, metadata: Metadata | None = None, progress: Progress | None = None
    ) -> MemoryResult:
        """Store a text with its metadata; it is durable when this returns."""
        text, parsed = parse_text(text), parse_metadata(metadata)
        workspace, started = await self._open(), time.perf_counter()
        with _translated():
            result = await workspace.add(text, parsed, progress)
        _log.info(
            "memory_added", id=result.memory_id, chunks=result.chunks_created, ms=_ms(started)
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
        workspace, started = await self._open(), time.perf_counter()
        with _translated():
            found = await workspace.search(wanted)
        self._queries += 1
        self._query_seconds += time.perf_counter() - started
        _log.info("memory_searched", results=found.count, ms=_ms(started))
        return found

    async def build_graph(
        self,
        text: str | None = None,
        memory_ids: Sequence[str] | None = None,
        metadata: Metadata | None = None,
        *,
        progress: Progress | None = None,
    ) -> GraphBuilt:
        """Put what memories say into the graph: a text, some memories, or all not yet read.

        Work that takes longer than a client waits goes on as a job.
        """
        if text is not None and memory_ids is not None:
            raise ValidationError("memory_ids", "cannot be given together with text")
        parsed = None if text is None else parse_text(text)
        known = None if memory_ids is None else parse_memory_ids(memory_ids)
        details = parse_metadata(metadata)
        workspace = await self._open()
        with _translated():
            if parsed is not None:
                return await workspace.build_graph_of(parsed, details, progress)
            return await workspace.graph.build(known, progress)

    async def cancel_build(self, job_id: str) -> GraphBuilt:
        """Give up a job that builds the graph; what it has read stays."""
        workspace = await self._open()
        with _translated():
            return await workspace.graph.cancel(job_id)

    async def get_related(
        self,
        entity: str,
        *,
        depth: int = 1,
        relations: Sequence[str] | None = None,
        limit: int = 20,
        as_of: str | date | datetime | None = None,
    ) -> Related:
        """Tell what is known about a person or thing, as of now or of an earlier time."""
        walk = Walk(
            entity=parse_name(entity),
            depth=parse_depth(depth),
            limit=parse_limit(limit),
            predicates=None if relations is None else frozenset(relations),
            as_of_ms=parse_as_of(as_of),
        )
        workspace, started = await self._open(), time.perf_counter()
        with _translated():
            found = await workspace.graph.related(walk)
        _log.info("graph_walked", relations=len(found.relations), ms=_ms(started))
        return found

    async def keep_fact(self, fact_id: str, *, is_kept: bool = True) -> None:
        """Say that a fact holds on although a newer one seems to replace it, or take that back."""
        workspace = await self._open()
        with _translated():
            await workspace.graph.keep_fact(fact_id, is_kept=is_kept)

    async def graph_status(self) -> GraphStatus:
        """Count what the graph holds and say how far running jobs are."""
        workspace = await self._open()
        with _translated():
            return await workspace.graph.status()

    async def export_graph(
        self, form: ExportFormat = "json", file_name: str | None = None
    ) -> GraphExport:
        """Write the graph in a common format, into the answer or a file of the data folder."""
        parsed = parse_file_name(file_name)
        workspace = await self._open()
        with _translated():
            return await workspace.graph.export(form, parsed)

    async def set_language_model(self, model: str | None) -> LanguageModelChange:
        """Let a model of Ollama read facts along with the rules until the engine is closed.

        None turns this off. What was read before is read again by the next build of the graph.
        """
        workspace = await self._open()
        with _translated():
            change = await workspace.set_language_model(model)
        _log.info("language_model_set", before=change.before, after=change.after)
        return change

    async def get_stats(self) -> Statistics:
        """Count what is stored and say how the parts are doing."""
        workspace = await self._open()
        average = self._query_seconds / self._queries * 1000 if self._queries else None
        with _translated():
            return await workspace.statistics(average)

    async def _open(self) -> Workspace:
        async with self._opening:
            if self._workspace is None:
                workspace = await asyncio.to_thread(
                    _create_workspace, self.settings, self._recipe, self._embedder
                )
                with _translated():
                    await workspace.open()
                self._workspace = workspace
            return self._workspace


def _create_workspace(
    settings: Settings, recipe: Recipe | None, embedder: Embedder | None
) -> Workspace:
    # Imported here because numpy, onnxruntime and the driver take longer to import than a host
    # waits for the first answer of a server.
    from zapomni_core.workspace import Workspace  # noqa: PLC0415

    return Workspace(settings, recipe=recipe, embedder=embedder)


@contextmanager
def _translated() -> Iterator[None]:
    from zapomni_db import (  # noqa: PLC0415  (as above; loaded by the time this runs)
        DataFolderUnusable,
        StoreError,
        StoreMismatch,
        StoreRefused,
    )

    try:
        yield
    except (DataFolderUnusable, StoreMismatch, StoreRefused) as exc:
        raise ConfigurationError(str(exc)) from exc
    except StoreError as exc:
        raise DatabaseError(_RETRY) from exc


def _ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)
