"""The code of an open workspace: indexed, searched, asked about."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import asdict, replace
from pathlib import Path

from zapomni_core.code.allowed import NamedFolders
from zapomni_core.code.asking import Asking, details_of
from zapomni_core.code.files.roots import Roots
from zapomni_core.code.finding import CodeFinder, CodeSearch, FoundCode
from zapomni_core.code.indexing import Indexing, Tally, Wanted
from zapomni_core.code.locking import locked
from zapomni_core.code.meaning import embed_all
from zapomni_core.code.memories import CodeMemories
from zapomni_core.code.overview import overview
from zapomni_core.code.parsing.pool import ParserPool
from zapomni_core.code.repositories import check_languages, chosen, named, repository_id
from zapomni_core.code.resolved import Resolved
from zapomni_core.code.results import (
    CallGraph,
    CodeHit,
    CodeHits,
    CodeIndexed,
    CodeOverview,
    CodeStatus,
    Direction,
    RepositoryStatus,
    SymbolView,
)
from zapomni_core.code.searching.ranking import Signals
from zapomni_core.code.sources import Excerpt
from zapomni_core.embedding.protocol import Embedder
from zapomni_core.errors import ValidationError
from zapomni_core.jobs import Job, Jobs, Progress
from zapomni_core.models import CodeMention, moment_of
from zapomni_core.settings import Settings
from zapomni_db import Store
from zapomni_db.code import RepositoryRecord

__all__ = ["PATIENCE_S", "Codebase"]

_INDEX, _EMBED = "index_codebase", "embed_code"
# A client waits this long for an answer; the job goes on after it.
PATIENCE_S = 20.0
_LINES_PER_HIT = 40
_IMPACT_DEPTH = 3
_LEARNING = (
    "Not everything is found by its meaning yet, only by its words; code_status tells how far "
    "that is."
)
# Whether there are any repositories is asked anew after this long.
_LOOK_AGAIN_S = 2.0


class Codebase:
    """The indexed repositories of one store."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        executor: Executor,
        memories: CodeMemories,
        jobs: Jobs,
        settings: Settings,
    ) -> None:
        self._store = store.code
        self._embedder = embedder
        self._executor = executor
        self._memories = memories
        self._jobs = jobs
        self._settings = settings
        self._folders = NamedFolders(settings.data_dir)
        self._roots_for_now: set[Path] = set()
        self._locks = settings.data_dir / "locks"
        self._pool = ParserPool()
        self._asking = Asking(store.code)
        snapshots = settings.data_dir / "cache" / f"{settings.graph_name}-code"
        self._finder = CodeFinder(store.code, embedder, executor, snapshots)
        self._resolved: dict[str, Resolved] = {}
        self._tallies: dict[str, tuple[str, Tally]] = {}
        self._embedding: Job | None = None
        self._known: tuple[float, list[RepositoryRecord]] = (0.0, [])

    async def close(self) -> None:
        """Save the word indexes and end the parsers; jobs are over by now."""
        await self._finder.save()
        await self._pool.close()

    def allow(self, folders: Sequence[Path], *, is_lasting: bool) -> None:
        """Let folders that the user has named be indexed from now on, or while this is open."""
        self._roots_for_now |= set(folders)
        if is_lasting:
            for folder in folders:
                self._folders.add(Roots([folder]).allowed(str(folder)))

    async def index(
        self,
        path: str,
        wanted: Wanted,
        progress: Progress | None = None,
        patience_s: float | None = PATIENCE_S,
    ) -> CodeIndexed:
        """Bring the index of a folder up to date, and wait a while for the end."""
        check_languages(wanted.languages or ())
        root = self._roots().allowed(path)
        job = self._running(repository_id(root))
        if job is None:
            tally = Tally()
            job = self._jobs.start(_INDEX, lambda report: self._index(root, wanted, tally, report))
            self._tallies[job.id] = (repository_id(root), tally)
        await self._jobs.wait(job, float("inf") if patience_s is None else patience_s, progress)
        return await self._indexed(job)

    async def refresh(self, root: Path, paths: Sequence[Path]) -> CodeIndexed:
        """Take in changes of some files of a folder."""
        inside = sorted({path.relative_to(root).as_posix() for path in paths})
        tally = Tally()
        job = self._jobs.start(_INDEX, lambda report: self._refresh(root, inside, tally, report))
        self._tallies[job.id] = (repository_id(root), tally)
        await self._jobs.wait(job, float("inf"))
        return await self._indexed(job)

    async def cancel(self, job_id: str) -> CodeIndexed:
        """Give up a job that indexes; what it has read stays."""
        if job_id not in self._tallies:
            raise ValidationError("cancel_job", "names no job; code_status lists them")
        return await self._indexed(await self._jobs.cancel(job_id))

    async def embed(self, progress: Progress | None = None) -> None:
        """Have everything embedded, and wait for the end."""
        job = await self.embed_in_background()
        if job is not None:
            await self._jobs.wait(job, float("inf"), progress)

    async def embed_in_background(self) -> Job | None:
        """Embed what has no vector yet; None if nothing is indexed."""
        if self._embedding is not None and self._embedding.state == "running":
            return self._embedding
        if not await self._repositories(is_fresh=True):
            return None
        self._embedding = self._jobs.start(_EMBED, self._embed)
        return self._embedding

    async def search(
        self, search: CodeSearch, repository: str | None, *, explain: bool
    ) -> CodeHits:
        """Find code that answers a query."""
        check_languages(search.languages)
        records = chosen(await self._repositories(), repository)
        if not records:
            return CodeHits((), "No repository is indexed; index_codebase reads one.")
        found = await self._finder.search(search, records)
        is_learning = self._embedding is not None and self._embedding.state == "running"
        return CodeHits(
            tuple(await self._hits(found, explain=explain)), _LEARNING if is_learning else None
        )

    async def symbol(self, wanted: str, repository: str | None) -> SymbolView:
        """Show one symbol, with what is remembered about it."""
        records = chosen(await self._repositories(), repository)
        found, others = await self._asking.find(wanted, records)
        if found is None:
            memories = [] if others else await self._memories.about_gone(wanted, records)
            suggestions = tuple(details_of(e.symbol, e.repository.name) for e in others)
            return SymbolView(None, suggestions=suggestions, memories=tuple(memories))
        view, memories = await asyncio.gather(
            self._asking.symbol(found), self._memories.about(found.symbol)
        )
        return replace(view, memories=tuple(memories))

    async def call_graph(
        self,
        wanted: str,
        direction: Direction,
        repository: str | None,
        *,
        depth: int | None,
        limit: int,
        with_guesses: bool,
    ) -> CallGraph:
        """Tell who calls a symbol, what it calls, or what a change of it may break."""
        records = chosen(await self._repositories(), repository)
        found, others = await self._asking.find(wanted, records)
        if found is None:
            suggestions = tuple(details_of(e.symbol, e.repository.name) for e in others)
            return CallGraph(None, direction, suggestions=suggestions)
        steps = depth or (_IMPACT_DEPTH if direction == "impact" else 1)
        return await self._asking.call_graph(
            found, direction, steps, limit, with_guesses=with_guesses
        )

    async def overview(self, repository: str | None, max_tokens: int) -> CodeOverview:
        """Show a repository at a glance."""
        records = chosen(await self._repositories(), repository)
        if len(records) != 1:
            names = ", ".join(each.name for each in records) or "none yet"
            raise ValidationError("repository", f"must name one; indexed are: {names}")
        return await overview(self._store.index(records[0].id), records[0], max_tokens)

    async def status(self) -> CodeStatus:
        """List the repositories and the jobs."""
        records = await self._repositories(is_fresh=True)
        repositories = [await self._status(record) for record in records]
        return CodeStatus(tuple(repositories), tuple(job.report() for job in self._jobs.all()))

    async def mentioned(self, texts: Sequence[tuple[str, int]]) -> list[tuple[CodeMention, ...]]:
        """Find the code that texts mention; none if nothing is indexed."""
        records = await self._repositories()
        if not records:
            return [() for _ in texts]
        return await self._memories.mentioned(texts, records)

    async def _index(self, root: Path, wanted: Wanted, tally: Tally, report: Progress) -> None:
        async with locked(self._lock_of(root)):
            await (await self._indexing(root, tally)).run(wanted, report)
        await self._after_change()

    async def _refresh(
        self, root: Path, paths: Sequence[str], tally: Tally, report: Progress
    ) -> None:
        async with locked(self._lock_of(root)):
            indexing = await self._indexing(root, tally)
            if not await indexing.refresh(paths, report):
                await indexing.run(Wanted(), report)
        await self._after_change()

    async def _indexing(self, root: Path, tally: Tally) -> Indexing:
        key = repository_id(root)
        record = await self._store.repository(key)
        if record is None:
            name = named(root, await self._store.repositories())
            record = await self._store.register(RepositoryRecord(key, str(root), name))
        if record.incarnation not in self._resolved:
            # One is enough: those who change one repository seldom change another.
            self._resolved.clear()
            self._resolved[record.incarnation] = Resolved(
                root, self._store.index(key), self._executor
            )
        resolved = self._resolved[record.incarnation]
        return Indexing(self._store, record, resolved, self._pool, tally)

    async def _embed(self, report: Progress) -> None:
        for record in await self._repositories():
            # Two processes would only do the same work twice.
            async with locked(self._locks / f"meaning-{record.id}.lock"):
                await embed_all(self._store, record, self._embedder, report)

    async def _after_change(self) -> None:
        self._known = (0.0, [])
        await self.embed_in_background()

    def _roots(self) -> Roots:
        return Roots([*self._settings.code_roots, *self._folders.all(), *self._roots_for_now])

    def _lock_of(self, root: Path) -> Path:
        return self._locks / f"code-{repository_id(root)}.lock"

    def _running(self, key: str) -> Job | None:
        for job in self._jobs.all():
            if job.state == "running" and self._tallies.get(job.id, ("",))[0] == key:
                return job
        return None

    async def _repositories(self, *, is_fresh: bool = False) -> list[RepositoryRecord]:
        asked, records = self._known
        if is_fresh or time.monotonic() - asked > _LOOK_AGAIN_S:
            records = await self._store.repositories()
            self._known = (time.monotonic(), records)
        return records

    async def _hits(self, found: Sequence[FoundCode], *, explain: bool) -> list[CodeHit]:
        shown: dict[tuple[str, str], Excerpt] = {}
        for record in {each.repository.id: each.repository for each in found}.values():
            symbols = [each.symbol for each in found if each.repository.id == record.id]
            texts = await self._asking.sources(record, symbols, _LINES_PER_HIT)
            shown |= {
                (record.id, symbol.id): text for symbol, text in zip(symbols, texts, strict=True)
            }
        return [
            CodeHit(
                symbol=details_of(each.symbol, each.repository.name),
                score=round(each.ranked.score, 4),
                source=shown[each.repository.id, each.symbol.id].text,
                is_stale=shown[each.repository.id, each.symbol.id].is_stale,
                why=_reasons(each.ranked.signals) if explain else (),
            )
            for each in found
        ]

    async def _indexed(self, job: Job) -> CodeIndexed:
        key, tally = self._tallies[job.id]
        record = await self._store.repository(key) or RepositoryRecord(key, "", "")
        counts = record.counts
        skipped, languages = dict(tally.skipped), {}
        if job.state == "done" and tally.is_whole:
            census = await self._store.index(key).census()
            skipped = {reason: count for reason, (count, _) in census.skipped.items()}
            languages = dict(census.files_by_language)
        return CodeIndexed(
            job=job.report(),
            repository=record.name,
            root=record.root,
            indexed=tally.indexed,
            unchanged=tally.unchanged,
            removed=tally.removed,
            skipped=skipped,
            skipped_examples=tuple(tally.examples),
            symbols=counts.get("symbols", 0),
            calls=counts.get("calls", 0),
            unresolved=counts.get("unresolved", 0),
            languages=languages,
            secrets_hidden=tally.secrets,
            notice=_notice(job),
        )

    async def _status(self, record: RepositoryRecord) -> RepositoryStatus:
        index = self._store.index(record.id)
        census, embeddings = await asyncio.gather(index.census(), index.embedding_counts())
        return RepositoryStatus(
            name=record.name,
            root=record.root,
            files=sum(n for status, n in census.files.items() if status != "skipped"),
            symbols=sum(census.symbols_by_kind.values()),
            indexed_at=moment_of(record.indexed_ms),
            embedded=embeddings.embedded,
            to_embed=embeddings.wanted - embeddings.embedded,
            skipped={reason: count for reason, (count, _) in census.skipped.items()},
        )


def _reasons(signals: Signals) -> tuple[str, ...]:
    """Name what counted, the weightiest first."""
    weights = {name: float(value) for name, value in asdict(signals).items() if value}
    if signals.place == 1.0:
        del weights["place"]
    ranked = sorted(weights.items(), key=lambda each: -abs(each[1]))
    return tuple(f"{name} {value:.2f}" for name, value in ranked)


def _notice(job: Job) -> str | None:
    if job.state == "failed":
        return f"The job failed: {job.error}"
    if job.state == "done":
        return "Names and words are found from now on; meanings are learned in the background."
    return None
