"""Bring the index of a repository up to date: walk, read what changed, write, resolve."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import batched
from pathlib import Path

from zapomni_core.code.files.walk import FoundFile, Walk, walk
from zapomni_core.code.line import Line, in_line
from zapomni_core.code.meaning import HeadsOfFile
from zapomni_core.code.parsing.pool import ParserPool
from zapomni_core.code.parsing.report import FileReport
from zapomni_core.code.parsing.selection import sources_of
from zapomni_core.code.recording import (
    batches_of,
    counts_of,
    file_record,
    places_of_calls,
    skipped_record,
)
from zapomni_core.code.resolution import CONFIGURATION_NAMES
from zapomni_core.code.resolved import ReadFile, Resolved
from zapomni_core.code.results import SkippedFile
from zapomni_core.code.searching.terms import CODE_TERMS_VERSION
from zapomni_core.jobs import Progress
from zapomni_db.code import (
    CodeStore,
    FileRecord,
    FileStamp,
    Moved,
    NumberedEdges,
    RepositoryRecord,
)

__all__ = ["EXTRACTOR_VERSION", "Indexing", "Tally", "Wanted"]

# Raise it with any change of what is read out of a file: everything is read again then.
EXTRACTOR_VERSION = f"13.{CODE_TERMS_VERSION}"
_FILES_RESOLVED = 160
_PARTS_AHEAD = 3
_WRITES_IN_LINE = 4
# Reading takes all cores, resolving does not: a first index of Django takes a tenth less if it
# is written meanwhile. So many parts of it are kept in memory until then.
_WRITES_GATHERED = 48
_MANY_FILES = 300
# A file that changed this shortly before it was read may have changed again since.
_RACY_NS = 2_000_000_000
_EXAMPLES_PER_REASON = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a folder is to be indexed; nothing means no limit, None `as before`."""

    languages: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    is_full: bool = False


@dataclass(slots=True)
class Tally:
    """What indexing has done so far.

    `languages` and `left_out` count all files of the index, once every one was looked at.
    `heads` tell what is to be embedded of the files that were read, `partly` are those of them
    that could not be parsed to the end.
    """

    languages: Counter[str] | None = None
    left_out: Counter[str] | None = None
    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    secrets: int = 0
    lost_edges: int = 0
    not_resolved: int = 0
    partly: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    examples: list[SkippedFile] = field(default_factory=list)
    heads: list[HeadsOfFile] = field(default_factory=list)

    def skip(self, path: str, reason: str) -> None:
        """Count a file that is left out."""
        self.skipped[reason] += 1
        if self.skipped[reason] <= _EXAMPLES_PER_REASON:
            self.examples.append(SkippedFile(path, reason))


@dataclass(slots=True)
class _Changes:
    """What one run has found to be different.

    `moved` tells when files that are gone, and what is in them, had changed.
    """

    read: set[str] = field(default_factory=set)
    gone: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    pointing: set[str] = field(default_factory=set)
    moved: Moved = field(default_factory=dict)
    has_read: bool = False
    has_written: bool = False


class Indexing:
    """One run over one repository; only one at a time may write it."""

    def __init__(
        self,
        store: CodeStore,
        repository: RepositoryRecord,
        resolved: Resolved,
        pool: ParserPool,
        tally: Tally,
    ) -> None:
        self._store = store
        self.repository = repository
        self._index = resolved.index
        self._resolved = resolved
        self._pool = pool
        self._tally = tally
        self._root = Path(repository.root)
        self._is_first = repository.indexed_ms == 0
        self._started_ms = time.time_ns() // 1_000_000
        self._called: Counter[str] = Counter()

    async def run(self, wanted: Wanted, progress: Progress) -> None:
        """Read everything that is new or different."""
        repository = self.repository
        exclude = tuple(repository.exclude if wanted.exclude is None else wanted.exclude)
        languages = tuple(repository.languages if wanted.languages is None else wanted.languages)
        known = await self._index.files()
        if self._is_first:
            # Before the walk, which would keep this one from starting them: it is Python, too.
            await asyncio.gather(self._pool.launch(), self._resolved.launch())
        # What an earlier version has read is not even written in the same way.
        loading = self._resolved.load({} if self._is_of_earlier_version else known)
        walking = asyncio.to_thread(walk, self._root, exclude)
        everything, _ = await asyncio.gather(walking, loading)
        walked = sources_of(everything, languages or None)
        files = walked.files
        is_outdated = wanted.is_full or self._is_of_earlier_version
        to_read = [
            (file.path, None if is_outdated else _hash(known, file.path))
            for file in files
            if is_outdated or not self._is_as_before(known, file)
        ]
        self._tally.unchanged += _count_read(known, [f.path for f in files]) - _count_read(
            known, dict(to_read)
        )
        seen = {file.path for file in files} | {each.path for each in walked.skipped}
        gone = sorted(known.keys() - seen)
        changes = _Changes(gone=gone, moved=await self._index.last_changes(gone))
        async with self._undisturbed(len(to_read)):
            async with in_line(_WRITES_GATHERED, gathers=True, workers=3) as writes:
                await self._read(to_read, len(files), progress, writes, changes)
                writes.begin()
                await self._leave_out(walked, known, changes, writes)
                settings = [file.path for file in files if _is_configuration(file.path)]
                mark = await self._resolved.configure(settings)
                is_all = repository.counts.get("settings") != mark
                await self._settle(known, changes, writes, is_all=is_all)
            counts = await self._counts(known, changes, is_all=is_all)
            await self._note(exclude, languages, {**counts, "settings": mark})

    async def refresh(self, paths: Sequence[str], progress: Progress) -> bool:
        """Read known files that have changed or gone; tell if a whole run is needed instead."""
        known = await self._index.files()
        is_unsettled = "settings" not in self.repository.counts
        if self._is_of_earlier_version or is_unsettled:
            return False
        if any(_is_configuration(path) for path in paths):
            return False
        if any(path not in known or known[path].status == "skipped" for path in paths):
            return False
        await self._resolved.load(known)
        if not self._resolved.is_configured:
            await self._resolved.configure([*filter(_is_configuration, known)])
        there = [path for path in paths if (self._root / path).is_file()]
        to_read = [(path, _hash(known, path)) for path in there]
        changes = _Changes(gone=sorted(set(paths) - set(there)))
        async with in_line(_WRITES_IN_LINE) as writes:
            await self._read(to_read, len(there), progress, writes, changes)
            await self._settle(known, changes, writes, is_all=False)
        counts = {**self.repository.counts, "symbols": await self._index.count_symbols()}
        await self._note(self.repository.exclude, self.repository.languages, counts)
        return True

    @property
    def _is_of_earlier_version(self) -> bool:
        return self.repository.extractor_version != EXTRACTOR_VERSION

    def _is_as_before(self, known: Mapping[str, FileStamp], file: FoundFile) -> bool:
        stamp = known.get(file.path)
        if stamp is None or (stamp.size, stamp.mtime_ns) != (file.size, file.mtime_ns):
            return False
        return file.mtime_ns < self.repository.indexed_ms * 1_000_000 - _RACY_NS

    async def _read(
        self,
        to_read: Sequence[tuple[str, str | None]],
        total: int,
        progress: Progress,
        writes: Line,
        changes: _Changes,
    ) -> None:
        """Parse files, and have them written while others are being parsed or resolved."""
        done = total - len(to_read)
        changes.has_read = bool(to_read)

        async def take(batch: list[FileReport]) -> None:
            await writes.add(partial(self._write, batch, changes))
            await self._take(batch, changes)

        async with aclosing(self._pool.read(self._root, to_read)) as reports, in_line() as takes:
            async for batch in batches_of(reports):
                wanted = [report for report in batch if self._is_to_write(report, changes)]
                await takes.add(partial(take, wanted))
                done += len(batch)
                await progress(done, total)

    def _is_to_write(self, report: FileReport, changes: _Changes) -> bool:
        """Count a file; tell whether the index is to learn of it."""
        if report.status == "unchanged":
            self._tally.unchanged += 1
            return False
        if report.status == "skipped":
            self._tally.skip(report.path, report.reason)
            if report.reason == "deleted":
                changes.gone.append(report.path)
                return False
            return True
        self._tally.indexed += 1
        self._tally.secrets += report.secrets
        self._tally.partly += [report.path] if report.errors else []
        if report.symbols.heads:
            self._tally.heads.append(HeadsOfFile(report.symbols.words))
        changes.read.add(report.path)
        return True

    async def _take(self, reports: Sequence[FileReport], changes: _Changes) -> None:
        """Have what is said in files resolved later."""
        files = [ReadFile(each.path, each.hash, each.facts) for each in reports if each.is_read]
        changes.names |= await self._resolved.take(files, is_compared=not self._is_first)
        skipped = [each.path for each in reports if not each.is_read]
        changes.names |= await self._resolved.remove(skipped)

    async def _write(self, reports: Sequence[FileReport], changes: _Changes) -> None:
        """Write what was read."""
        records = [
            file_record(each) if each.is_read else skipped_record(each.path, each.reason, each)
            for each in reports
        ]
        await self._write_records(records, changes)

    async def _write_records(self, records: Sequence[FileRecord], changes: _Changes) -> None:
        """Write files, and note who pointed at what is gone from them."""
        if records:
            await self._begin(changes)
            at_ms = 0 if self._is_first else self._started_ms
            changes.pointing |= await self._index.write_files(
                records,
                at_ms=at_ms,
                last_ms=self.repository.indexed_ms,
                moved=changes.moved,
            )

    async def _begin(self, changes: _Changes) -> None:
        """Note that names may mean something else, in case that nobody gets to the end of this."""
        if not changes.has_written and not self._is_first:
            counts = {**self.repository.counts}
            counts.pop("settings", None)
            await self._store.update(replace(self.repository, counts=counts))
        changes.has_written = True

    async def _leave_out(
        self, walked: Walk, known: Mapping[str, FileStamp], changes: _Changes, writes: Line
    ) -> None:
        """Have it written which files are left out, and why."""
        for skipped in walked.skipped:
            self._tally.skip(skipped.path, skipped.reason)
        new = [
            skipped_record(each.path, each.reason)
            for each in walked.skipped
            if each.path not in known or known[each.path].status != "skipped"
        ]
        changes.names |= await self._resolved.remove([record.path for record in new])
        self._tally.removed += sum(record.path in known for record in new)
        await writes.add(partial(self._write_records, new, changes))

    async def _settle(
        self, known: Mapping[str, FileStamp], changes: _Changes, writes: Line, *, is_all: bool
    ) -> None:
        """Resolve anew what changed files say, and what others say about them."""
        if not self._is_first:
            await writes.done()
        gone = [path for path in changes.gone if path not in changes.read]
        changes.names |= await self._resolved.remove(gone)
        if gone:
            await self._begin(changes)
            there = await asyncio.to_thread(self._still_there, gone)
            changes.pointing |= await self._index.remove_files(
                gone, at_ms=self._started_ms, still_there=there
            )
            self._tally.removed += _count_read(known, gone)
        paths: AbstractSet[str] = self._resolved.paths
        if not (is_all or self._is_first):
            changed = changes.read | changes.pointing | set(await self._index.due_files())
            paths = paths & (changed | await self._resolved.affected_by(changes.names))
        async with self._undisturbed(len(paths)), in_line(_WRITES_GATHERED) as edge_writes:
            await edge_writes.add(writes.done)
            parts = [*batched(sorted(paths), _FILES_RESOLVED)]
            for number, some in enumerate(parts, 1):
                edges = await self._resolved.edges(some, parts[number : number + _PARTS_AHEAD])
                self._tally.not_resolved += len(some) - len(edges.files)
                await edge_writes.add(partial(self._write_edges, edges))

    def _still_there(self, paths: Sequence[str]) -> set[str]:
        """Tell which files are only not wanted any more."""
        return {path for path in paths if os.path.lexists(self._root / path)}

    async def _write_edges(self, edges: NumberedEdges) -> None:
        self._tally.lost_edges += await self._index.write_edges(edges)
        if self._is_first:
            self._called.update(places_of_calls(edges))

    @asynccontextmanager
    async def _undisturbed(self, files: int) -> AsyncIterator[None]:
        """Keep from going again and again over what there is while much is added to it."""
        if files < _MANY_FILES or not gc.isenabled():
            yield
            return
        # A quarter of the time that Django takes; it makes no garbage in cycles meanwhile.
        gc.disable()
        try:
            async with self._store.much_to_write():
                yield
        finally:
            gc.enable()

    async def _counts(
        self, known: Mapping[str, FileStamp], changes: _Changes, *, is_all: bool
    ) -> Mapping[str, int]:
        """Count what there is now; after a run without any change that is known."""
        counts = self.repository.counts
        read = [stamp for stamp in known.values() if stamp.status != "skipped"]
        is_known = counts.get("at_ms") == self.repository.indexed_ms and counts["files"] == len(
            read
        )
        if is_known and not (changes.has_read or changes.has_written or is_all):
            left_out = [stamp for stamp in known.values() if stamp.status == "skipped"]
            self._tally.languages = Counter(stamp.language for stamp in read)
            self._tally.left_out = Counter(stamp.reason for stamp in left_out)
            return {**counts, "at_ms": self._started_ms}
        is_complete = self._is_first and not (self._tally.lost_edges or self._tally.not_resolved)
        ranking = self._index.rank_symbols(self._called if is_complete else None)
        census, _ = await asyncio.gather(self._index.census(), ranking)
        self._tally.languages = Counter(census.files_by_language)
        self._tally.left_out = Counter({why: n for why, (n, _) in census.skipped.items()})
        # Those who read single files later do not count.
        return {**counts_of(census), "at_ms": self._started_ms}

    async def _note(
        self, exclude: Sequence[str], languages: Sequence[str], counts: Mapping[str, int]
    ) -> None:
        self.repository = replace(
            self.repository,
            indexed_ms=self._started_ms,
            extractor_version=EXTRACTOR_VERSION,
            exclude=tuple(exclude),
            languages=tuple(languages),
            counts=counts,
        )
        await self._store.update(self.repository)


def _count_read(known: Mapping[str, FileStamp], paths: Iterable[str]) -> int:
    """Count the files that are in the index with their contents."""
    return sum(path in known and known[path].status != "skipped" for path in paths)


def _is_configuration(path: str) -> bool:
    return path.rpartition("/")[2] in CONFIGURATION_NAMES


def _hash(known: Mapping[str, FileStamp], path: str) -> str | None:
    stamp = known.get(path)
    return stamp.hash or None if stamp is not None else None
