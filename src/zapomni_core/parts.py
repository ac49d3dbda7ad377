"""What a workspace can do besides searching: graph, code, single memories, much at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from zapomni_core.code.codebase import Codebase
from zapomni_core.code.memories import CodeMemories
from zapomni_core.code.places import CodePlaces
from zapomni_core.errors import ZapomniError
from zapomni_core.intake import Intake, Storing
from zapomni_core.jobs import Jobs
from zapomni_core.knowledge.graph import KnowledgeGraph
from zapomni_core.life.adding import Adding
from zapomni_core.life.identity import Echoes
from zapomni_core.life.memories import Life
from zapomni_core.life.writing import Writer
from zapomni_core.retrieval import WordIndex
from zapomni_core.shared import SharedParts
from zapomni_db import Keyspace, Store, StoreError

__all__ = ["Parts", "Searching"]

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Searching:
    """What a workspace searches with.

    `prepare` binds the store to its model, `is_warm` waits a while for the word index.
    """

    store: Store
    index: WordIndex
    jobs: Jobs
    places: CodePlaces
    echoes: Echoes
    prepare: Callable[[], Awaitable[None]]
    is_warm: Callable[[], Awaitable[bool]]


class Parts:
    """All of this is at work from the beginning on, in the background."""

    def __init__(self, shared: SharedParts, keyspace: Keyspace, searching: Searching) -> None:
        settings, readers = shared.settings, shared.readers
        store, index, jobs = searching.store, searching.index, searching.jobs
        self._prepare = searching.prepare
        self.graph = KnowledgeGraph(
            store, readers.extractor, shared.executor, jobs, shared.exports_folder(keyspace)
        )
        self.graph.use(readers.language_model(keyspace))
        self.code = Codebase(
            store,
            shared.embedder,
            shared.executor,
            CodeMemories(store, index, searching.places),
            jobs,
            settings,
            shared.code_words_folder(keyspace),
        )
        writer = Writer(shared.embedder, shared.executor)
        self.adding = Adding(store, index, writer, searching.echoes, settings)
        self.life = Life(
            store=store,
            index=index,
            graph=self.graph,
            places=searching.places,
            writer=writer,
            echoes=searching.echoes,
            hides_secrets=settings.redact_secrets,
            prepare=searching.prepare,
            is_warm=searching.is_warm,
        )
        self.intake = Intake(
            Storing(store, index, self.graph, writer, shared.intake_lock(keyspace)),
            readers.documents,
            jobs,
            self.life,
            searching.prepare,
            hides_secrets=settings.redact_secrets,
        )
        if settings.auto_graph:
            self.graph.follow()
        self._learning = asyncio.create_task(self._learn_code())

    async def end_background(self) -> None:
        """Stop what nobody waits for."""
        self._learning.cancel()
        await asyncio.gather(self._learning, return_exceptions=True)
        await self.graph.close()

    async def _learn_code(self) -> None:
        """Go on with what a process that ended has left."""
        try:
            await self._prepare()
            await self.code.upkeep.learning.learn_left_over()
        except (ZapomniError, StoreError) as exc:
            _log.warning("code_not_learned", error=str(exc))
