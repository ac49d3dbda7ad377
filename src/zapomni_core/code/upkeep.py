"""Keep the index of repositories up to date: read what changed, embed what is new."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from zapomni_core.code.allowed import NamedFolders
from zapomni_core.code.files.roots import Roots
from zapomni_core.code.indexing import EXTRACTOR_VERSION, Indexing, Tally, Wanted
from zapomni_core.code.locking import locked
from zapomni_core.code.meaning import Learning
from zapomni_core.code.parsing.pool import ParserPool
from zapomni_core.code.recording import counts_of
from zapomni_core.code.repositories import known_languages, named, overlapping, repository_id
from zapomni_core.code.resolved import Resolved
from zapomni_core.code.results import CodeIndexed
from zapomni_core.embedding.protocol import Embedder
from zapomni_core.errors import ProcessingError, ValidationError
from zapomni_core.jobs import Arguments, Job, Jobs, Progress
from zapomni_core.settings import Settings
from zapomni_db.code import CodeStore, RepositoryRecord

__all__ = ["PATIENCE_S", "Upkeep"]

_INDEX = "index_codebase"
_TALLIES = 50
_NAMED = 5
# A client waits this long for an answer; the job goes on after it.
PATIENCE_S = 20.0


class Upkeep:
    """Writes the index of repositories; several processes take turns."""

    def __init__(
        self,
        store: CodeStore,
        embedder: Embedder,
        jobs: Jobs,
        settings: Settings,
        prepare_search: Callable[[RepositoryRecord], Awaitable[None]],
    ) -> None:
        self._store = store
        self._prepare_search = prepare_search
        self._jobs = jobs
        jobs.teach(_INDEX, self._resume)
        self._configured = settings.code_roots
        self._folders = NamedFolders(settings.data_dir)
        self._roots_for_now: set[Path] = set()
        self._locks = settings.data_dir / "locks"
        self._pool = ParserPool(grammars=settings.data_dir / "cache" / "grammars")
        self._resolved: dict[str, Resolved] = {}
        self._warming: asyncio.Task[None] | None = None
        self._tallies: dict[str, tuple[str, Tally]] = {}
        self.learning = Learning(store, embedder, jobs, self._locks)

    async def close(self) -> None:
        """End the processes; jobs are over by now."""
        await self.learning.close()
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait([self._warming])
        await self._close_resolved()
        await self._pool.close()

    def allow(self, folders: Sequence[Path], *, is_lasting: bool) -> None:
        """Let folders that the user has named be indexed from now on, or while this is open."""
        self._roots_for_now |= set(folders)
        if is_lasting:
            for folder in folders:
                self._folders.add(Roots([folder]).allowed(str(folder)))

    async def forget(self, folder: Path) -> bool:
        """Drop the index of a folder, and allow it no more; tell whether there was one."""
        key = repository_id(folder)
        async with locked(self._lock_of(folder)):
            self._folders.remove(folder)
            is_there = await self._store.repository(key) is not None
            await self._store.drop(key)
        return is_there

    def readable(self, path: str) -> Path:
        """Return the real file or folder that a path names, if agents may read it."""
        return self._roots().readable(path)

    async def index(
        self,
        path: str,
        wanted: Wanted,
        progress: Progress | None = None,
        patience_s: float | None = PATIENCE_S,
    ) -> CodeIndexed:
        """Bring the index of a folder up to date, and wait a while for the end."""
        if wanted.languages is not None:
            wanted = replace(wanted, languages=known_languages(wanted.languages))
        root = self._roots().allowed(path)
        job = self._running(repository_id(root))
        if job is None:
            job = self._begin(root, wanted)
        await self._jobs.wait(job, float("inf") if patience_s is None else patience_s, progress)
        return await self._indexed(job)

    async def refresh(self, root: Path, paths: Sequence[Path]) -> CodeIndexed:
        """Take in changes of some files of a folder."""
        inside = sorted({path.relative_to(root).as_posix() for path in paths})
        tally = Tally()
        job = self._jobs.start(
            _INDEX,
            lambda report: self._refresh(root, inside, tally, report),
            _arguments(root, Wanted()),
        )
        self._count_with(job, root, tally)
        await self._jobs.wait(job, float("inf"))
        return await self._indexed(job)

    async def cancel(self, job_id: str) -> CodeIndexed:
        """Give up a job that indexes; what it has read stays."""
        if job_id not in self._tallies:
            raise ValidationError("cancel_job", "names no job; code_status lists them")
        return await self._indexed(await self._jobs.cancel(job_id))

    def _begin(self, root: Path, wanted: Wanted, job_id: str | None = None) -> Job:
        tally = Tally()
        job = self._jobs.start(
            _INDEX,
            lambda report: self._index(root, wanted, tally, report),
            _arguments(root, wanted),
            job_id,
        )
        self._count_with(job, root, tally)
        return job

    async def _resume(self, arguments: Arguments, job_id: str) -> Job:
        wanted = Wanted(
            languages=_names(arguments["languages"]),
            exclude=_names(arguments["exclude"]),
            is_full=bool(arguments["is_full"]),
        )
        return self._begin(self._roots().allowed(str(arguments["path"])), wanted, job_id)

    async def _index(self, root: Path, wanted: Wanted, tally: Tally, report: Progress) -> None:
        async with locked(self._lock_of(root)):
            indexing = await self._indexing(root, tally)
            await indexing.run(wanted, report)
        self.learning.know(indexing.repository)
        self._warm_up(root)
        self._learn(root, tally)

    async def _refresh(
        self, root: Path, paths: Sequence[str], tally: Tally, report: Progress
    ) -> None:
        async with locked(self._lock_of(root)):
            indexing = await self._indexing(root, tally)
            if not await indexing.refresh(paths, report):
                await indexing.run(Wanted(), report)
        self.learning.know(indexing.repository)
        self._learn(root, tally)

    def _count_with(self, job: Job, root: Path, tally: Tally) -> None:
        self._tallies[job.id] = (repository_id(root), tally)
        for old in list(self._tallies)[:-_TALLIES]:
            del self._tallies[old]

    def _warm_up(self, root: Path) -> None:
        """Get ready for the first search and the first changed file, beside everything else."""
        if self._warming is None or self._warming.done():
            self._warming = asyncio.create_task(self._get_ready(root))

    async def _get_ready(self, root: Path) -> None:
        record = await self._store.repository(repository_id(root))
        if record is not None:
            await self._prepare_search(record)
        with suppress(ProcessingError):  # the next run starts its process again
            for each in list(self._resolved.values()):
                await each.warm_up()

    def _learn(self, root: Path, tally: Tally) -> None:
        heads, tally.heads = tally.heads, []
        if heads:
            self.learning.learn(repository_id(root), (each.by_hash() for each in heads))

    async def _indexing(self, root: Path, tally: Tally) -> Indexing:
        key = repository_id(root)
        record = await self._store.repository(key)
        if record is None:
            name = named(root, await self._store.repositories())
            # Noted before the first file is: a run that is cut off goes on where it was.
            new = RepositoryRecord(key, str(root), name, extractor_version=EXTRACTOR_VERSION)
            record = await self._store.register(new)
        if record.incarnation not in self._resolved:
            # One is enough: those who change one repository seldom change another.
            await self._close_resolved()
            self._resolved[record.incarnation] = Resolved(root, self._store.index(key))
        resolved = self._resolved[record.incarnation]
        return Indexing(self._store, record, resolved, self._pool, tally)

    async def _close_resolved(self) -> None:
        while self._resolved:
            await self._resolved.popitem()[1].close()

    def _roots(self) -> Roots:
        return Roots([*self._configured, *self._folders.all(), *self._roots_for_now])

    def _lock_of(self, root: Path) -> Path:
        return self._locks / f"code-{repository_id(root)}.lock"

    def _running(self, key: str) -> Job | None:
        for job in self._jobs.all():
            if job.state == "running" and self._tallies.get(job.id, ("",))[0] == key:
                return job
        return None

    async def _indexed(self, job: Job) -> CodeIndexed:
        key, tally = self._tallies[job.id]
        record = await self._store.repository(key) or RepositoryRecord(key, "", "")
        counts = record.counts
        if job.state != "done" and record.root:
            counts = counts_of(await self._store.index(key).census())
        skipped, languages = tally.skipped, Counter[str]()
        if job.state == "done" and tally.left_out is not None and tally.languages is not None:
            skipped, languages = tally.left_out, tally.languages
        return CodeIndexed(
            job=job.report(),
            repository=record.name,
            root=record.root,
            indexed=tally.indexed,
            unchanged=tally.unchanged,
            removed=tally.removed,
            skipped=dict(skipped),
            skipped_examples=tuple(tally.examples),
            symbols=counts.get("symbols", 0),
            calls=counts.get("calls", 0),
            unresolved=counts.get("unresolved", 0),
            languages=dict(languages),
            secrets_hidden=tally.secrets,
            notice=_notice(job, tally, overlapping(record, await self._store.repositories())),
        )


def _arguments(root: Path, wanted: Wanted) -> Arguments:
    return {
        "path": str(root),
        "languages": None if wanted.languages is None else list(wanted.languages),
        "exclude": None if wanted.exclude is None else list(wanted.exclude),
        "is_full": wanted.is_full,
    }


def _names(given: str | int | list[str] | None) -> tuple[str, ...] | None:
    return tuple(given) if isinstance(given, list) else None


def _parsed_in_part(paths: Sequence[str]) -> str:
    names = ", ".join(sorted(paths)[:_NAMED])
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return f"Not all of these could be parsed, something in them may be missing: {names}{more}."


def _notice(job: Job, tally: Tally, others: Sequence[str]) -> str | None:
    if job.state == "failed":
        return f"The job failed: {job.error}"
    if job.state == "cancelled":
        return "What was read stays, but the index is incomplete; index_codebase reads the rest."
    if job.state != "done":
        return None
    told = ["Names and words are found from now on; meanings are learned in the background."]
    if others:
        told.append(
            f"Part of it is indexed twice, in {', '.join(others)} too: questions have to name the "
            "repository, unless you drop one (`zapomni index --forget FOLDER`)."
        )
    if tally.lost_edges:
        told.append(f"{tally.lost_edges} references lead nowhere: index once more.")
    if tally.not_resolved:
        told.append(f"What {tally.not_resolved} files call could not be found out.")
    if tally.partly:
        told.append(_parsed_in_part(tally.partly))
    return " ".join(told)
