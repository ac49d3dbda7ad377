"""An open workspace: a store, an embedder and a word index at work together."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import structlog

from zapomni_core.answers import collapsed, explained, item_of, within
from zapomni_core.code.places import CodePlaces
from zapomni_core.errors import ZapomniError
from zapomni_core.jobs import Job, Jobs, Progress
from zapomni_core.knowledge.searching import named_chunks
from zapomni_core.life.identity import Echoes
from zapomni_core.models import (
    MemoryResult,
    Search,
    SearchFilters,
    SearchResultItem,
    SearchResults,
    Statistics,
    Walk,
    stored_id,
)
from zapomni_core.retrieval import Filters, Hit, Searcher, WordIndex
from zapomni_core.shared import SharedParts
from zapomni_core.validation import ParsedMetadata, end_of_day_ms, start_of_day_ms
from zapomni_db import (
    EmbeddingStamp,
    Keyspace,
    Store,
    StoreError,
)

if TYPE_CHECKING:
    from zapomni_core.code.codebase import Codebase
    from zapomni_core.intake import Audit, Intake
    from zapomni_core.knowledge.graph import KnowledgeGraph
    from zapomni_core.knowledge.language_model import LanguageModelChange
    from zapomni_core.knowledge.results import GraphBuilt, Related
    from zapomni_core.life.memories import Life
    from zapomni_core.life.results import MemoryPage, Order
    from zapomni_core.parts import Parts

__all__ = ["Progress", "Workspace"]

# The same text has the same id if it was given to be read for the graph.
_TEXTS_TO_READ = uuid.UUID("5b1c7a0e-6c5f-4d53-9f0a-2a0d6c1f7e11")
# A search waits this long for the word index before it answers with vectors alone.
_PATIENCE_S = 2.0
_NOTHING_FITS = "Nothing that is stored seems to answer this; these are only the closest memories."
_WARMING = (
    "The word index is still loading, so these results come from the vectors alone and may be "
    "incomplete. Search again in a few seconds."
)

_log = structlog.get_logger()


class Workspace:
    """Adds to and searches one memory. Open it once and share it."""

    def __init__(self, shared: SharedParts, keyspace: Keyspace, name: str) -> None:
        self._embedder = shared.embedder
        self.name, self.keyspace = name, keyspace
        self._shared = shared
        self._store = Store(shared.connection, keyspace)
        # A thread of its own: searches wait for changes to the words, and those must not queue
        # behind texts that are being embedded, or behind the words of another workspace.
        self._words_executor = ThreadPoolExecutor(1, thread_name_prefix="zapomni-words")
        self._index = WordIndex(
            self._store,
            self._words_executor,
            shared.words_file(keyspace),
            hear_of_others=self._hear_of_others,
        )
        self._searcher = Searcher(self._store, self._index, shared.recipe, shared.judge)
        self.jobs = Jobs(self._store.jobs)
        self._places = CodePlaces(self._store.code)
        self._echoes = Echoes()
        self._parts: Parts | None = None
        self._is_closed = False
        self._queries = 0
        self._query_seconds = 0.0
        self._preparing: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._claim_lock = asyncio.Lock()
        self._claimed: EmbeddingStamp | None = None

    async def open(self) -> None:
        """Prepare the store; the word index and the model load in the background."""
        await self._store.open()
        self._loading = asyncio.create_task(self._index.load())
        self._preparing = asyncio.create_task(self._prepare_model())

    async def close(self) -> None:
        """Save the word index; nothing acknowledged depends on this."""
        self._is_closed = True
        tasks = [task for task in (self._preparing, self._loading) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._parts is not None:
            await self._parts.end_background()
        await self.jobs.close()
        if self._parts is not None:
            await self._parts.code.close()
        try:
            await self._index.save()
        finally:
            self._words_executor.shutdown(wait=False, cancel_futures=True)

    @property
    def parts(self) -> Parts:
        """All that a workspace can do besides searching; loaded when it is first needed."""
        if self._is_closed:
            raise StoreError("The workspace was closed meanwhile.")
        if self._parts is None:
            # A command that only searches is over before all of this would be imported; a server
            # has it imported by `Workspaces.complete`.
            from zapomni_core.parts import Parts, Searching  # noqa: PLC0415

            searching = Searching(
                store=self._store,
                index=self._index,
                jobs=self.jobs,
                places=self._places,
                echoes=self._echoes,
                prepare=self._claim,
                is_warm=self._is_index_ready,
            )
            self._parts = Parts(self._shared, self.keyspace, searching)
        return self._parts

    @property
    def graph(self) -> KnowledgeGraph:
        """What the memories say, as a graph."""
        return self.parts.graph

    @property
    def code(self) -> Codebase:
        """The indexed source code."""
        return self.parts.code

    @property
    def life(self) -> Life:
        """Single memories: read, listed, changed, deleted."""
        return self.parts.life

    @property
    def intake(self) -> Intake:
        """Documents and exports of other programs, taken in."""
        return self.parts.intake

    @property
    def is_busy(self) -> bool:
        """Whether long work is going on."""
        return any(job.state == "running" for job in self.jobs.all())

    async def add(
        self, text: str, metadata: ParsedMetadata, progress: Progress | None = None
    ) -> MemoryResult:
        """Store a text unless it is a memory already; it is durable and found from then on."""
        await self._claim()
        result = await self.parts.adding.add(text, metadata, progress)
        memory_id = uuid.UUID(result.memory_id).hex
        if result.is_duplicate:
            await self.life.merge(memory_id, metadata)
        else:
            self.graph.notice(memory_id)
        return result

    async def build_graph_of(
        self, text: str, metadata: ParsedMetadata, progress: Progress | None = None
    ) -> GraphBuilt:
        """Store a text, unless this was done before, and put what it says into the graph."""
        memory_id = uuid.uuid5(_TEXTS_TO_READ, text)
        if not await self._store.knowledge.texts_of([memory_id.hex]):
            await self._claim()
            await self.parts.adding.add(text, metadata, progress, memory_id=memory_id)
        return await self.graph.build([memory_id.hex], progress, shows_entities=True)

    async def set_language_model(self, model: str | None) -> LanguageModelChange:
        """Let another model of Ollama read for the graph from now on, or none."""
        from zapomni_core.knowledge.language_model import LanguageModelChange  # noqa: PLC0415

        chosen = await self._shared.readers.choose(self.keyspace, model)
        before = self.graph.use(chosen)
        return LanguageModelChange(
            None if before is None else before.model, None if chosen is None else chosen.model
        )

    async def resume_job(self, job_id: str) -> Job:
        """Take up a job that was cut off or given up; every part knows the jobs of its kind."""
        _ = self.parts
        return await self.jobs.resume(job_id)

    async def search(self, search: Search) -> SearchResults:
        """Find memories that answer a query."""
        started = time.perf_counter()
        found = await self._found(search)
        self._queries += 1
        self._query_seconds += time.perf_counter() - started
        return found

    async def _found(self, search: Search) -> SearchResults:
        await self._claim()
        if await self._is_index_ready():
            return await self._search(search)
        vectors = await self._embedder.embed([search.query], "query")
        hits = await self._searcher.answer_by_vector(
            vectors[0], search.limit, _filters(search.filters)
        )
        items = [item_of(answer, search.query) for answer in collapsed(hits, search.limit)]
        return SearchResults(tuple(items), _WARMING)

    async def list_memories(
        self,
        filters: SearchFilters,
        order: Order,
        cursor: str | None,
        limit: int,
        *,
        with_counts: bool = False,
    ) -> MemoryPage:
        """Show memories in order, page by page."""
        chosen = _filters(filters)
        return await self.life.list(chosen, order, cursor, limit, with_counts=with_counts)

    async def audit(self, progress: Progress | None = None) -> Audit:
        """Count junk."""
        from zapomni_core.intake import audit  # noqa: PLC0415  (as in `parts`)

        return await audit(self._store, progress)

    async def related(self, walk: Walk) -> Related:
        """Tell what is known about an entity."""
        if self._index.is_ready:
            await self._index.catch_up()  # others may have stored something that nobody has read
        found = await self.graph.related(walk)
        for evidence in (each for relation in found.relations for each in relation.evidence):
            self._echoes.note(evidence.text, stored_id(evidence.memory_id))
        return found

    def _hear_of_others(self, memory_ids: Sequence[str]) -> None:
        if self._parts is not None:
            self._parts.graph.hear_of_others(memory_ids)

    async def _search(self, search: Search) -> SearchResults:
        # Some to spare: those that say the same become one.
        enough = search.limit + search.limit // 2 + 1
        vectors, question, named = await asyncio.gather(
            self._embedder.embed([search.query], "query"),
            self._searcher.ask(search.query, enough, _filters(search.filters)),
            named_chunks(self._store.knowledge, search.query),
        )
        hits = await self._searcher.answer(question, vectors[0], named)
        is_confident = self._searcher.is_confident(hits)
        answers = collapsed([h for h in hits if h.score >= search.min_score], search.limit)
        items = [item_of(answer, search.query) for answer in answers]
        if search.explain:
            texts = await self._texts_around([answer.hit for answer in answers])
            phrase = question.period.phrase if question.period else None
            items = [
                explained(item, answer.hit, search, phrase, texts)
                for item, answer in zip(items, answers, strict=True)
            ]
        items = await self._with_code(items)
        kept = within(items, search.max_tokens, self._embedder.count_tokens, search.query)
        for item in kept:
            self._echoes.note(item.text, stored_id(item.memory_id))
        return SearchResults(tuple(kept), _notice(items, kept, is_confident), is_confident)

    async def _with_code(self, items: Sequence[SearchResultItem]) -> list[SearchResultItem]:
        """Say of each item which code it mentions, and whether that has changed since."""
        said = [(item.text, round(item.timestamp.timestamp() * 1000)) for item in items]
        mentioned = await self._places.mentioned(said)
        return [replace(item, code=code) for item, code in zip(items, mentioned, strict=True)]

    async def _texts_around(self, hits: Sequence[Hit]) -> dict[str, str]:
        ranked = [hit.ranked for hit in hits if hit.ranked is not None]
        ids = {place for one in ranked for place in (one.before, one.after) if place is not None}
        records = await self._store.hits(sorted(ids)) if ids else []
        return {record.chunk_id: record.text for record in records}

    async def statistics(self) -> Statistics:
        """Count what is stored and say how the parts are doing."""
        average = self._query_seconds / self._queries * 1000 if self._queries else None
        counts = await self._store.counts()
        return Statistics(
            total_memories=counts.memories,
            total_chunks=counts.chunks,
            database_size_mb=counts.memory_bytes / 1e6,
            graph_name=self._store.graph_name,
            cache_hit_rate=self._embedder.hit_rate,
            avg_query_latency_ms=average,
            embedding_model=self._embedder.model_id,
            embedding_dimension=self._claimed.dimension if self._claimed else None,
            database=self._store.mode,
            disk_size_mb=counts.disk_bytes / 1e6,
            pool_size=self._store.pool.size,
            pool_in_use=self._store.pool.in_use,
            state="ready" if self._index.is_ready and not counts.is_indexing else "warming",
            workspace=self.name,
        )

    async def _prepare_model(self) -> None:
        try:
            await self._claim()
        except (ZapomniError, StoreError) as exc:
            _log.warning("model_not_ready", error=str(exc))  # the first call that needs it raises

    async def _claim(self) -> None:
        async with self._claim_lock:
            if self._claimed is not None:
                return
            stamp = EmbeddingStamp(self._embedder.model_id, await self._embedder.dimension())
            await self._store.claim(stamp)
            self._claimed = stamp
            await self._store.check()

    async def _is_index_ready(self) -> bool:
        if self._index.is_ready:
            return True
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._index.load())
        done, _ = await asyncio.wait([self._loading], timeout=_PATIENCE_S)
        for task in done:
            task.result()
        return self._index.is_ready


def _filters(filters: SearchFilters) -> Filters:
    return Filters(
        tags=frozenset(filters.tags),
        source=filters.source,
        from_ms=start_of_day_ms(filters.date_from) if filters.date_from else None,
        to_ms=end_of_day_ms(filters.date_to) if filters.date_to else None,
    )


def _notice(
    items: Sequence[SearchResultItem], kept: Sequence[SearchResultItem], is_confident: bool
) -> str | None:
    notices = []
    if items and not is_confident:
        notices.append(_NOTHING_FITS)
    if len(kept) < len(items):
        notices.append(f"{len(items) - len(kept)} more results did not fit into max_tokens.")
    return " ".join(notices) or None
