"""What the engine can be asked about people, things and facts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

import structlog

from zapomni_core.errors import ValidationError
from zapomni_core.models import Metadata, Walk
from zapomni_core.opening import Opening, milliseconds_since
from zapomni_core.validation import (
    parse_as_of,
    parse_depth,
    parse_file_name,
    parse_limit,
    parse_memory_ids,
    parse_metadata,
    parse_name,
    parse_text,
)

if TYPE_CHECKING:
    from zapomni_core.jobs import Progress
    from zapomni_core.knowledge.language_model import LanguageModelChange
    from zapomni_core.knowledge.results import (
        ExportFormat,
        GraphBuilt,
        GraphExport,
        GraphStatus,
        Related,
    )

__all__ = ["GraphEngine"]

_log = structlog.get_logger()


class GraphEngine(Opening):
    """Builds the knowledge graph and answers questions about it."""

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
        async with self._working() as workspace:
            if parsed is not None:
                return await workspace.build_graph_of(parsed, details, progress)
            return await workspace.graph.build(known, progress)

    async def cancel_build(self, job_id: str) -> GraphBuilt:
        """Give up a job that builds the graph; what it has read stays."""
        async with self._working() as workspace:
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
        async with self._working() as workspace:
            started = time.perf_counter()
            found = await workspace.related(walk)
        _log.info("graph_walked", relations=len(found.relations), ms=milliseconds_since(started))
        return found

    async def keep_fact(self, fact_id: str, *, is_kept: bool = True) -> None:
        """Say that a fact holds on although a newer one seems to replace it, or take that back."""
        async with self._working() as workspace:
            await workspace.graph.keep_fact(fact_id, is_kept=is_kept)

    async def graph_status(self) -> GraphStatus:
        """Count what the graph holds and say how far running jobs are."""
        async with self._working() as workspace:
            return await workspace.graph.status()

    async def export_graph(
        self, form: ExportFormat = "json", file_name: str | None = None
    ) -> GraphExport:
        """Write the graph in a common format, into the answer or a file of the data folder."""
        parsed = parse_file_name(file_name)
        async with self._working() as workspace:
            return await workspace.graph.export(form, parsed)

    async def set_language_model(self, model: str | None) -> LanguageModelChange:
        """Let a model of Ollama read facts along with the rules until the engine is closed.

        None turns this off. What was read before is read again by the next build of the graph.
        """
        async with self._working() as workspace:
            change = await workspace.set_language_model(model)
        _log.info("language_model_set", before=change.before, after=change.after)
        return change
