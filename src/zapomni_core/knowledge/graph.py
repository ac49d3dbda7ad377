"""The knowledge graph of an open workspace: built, asked, counted, exported."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import structlog

from zapomni_core.errors import ValidationError, ZapomniError
from zapomni_core.jobs import Arguments, Job, Jobs, Progress
from zapomni_core.knowledge import timeline
from zapomni_core.knowledge.building import Builder, Tally
from zapomni_core.knowledge.export import FILE_ENDINGS, Edge, Node, write_graph
from zapomni_core.knowledge.language_model import LanguageModel
from zapomni_core.knowledge.model import EntityExtractor
from zapomni_core.knowledge.results import (
    EntityDetails,
    ExportFormat,
    GraphBuilt,
    GraphExport,
    GraphStatus,
    Related,
)
from zapomni_core.knowledge.walking import Walker
from zapomni_core.models import Walk, moment_of, public_id
from zapomni_db import EntityNode, FactRecord, Store, StoreError

__all__ = ["KnowledgeGraph"]

_KIND = "build_graph"
# A client waits this long for an answer; the job goes on after it.
_PATIENCE_S = 20.0
_LONGEST_CONTENT = 1_000_000
# Reading takes a core from whoever stores and searches, so it waits for a pause of theirs, but
# not for ever.
_PAUSE_S, _LONGEST_WAIT_S = 0.5, 30.0
_LEFT_OVER = 200
# So many are looked through for what others have left; the store tells no more at once.
_UNREAD = 10_000
_PATIENCE_WITH_OTHERS_S = 5.0

_log = structlog.get_logger()


class KnowledgeGraph:
    """What memories say, as a graph; new memories are read in the background."""

    def __init__(
        self,
        store: Store,
        extractor: EntityExtractor,
        executor: Executor,
        jobs: Jobs,
        exports: Path,
    ) -> None:
        self._store = store
        self._builder = Builder(store, extractor, executor)
        self._walker = Walker(store)
        self._exports = exports
        self._jobs = jobs
        jobs.teach(_KIND, self._begin)
        self._tallies: dict[str, Tally] = {}
        self._new: asyncio.Queue[str] = asyncio.Queue()
        # What is in the queue or being gathered, and whether it is what others have left.
        self._waiting: dict[str, bool] = {}
        self._heard: set[str] = set()
        self._following: asyncio.Task[None] | None = None
        self._is_awaited = asyncio.Event()
        self._others = asyncio.Event()

    def use(self, model: LanguageModel | None) -> LanguageModel | None:
        """Let a language model read along from now on, or none; return the one until now."""
        before, self._builder.language_model = self._builder.language_model, model
        return before

    def follow(self) -> None:
        """Read new memories as they come, and the few that an ended process has left."""
        self._following = asyncio.create_task(self._keep_up())

    def notice(self, memory_id: str) -> None:
        """Hear of a new memory."""
        if self._following is not None:
            self._builder.forget(memory_id)
            self._await(memory_id, is_left=False)

    def hear_of_others(self, memory_ids: Iterable[str]) -> None:
        """Hear what another process has stored or changed, and may have left unread."""
        if self._following is not None:
            self._heard.update(memory_ids)
            self._others.set()

    async def settle(self) -> None:
        """Have the new memories read without a pause, and wait until they are."""
        self._is_awaited.set()
        await self._new.join()
        self._is_awaited.clear()

    async def close(self) -> None:
        """Stop reading; what was not read is read later."""
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following

    async def build(
        self,
        memory_ids: Sequence[str] | None,
        progress: Progress | None = None,
        *,
        shows_entities: bool = False,
    ) -> GraphBuilt:
        """Read memories, or all that are not in the graph yet, and wait a while for the end."""
        chosen = None if memory_ids is None else list(memory_ids)
        job = await self._begin({"memory_ids": chosen})
        await self._jobs.wait(job, _PATIENCE_S, progress)
        return await self._built(job, self._tallies[job.id], shows_entities=shows_entities)

    async def _begin(self, arguments: Arguments, job_id: str | None = None) -> Job:
        tally, memory_ids = Tally(), arguments["memory_ids"]

        async def read(report: Progress) -> None:
            if isinstance(memory_ids, list):
                await self._builder.build(memory_ids, tally, report)
            else:
                await self._builder.build_all(tally, report)

        job = self._jobs.start(_KIND, read, arguments, job_id)
        self._tallies[job.id] = tally
        return job

    async def cancel(self, job_id: str) -> GraphBuilt:
        """Give a job up; what it has read stays."""
        job = await self._jobs.cancel(job_id)
        return await self._built(job, self._tallies.get(job_id, Tally()), shows_entities=False)

    async def related(self, walk: Walk) -> Related:
        """Tell what is known about an entity."""
        has_forgotten, found = await asyncio.gather(
            self._store.knowledge.forget_expired(), self._walker.related(walk)
        )
        # Hardly ever is there anything to forget, and then the walk may have come too early.
        return await self._walker.related(walk) if has_forgotten else found

    async def keep_fact(self, fact_id: str, *, is_kept: bool) -> None:
        """Let nothing replace a fact, or let it be replaced again."""
        if not await self._store.knowledge.has_fact(fact_id):
            raise ValidationError("fact_id", "names no fact; get_related shows their ids")
        kept = self._store.kept_facts
        await (kept.keep(fact_id) if is_kept else kept.release(fact_id))

    async def status(self) -> GraphStatus:
        """Count what the graph holds."""
        knowledge = self._store.knowledge
        census, (built, total) = await asyncio.gather(
            knowledge.census(), knowledge.coverage(self._builder.name)
        )
        entities = sum(census.entities_by_type.values())
        pairs = entities * (entities - 1)
        return GraphStatus(
            entities=entities,
            entities_by_type=dict(census.entities_by_type),
            facts=census.facts,
            mentions=census.mentions,
            aliases=census.aliases,
            density=census.facts / pairs if pairs else 0.0,
            largest_component=census.largest_component,
            top_entities=tuple(_details(node) for node in census.most_mentioned),
            memories_built=built,
            memories_total=total,
            extractor=self._builder.name,
            jobs=tuple(job.report() for job in self._jobs.all()),
        )

    async def export(self, form: ExportFormat, file_name: str | None) -> GraphExport:
        """Write the graph into a file of the data folder, or into the answer if it is small."""
        nodes = [_node(entity) async for entity in _each(self._store.knowledge.all_entities())]
        facts = [fact async for fact in _each(self._store.knowledge.all_facts())]
        edges = _edges(facts, await self._store.kept_facts.all())
        if file_name is not None:
            path = await asyncio.to_thread(self._write, form, file_name, nodes, edges)
            return GraphExport(form, len(nodes), len(edges), None, str(path))
        content = await asyncio.to_thread(lambda: "".join(write_graph(form, nodes, edges)))
        if len(content) > _LONGEST_CONTENT:
            raise ValidationError(
                "file_name",
                f"is needed: the graph has {len(content):,} characters, too many for an answer",
            )
        return GraphExport(form, len(nodes), len(edges), content, None)

    def _write(
        self, form: ExportFormat, file_name: str, nodes: list[Node], edges: list[Edge]
    ) -> Path:
        self._exports.mkdir(mode=0o700, parents=True, exist_ok=True)
        ending = f".{FILE_ENDINGS[form]}"
        path = self._exports / (file_name if file_name.endswith(ending) else file_name + ending)
        unfinished = path.with_name(f".{path.name}.part")
        with unfinished.open("w", encoding="utf-8") as file:
            file.writelines(write_graph(form, nodes, edges))
        return unfinished.replace(path)

    async def _built(self, job: Job, tally: Tally, *, shows_entities: bool) -> GraphBuilt:
        nodes: list[EntityNode] = []
        if shows_entities and tally.entity_ids:
            nodes = await self._store.knowledge.entities_by_id(list(tally.entity_ids))
        return GraphBuilt(
            job=job.report(),
            memories=tally.memories,
            entities_created=tally.counts.entities_created,
            entities_merged=tally.counts.entities_merged,
            mentions=tally.counts.mentions,
            facts=tally.counts.facts,
            aliases=tally.counts.aliases,
            confidence=None if tally.confidence is None else round(tally.confidence, 4),
            entities=tuple(_details(node) for node in sorted(nodes, key=lambda n: -n.mentions)),
            notice=_notice(job, tally),
        )

    async def _keep_up(self) -> None:
        # Neither goes on without the other, and both have ended when this has.
        async with asyncio.TaskGroup() as both:
            both.create_task(self._follow())
            both.create_task(self._listen())

    async def _follow(self) -> None:
        for memory_id in await self._left_over():
            self._await(memory_id, is_left=True)
        while True:
            batch = await self._gathered()
            left = {memory_id for memory_id in batch if self._waiting.pop(memory_id)}
            try:
                await self._builder.keep_up(batch, partial(self._still_unread, left))
            except (StoreError, ZapomniError) as exc:
                # They are read later: nobody waits for this.
                _log.warning("graph_not_built", memories=len(batch), error=type(exc).__name__)
            finally:
                for _ in batch:
                    self._new.task_done()

    async def _listen(self) -> None:
        while True:
            await self._others.wait()
            # A process that goes on reads what it has stored by itself.
            await asyncio.sleep(_PATIENCE_WITH_OTHERS_S)
            self._others.clear()
            heard, self._heard = self._heard, set()
            for memory_id in await self._left_of(heard):
                self._await(memory_id, is_left=True)

    def _await(self, memory_id: str, *, is_left: bool) -> None:
        """Have a memory read, once if it is waiting already."""
        if memory_id not in self._waiting:
            self._new.put_nowait(memory_id)
        self._waiting[memory_id] = is_left and self._waiting.get(memory_id, True)

    async def _still_unread(self, left: set[str], memory_ids: Sequence[str]) -> list[str]:
        """Leave out what others have left and somebody has read since."""
        read = left.intersection(memory_ids)
        if read:
            read.difference_update(await self._unread())
        return [each for each in memory_ids if each not in read]

    async def _gathered(self) -> list[str]:
        """Wait for new memories, and then until no more come."""
        batch = [await self._new.get()]
        started = time.monotonic()
        while time.monotonic() - started < _LONGEST_WAIT_S:
            arriving = asyncio.create_task(self._new.get())
            awaited = asyncio.create_task(self._is_awaited.wait())
            await asyncio.wait(
                [arriving, awaited], timeout=_PAUSE_S, return_when=asyncio.FIRST_COMPLETED
            )
            awaited.cancel()
            if not arriving.done():
                arriving.cancel()
                break
            batch.append(arriving.result())
        return batch

    async def _left_over(self) -> list[str]:
        """Find what a process that ended early did not read; an old store waits to be asked."""
        try:
            left = await self._unread(_LEFT_OVER + 1)
        except StoreError:
            return []
        return left if len(left) <= _LEFT_OVER else []

    async def _left_of(self, heard: set[str]) -> list[str]:
        """Find what is left unread of what others have stored, unless it was tried here."""
        try:
            left = [each for each in await self._unread() if each in heard]
            return await self._builder.untried(left) if len(left) <= _LEFT_OVER else []
        except StoreError:
            return []

    async def _unread(self, most: int = _UNREAD) -> list[str]:
        return await self._store.knowledge.unbuilt(self._builder.name, most)


async def _each[T](pages: AsyncIterator[list[T]]) -> AsyncIterator[T]:
    async for page in pages:
        for row in page:
            yield row


def _details(node: EntityNode) -> EntityDetails:
    return EntityDetails(node.id, node.name, node.type, node.mentions)


def _notice(job: Job, tally: Tally) -> str | None:
    if job.state == "failed":
        return f"The job failed: {job.error}"
    notices = []
    if missing := job.done - tally.memories:
        notices.append(f"{missing} of the ids name no memory.")
    if tally.unread:
        notices.append(
            f"The language model did not read {len(tally.unread)} memories, so the rules alone "
            f"did: {tally.problem} Call build_graph again later to have it read them."
        )
    if tally.out_of_form:
        notices.append(
            f"In {tally.out_of_form} texts the language model answered out of form, so the rules "
            "alone read those."
        )
    return " ".join(notices) or None


def _node(entity: EntityNode) -> Node:
    return Node(entity.id, entity.name, entity.type, entity.mentions)


def _edges(facts: Sequence[FactRecord], kept: frozenset[str]) -> list[Edge]:
    now_ms = int(datetime.now(UTC).timestamp() * 1000)
    assertions = [
        timeline.Assertion(
            fact_id=fact.id,
            subject=fact.subject_id,
            predicate=fact.predicate,
            object=fact.object_id,
            confidence=fact.confidence,
            said_ms=fact.said_ms,
            since_ms=fact.since_ms,
            until_ms=fact.until_ms,
            memory_id=fact.memory_id,
            chunk_id=fact.chunk_id,
            start=fact.start,
            end=fact.end,
        )
        for fact in facts
    ]
    return [
        Edge(
            id=state.fact_id,
            source=state.subject,
            target=state.object,
            predicate=state.predicate,
            confidence=round(state.confidence, 4),
            status=state.status,
            since=_day(state.since_ms),
            until=_day(state.until_ms),
            memories=tuple(dict.fromkeys(public_id(one.memory_id) for one in state.evidence)),
        )
        for state in timeline.states(assertions, now_ms, kept)
    ]


def _day(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    return moment_of(milliseconds).isoformat()
