"""An engine that answers the documented calls always the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from scripts.docs_examples import (
    CODE_CALLS,
    GRAPH_CALLS,
    LIFE_CALLS,
    MEMORY,
    MEMORY_ID,
    METADATA,
    MINUTES,
    PROJECT_FOLDER,
    READ_MINUTES,
    WORKSPACE,
)
from zapomni_core import (
    CLEAR_PHRASE,
    MemoryEngine,
    MemoryResult,
    SearchFilters,
    SearchResultItem,
    SearchResults,
    Statistics,
    ValidationError,
    WorkspaceDeleted,
    WorkspaceInfo,
)
from zapomni_core.code.files.roots import Roots
from zapomni_core.code.repositories import chosen, known_languages
from zapomni_core.code.results import (
    CallGraph,
    CodeHits,
    CodeIndexed,
    CodeOverview,
    CodeStatus,
    Direction,
    SymbolView,
)
from zapomni_core.intake import DocumentOutcome, DocumentsAdded
from zapomni_core.jobs import JobReport
from zapomni_core.knowledge.language_model import LanguageModelChange
from zapomni_core.knowledge.results import (
    ExportFormat,
    GraphBuilt,
    GraphExport,
    GraphStatus,
    Related,
)
from zapomni_core.life.listing import Cursor
from zapomni_core.life.results import (
    Cleared,
    MemoryDeleted,
    MemoryDetails,
    MemoryPage,
    MemoryUpdated,
    Order,
    PruneKind,
    PruneReport,
)
from zapomni_core.validation import parse_file_name, parse_query, parse_text
from zapomni_db.code import RepositoryRecord

__all__ = ["ExampleEngine"]

_ANSWERED = [call for call in LIFE_CALLS if call["answer"] is not None]


class ExampleEngine(MemoryEngine):
    """Answers with the numbers of one real run, so that they stay put."""

    async def initialize(self) -> None:
        """Open nothing."""

    async def add_memory(
        self, text: str, metadata: dict[str, Any] | None = None, progress: object = None
    ) -> MemoryResult:
        """Pretend to store a text, unless it was stored before or had something to hide."""
        del progress
        given = {"text": text, "metadata": metadata}
        if any(call["arguments"] == given for call in LIFE_CALLS):
            return _recorded(LIFE_CALLS, MemoryResult, "add_memory", **given)
        return MemoryResult(MEMORY_ID, 1, parse_text(text)[:100])

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
        """Find the one memory, unless a source is asked for that it does not have."""
        del min_score, max_tokens, explain
        if self.workspace == "thesys":
            raise ValidationError(
                "workspace",
                "'thesys' does not exist; did you mean thesis? list_workspaces shows all, "
                "create_workspace makes one",
            )
        parse_query(query)
        wanted = filters or SearchFilters()
        is_found = limit > 0 and wanted.source in (None, METADATA["source"])
        return SearchResults((_example_hit(),) if is_found else ())

    async def get_stats(self) -> Statistics:
        """Return the statistics of a memory with one text in it."""
        return Statistics(
            total_memories=1,
            total_chunks=1,
            database_size_mb=3.92,
            graph_name="zapomni",
            cache_hit_rate=0.0,
            avg_query_latency_ms=22.0,
            embedding_model="zapomni-small-2",
            embedding_dimension=384,
            database="embedded",
            disk_size_mb=0.005,
            pool_size=20,
            pool_in_use=1,
            state="ready",
        )

    async def build_graph(self, text: str | None = None, *_: object, **__: object) -> GraphBuilt:
        """Return what was found in a text."""
        return _recorded(GRAPH_CALLS, GraphBuilt, "build_graph", text=text)

    async def cancel_build(self, job_id: str) -> GraphBuilt:
        """Know no job."""
        raise ValidationError("job_id", f"{job_id} is not there")

    async def get_related(self, entity: str, *, as_of: object = None, **_: object) -> Related:
        """Return what was known about a name."""
        return _recorded(GRAPH_CALLS, Related, "get_related", entity=entity, as_of=as_of)

    async def graph_status(self) -> GraphStatus:
        """Return the counts of the graph."""
        return _recorded(GRAPH_CALLS, GraphStatus, "graph_status")

    async def export_graph(
        self, form: ExportFormat = "json", file_name: str | None = None
    ) -> GraphExport:
        """Return what was written, and where."""
        parse_file_name(file_name)
        return _recorded(
            GRAPH_CALLS, GraphExport, "export_graph", format=form, file_name=file_name
        )

    async def keep_fact(self, fact_id: str, *, is_kept: bool = True) -> None:
        """Keep any fact."""

    async def set_language_model(self, model: str | None) -> LanguageModelChange:
        """Know no other model."""
        return LanguageModelChange(None, model)

    async def allow_code(self, folders: Sequence[Path], *, is_lasting: bool = True) -> None:
        """Allow any folder."""

    async def embed_code(self, progress: object = None) -> None:
        """Have everything embedded already."""

    async def index_codebase(
        self,
        path: str,
        *,
        languages: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        is_full: bool = False,
        progress: object = None,
        patience_s: float | None = None,
    ) -> CodeIndexed:
        """Return what was read in the one folder."""
        del exclude, is_full, progress, patience_s
        known_languages(languages or ())
        if path != PROJECT_FOLDER:
            Roots(()).allowed(path)
        return _recorded(CODE_CALLS, CodeIndexed, "index_codebase", path=path)

    async def cancel_indexing(self, job_id: str) -> CodeIndexed:
        """Know no job."""
        del job_id
        raise ValidationError("cancel_job", "names no job; code_status lists them")

    async def search_code(self, query: str, **given: Any) -> CodeHits:
        """Return what was found."""
        _known(given["repository"])
        return _recorded(CODE_CALLS, CodeHits, "search_code", query=query)

    async def get_symbol(self, symbol: str, *, repository: str | None = None) -> SymbolView:
        """Return what was known about a symbol."""
        _known(repository)
        return _recorded(CODE_CALLS, SymbolView, "get_symbol", symbol=symbol)

    async def get_call_graph(
        self, symbol: str, direction: Direction = "callers", **given: Any
    ) -> CallGraph:
        """Return who called whom."""
        _known(given["repository"])
        return _recorded(
            CODE_CALLS, CallGraph, "get_call_graph", symbol=symbol, direction=direction
        )

    async def code_overview(
        self, repository: str | None = None, max_tokens: int = 2000
    ) -> CodeOverview:
        """Return the project at a glance."""
        del max_tokens
        _known(repository)
        return _recorded(CODE_CALLS, CodeOverview, "code_overview")

    async def code_status(self) -> CodeStatus:
        """Return what was indexed."""
        return _recorded(CODE_CALLS, CodeStatus, "code_status")

    async def create_workspace(self, name: str, description: str = "") -> WorkspaceInfo:
        """Return the one that was made."""
        return _workspace(name, description, current="")

    async def find_workspace(self, name: str) -> WorkspaceInfo:
        """Find any."""
        return _workspace(name, WORKSPACE, self.workspace)

    async def list_workspaces(self) -> list[WorkspaceInfo]:
        """Return the default one and the one that was made."""
        default = _workspace("default", "", self.workspace)
        return [default, _workspace("thesis", WORKSPACE, self.workspace)]

    async def delete_workspace(self, name: str, confirm: str) -> WorkspaceDeleted:
        """Return what went; refuse what is not confirmed."""
        if name != confirm:
            return await super().delete_workspace(name, confirm)
        return WorkspaceDeleted(name, MINUTES.count("## "))

    async def add_document_text(self, text: str | bytes, name: str, **_: object) -> DocumentsAdded:
        """Return what was read."""
        sections = str(text).count("## ")
        return DocumentsAdded(
            READ_MINUTES,
            added=1,
            updated=0,
            unchanged=0,
            skipped={},
            failed=0,
            memories_added=sections,
            memories_removed=0,
            secrets_hidden={},
            files=(DocumentOutcome(name, "added", "", sections),),
        )

    async def add_documents(
        self, paths: Sequence[str | PathLike[str]], **_: object
    ) -> DocumentsAdded:
        """Allow no file."""
        raise AssertionError(Roots(()).allowed(str(paths[0])))

    async def jobs(self) -> list[JobReport]:
        """Return the one job of the workspace."""
        return [READ_MINUTES]

    async def cancel_job(self, job_id: str) -> JobReport:
        """Find it done already."""
        del job_id
        return READ_MINUTES

    async def resume_job(self, job_id: str, *_: object, **__: object) -> JobReport:
        """Know no such job."""
        del job_id
        raise ValidationError("job_id", "names no job; list_jobs shows them")

    async def get_memory(self, memory_id: str) -> MemoryDetails:
        """Return a memory that was there."""
        if not any(call["arguments"].get("memory_id") == memory_id for call in _ANSWERED):
            raise ValidationError(
                "memory_id", "names no memory; search_memory and list_memories show their ids"
            )
        return _recorded(LIFE_CALLS, MemoryDetails, "get_memory", memory_id=memory_id)

    async def list_memories(
        self,
        filters: SearchFilters | None = None,
        *,
        order: Order = "newest",
        cursor: str | None = None,
        limit: int = 20,
        with_counts: bool = False,
    ) -> MemoryPage:
        """Return the one page."""
        del filters, with_counts
        Cursor.parse(cursor, order)
        return _recorded(LIFE_CALLS, MemoryPage, "list_memories", limit=limit)

    async def update_memory(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: dict[str, Any] | None = None,
        progress: object = None,
    ) -> MemoryUpdated:
        """Return what was changed; refuse no change at all."""
        del progress
        if text is None and not metadata:
            return await super().update_memory(memory_id)
        return _recorded(LIFE_CALLS, MemoryUpdated, "update_memory", text=text)

    async def delete_memory(
        self, memory_id: str, *, confirm: bool = False, erase: bool = False
    ) -> MemoryDeleted:
        """Return what went; refuse what is not confirmed."""
        if not confirm:
            return await super().delete_memory(memory_id, erase=erase)
        return _recorded(LIFE_CALLS, MemoryDeleted, "delete_memory", memory_id=memory_id)

    async def clear_all(self, phrase: str, *, erase: bool = False) -> Cleared:
        """Return what went; refuse any other phrase."""
        if phrase != CLEAR_PHRASE:
            return await super().clear_all(phrase)
        return _recorded(LIFE_CALLS, Cleared, "clear_all", erase=erase)

    async def prune_memory(
        self,
        kinds: Sequence[PruneKind] | None = None,
        *,
        dry_run: bool = True,
        older_than_days: int = 90,
        path: str | None = None,
    ) -> PruneReport:
        """Return what was found; refuse to remove what is not named."""
        del path
        if not dry_run and not kinds:
            return await super().prune_memory(dry_run=False)
        return _recorded(
            LIFE_CALLS, PruneReport, "prune_memory", kinds=kinds, older_than_days=older_than_days
        )


def _known(repository: str | None) -> None:
    name = Path(PROJECT_FOLDER).name
    chosen([RepositoryRecord(name, PROJECT_FOLDER, name)], repository)


def _recorded[T](
    calls: Sequence[Mapping[str, Any]], kind: type[T], tool: str, **given: object
) -> T:
    (answer,) = [
        call["answer"]
        for call in calls
        if call["tool"] == tool
        and all(call["arguments"].get(name) == value for name, value in given.items())
        and call["answer"] is not None
    ]
    return TypeAdapter(kind).validate_python(answer)


def _workspace(name: str, description: str, current: str) -> WorkspaceInfo:
    is_default = name == "default"
    created = None if is_default else datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
    return WorkspaceInfo(name, description, created, 0, is_default, name == current)


def _example_hit() -> SearchResultItem:
    return SearchResultItem(
        memory_id=MEMORY_ID,
        text=MEMORY,
        similarity_score=0.7439,
        tags=tuple(METADATA["tags"]),
        source=str(METADATA["source"]),
        timestamp=datetime(2025, 11, 24, 10, 30, tzinfo=UTC),
        highlight=MEMORY,
        chunk_id="ba467289-547e-4036-87e8-c88587dce2b2",
        chunk_index=0,
        start_char=0,
        end_char=len(MEMORY),
        metadata=dict(METADATA),
    )
