"""Read files into memories, each once, and say what became of every one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from zapomni_core.documents import (
    Document,
    DocumentLimits,
    DocumentReader,
    DocumentRefused,
    file_content,
)
from zapomni_core.errors import ZapomniError
from zapomni_core.intake.files import find_files
from zapomni_core.intake.results import DocumentOutcome, Outcome
from zapomni_core.intake.sections import (
    Origin,
    Part,
    StoredDocument,
    new_labels,
    parts_of,
    stored_documents,
)
from zapomni_core.intake.storing import Storing, Stream
from zapomni_core.jobs import Progress
from zapomni_core.life.gone import gone_files
from zapomni_core.life.memories import Life
from zapomni_core.life.redaction import redact_metadata
from zapomni_core.life.writing import Draft
from zapomni_core.models import Metadata

__all__ = ["DocumentTally", "DocumentWork", "Wanted"]

_LIMITS: Final = DocumentLimits()
_FILES_AT_ONCE: Final = 16
_BYTES_AT_ONCE: Final = 32_000_000
# As many as are embedded together.
_PARTS_AT_ONCE: Final = 512
_CHARS_AT_ONCE: Final = 64_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to read, and what to say of everything that is read there."""

    paths: tuple[Path, ...]
    exclude: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=dict)


@dataclass(slots=True)
class DocumentTally:
    """What became of the files so far; `note_failure` hears of those that cannot be read."""

    outcomes: list[DocumentOutcome] = field(default_factory=list)
    memories_added: int = 0
    memories_removed: int = 0
    memories_changed: int = 0
    secrets: Counter[str] = field(default_factory=Counter)
    note_failure: Callable[[str], None] = lambda _: None

    def note(self, path: str, outcome: Outcome, reason: str = "", memories: int = 0) -> None:
        """Account for a file."""
        self.outcomes.append(DocumentOutcome(path, outcome, reason, memories))
        if outcome == "failed":
            self.note_failure(f"{path}: {reason}")


@dataclass(frozen=True, slots=True)
class _Read:
    """A document that is new or different, and the memories that it replaces."""

    origin: Origin
    parts: list[Part]
    stale: list[str]
    remarks: tuple[str, ...]

    @property
    def outcome(self) -> Outcome:
        if self.stale:
            return "updated"
        return "added" if self.parts else "unchanged"


@dataclass(slots=True)
class _Batch:
    """Parts to embed together, and the documents that end with them."""

    drafts: list[Draft] = field(default_factory=list)
    ended: list[_Read] = field(default_factory=list)
    chars: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.drafts) >= _PARTS_AT_ONCE or self.chars >= _CHARS_AT_ONCE


class DocumentWork:
    """One run over some files; running it again does what is missing."""

    def __init__(
        self,
        storing: Storing,
        reader: DocumentReader,
        life: Life,
        tally: DocumentTally,
        *,
        hides_secrets: bool,
    ) -> None:
        self._storing = storing
        self._reader = reader
        self._life = life
        self._tally = tally
        self._hides_secrets = hides_secrets
        self._stream: Stream = storing.stream()
        self._batch = _Batch()
        self._count = 0
        self._report: Progress | None = None

    async def read_files(self, wanted: Wanted, report: Progress) -> None:
        """Read files and what is in folders."""
        found = await asyncio.to_thread(find_files, wanted.paths, wanted.exclude)
        for path, reason in found.left_out:
            self._tally.note(path, "skipped", reason)
        for path in found.missing:
            self._tally.note(path, "failed", "is gone")
        self._count, self._report = len(self._tally.outcomes) + len(found.files), report
        async with self._settling():
            for some in await asyncio.to_thread(_windows, found.files):
                contents = {str(path): path for path in some}
                await self._read_some(contents, wanted.metadata)
        await self._note_gone(wanted.paths)

    async def read_text(
        self, name: str, content: bytes, metadata: Metadata, report: Progress
    ) -> None:
        """Read what was handed in under a name."""
        self._count, self._report = 1, report
        async with self._settling():
            await self._read_some({name: content}, metadata)

    async def _read_some(self, contents: Mapping[str, Path | bytes], metadata: Metadata) -> None:
        parts = await self._storing.store.intake.parts_of(list(contents))
        known = stored_documents(parts)
        absent = [each for versions in known.values() for old in versions for each in old.absent]
        unwanted = await self._storing.unwanted(absent)
        looks = [
            self._look(source, content, known.get(source, ()), unwanted, metadata)
            for source, content in contents.items()
        ]
        for read in await asyncio.gather(*looks):
            if read is not None:
                await self._queue(read)
        await self._tell()

    async def _look(
        self,
        source: str,
        given: Path | bytes,
        known: Sequence[StoredDocument],
        unwanted: set[str],
        metadata: Metadata,
    ) -> _Read | None:
        try:
            content = given
            if isinstance(content, Path):
                content = await asyncio.to_thread(file_content, content, source, _LIMITS)
            origin = Origin.of(source, content, is_handed_in=isinstance(given, bytes))
            same = [old for old in known if old.sha256 == origin.sha256]
            stale = [each for old in known if old not in same for each in old.memory_ids]
            if same and same[0].is_complete(unwanted):
                await self._keep(same[0], stale, unwanted, metadata)
                return None
            document = await self._reader.read(content, Path(source).name, _LIMITS)
            found = await asyncio.to_thread(self._parts, document, origin, metadata)
        except DocumentRefused as exc:
            self._tally.note(source, "failed", exc.reason)
            return None
        except ZapomniError as exc:
            self._tally.note(source, "failed", str(exc))
            return None
        unwanted = await self._storing.unwanted([part.memory_id for part in found])
        wanted = [part for part in found if part.memory_id not in unwanted]
        return _Read(origin, wanted, stale, (*document.problems, *_left_away(len(unwanted))))

    def _parts(self, document: Document, origin: Origin, metadata: Metadata) -> list[Part]:
        return parts_of(document, origin, metadata, hides_secrets=self._hides_secrets)

    async def _keep(
        self, known: StoredDocument, stale: list[str], unwanted: set[str], metadata: Metadata
    ) -> None:
        """Account for a file that is as it was; a run that was cut off may have left old parts."""
        if stale:
            await self._storing.write((), stale)
            self._tally.memories_removed += len(stale)
        await self._relabel(known, metadata)
        remark = "".join(_left_away(len(unwanted.intersection(known.absent))))
        self._tally.note(known.origin.source, "unchanged", remark, len(known.parts))

    async def _relabel(self, known: StoredDocument, metadata: Metadata) -> None:
        """Give the memories of a file what they do not say of it yet."""
        given = redact_metadata(metadata)[0] if self._hides_secrets else metadata
        for part in known.parts:
            if changes := new_labels(part, given):
                is_changed = await self._life.label(part.memory_id, changes)
                self._tally.memories_changed += is_changed

    async def _note_gone(self, paths: Sequence[Path]) -> None:
        """Account for files that were read before; their memories stay until somebody decides."""
        folders = [str(path) for path in paths if path.is_dir()]
        for file in await gone_files(self._storing.store, folders):
            self._tally.note(file.path, "gone", memories=len(file.memory_ids))

    async def _queue(self, read: _Read) -> None:
        missing = await self._storing.missing([part.memory_id for part in read.parts])
        for part in read.parts:
            if part.memory_id not in missing:
                continue
            self._batch.drafts.append(_draft(part))
            self._batch.chars += len(part.text)
            self._tally.secrets += part.hidden
            if self._batch.is_full and part is not read.parts[-1]:
                await self._flush()
        self._batch.ended.append(read)
        if self._batch.is_full:
            await self._flush()

    async def _flush(self) -> None:
        batch, self._batch = self._batch, _Batch()

        async def then(written: int) -> None:
            self._tally.memories_added += written
            for read in batch.ended:
                self._tally.memories_removed += len(read.stale)
                remarks = "; ".join(read.remarks)
                self._tally.note(read.origin.source, read.outcome, remarks, len(read.parts))
            await self._tell()

        stale = [each for read in batch.ended for each in read.stale]
        await self._stream.put(batch.drafts, then, stale)

    async def _tell(self) -> None:
        if self._report is not None:
            await self._report(len(self._tally.outcomes), self._count)

    @asynccontextmanager
    async def _settling(self) -> AsyncIterator[None]:
        """Come to the end of the work, or at least of the batch that is being written."""
        try:
            yield
            if self._batch.drafts or self._batch.ended:
                await self._flush()
            await self._stream.settle()
            await self._tell()
        finally:
            await self._stream.give_up()


def _left_away(count: int) -> list[str]:
    return [f"{count} of its parts were deleted before and stay away"] if count else []


def _draft(part: Part) -> Draft:
    return Draft.of(part.memory_id, part.text, part.metadata)


def _windows(files: Sequence[Path]) -> list[list[Path]]:
    """Put files together that are read at the same time."""
    windows: list[list[Path]] = []
    size = 0
    for path in files:
        length = _size(path)
        if not windows or len(windows[-1]) == _FILES_AT_ONCE or size + length > _BYTES_AT_ONCE:
            windows.append([])
            size = 0
        windows[-1].append(path)
        size += length
    return windows


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # reading it says why
