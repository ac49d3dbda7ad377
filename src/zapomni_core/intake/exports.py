"""Bring what another program has exported into the memory; what is there already stays."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from zapomni_core.errors import ValidationError
from zapomni_core.importing import (
    Extra,
    ImportedItem,
    ImportedMemory,
    ImportKind,
    Skipped,
    read_export,
)
from zapomni_core.intake.results import ImportFailure
from zapomni_core.intake.storing import Storing
from zapomni_core.jobs import Progress
from zapomni_core.life.adding import without_secrets
from zapomni_core.life.identity import identity_of
from zapomni_core.life.writing import Draft
from zapomni_core.validation import ParsedMetadata, parse_metadata, parse_text

__all__ = ["Export", "ExportTally", "ExportWork"]

# An item of another program has the same id here in every import.
_EXPORTS: Final = uuid.UUID("6f7f0a53-3c4f-4b55-9a63-0b7a5e0c1b1d")
_ITEMS_AT_ONCE: Final = 512
_CHARS_AT_ONCE: Final = 500_000
_FAILURES_NAMED: Final = 100
_UNWANTED: Final = "deleted before"


@dataclass(frozen=True, slots=True)
class Export:
    """What to read: where it is, whose it is, and what else of it than usual."""

    path: Path
    kind: ImportKind
    include: frozenset[Extra] = frozenset()
    is_dry_run: bool = False


@dataclass(slots=True)
class ExportTally:
    """What became of the items so far; `note_failure` hears of those that cannot be read."""

    memories: int = 0
    added: int = 0
    present: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    failures: list[ImportFailure] = field(default_factory=list)
    secrets: Counter[str] = field(default_factory=Counter)
    note_failure: Callable[[str], None] = lambda _: None

    def note(self, skipped: Skipped) -> None:
        """Account for something that becomes no memory."""
        if skipped.by_design:
            self.left_out[skipped.reason] += 1
            return
        self.failed += 1
        if len(self.failures) < _FAILURES_NAMED:
            self.failures.append(ImportFailure(skipped.where, skipped.reason))
        self.note_failure(f"{skipped.where}: {skipped.reason}")


@dataclass(frozen=True, slots=True)
class _Candidate:
    memory_id: str
    text: str
    metadata: ParsedMetadata
    identity: str
    hidden: Counter[str]


class ExportWork:
    """One run over one export; running it again adds what is missing."""

    def __init__(
        self, storing: Storing, export: Export, tally: ExportTally, *, hides_secrets: bool
    ) -> None:
        self._storing = storing
        self._export = export
        self._tally = tally
        self._hides_secrets = hides_secrets
        self._taken: set[str] = set()
        self._total = 0

    async def run(self, report: Progress) -> None:
        """Read the export twice: to count what is in it, then to add what is missing."""
        stream = self._storing.stream()
        # One thread for all of it: a database that is read belongs to the thread that opened it.
        with ThreadPoolExecutor(1, thread_name_prefix="zapomni-import") as reader:
            loop = asyncio.get_running_loop()
            self._total = await loop.run_in_executor(reader, self._count)
            batches = _batches(self._items())

            async def then(written: int) -> None:
                self._tally.added += written
                unwanted = self._tally.left_out[_UNWANTED]
                await report(self._tally.added + self._tally.present + unwanted, self._total)

            try:
                while batch := await loop.run_in_executor(reader, next, batches, None):
                    new = await self._new(batch)
                    if self._export.is_dry_run:
                        await then(len(new))
                    else:
                        await stream.put([_draft(each) for each in new], then)
                await stream.settle()
            finally:
                await stream.give_up()
                await loop.run_in_executor(reader, batches.close)

    def _items(self) -> Iterator[ImportedItem]:
        return read_export(self._export.path, self._export.kind, self._export.include)

    def _count(self) -> int:
        return sum(isinstance(item, ImportedMemory) for item in self._items())

    async def _new(self, batch: Sequence[ImportedItem]) -> list[_Candidate]:
        """Take those that are no memory yet, by their ids and by what they say."""
        candidates = await asyncio.to_thread(self._candidates, batch)
        missing = await self._storing.missing([each.memory_id for each in candidates])
        unwanted = await self._storing.unwanted(sorted(missing))
        missing -= unwanted
        absent = {each.identity: each for each in candidates if each.memory_id in missing}
        known = await self._storing.known(list(absent))
        new = {
            identity: each
            for identity, each in absent.items()
            if identity not in known and identity not in self._taken
        }
        self._taken |= new.keys()
        self._tally.memories += len(candidates)
        self._tally.present += len(candidates) - len(new) - len(unwanted)
        self._tally.left_out.update([_UNWANTED] * len(unwanted))
        for each in new.values():
            self._tally.secrets += each.hidden
        return list(new.values())

    def _candidates(self, batch: Sequence[ImportedItem]) -> list[_Candidate]:
        candidates = []
        for item in batch:
            match item:
                case Skipped():
                    self._tally.note(item)
                case ImportedMemory():
                    try:
                        candidates.append(self._candidate(item))
                    except ValidationError as exc:
                        self._tally.note(Skipped(str(exc), item.external_id))
        return candidates

    def _candidate(self, item: ImportedMemory) -> _Candidate:
        text, metadata = parse_text(item.text), parse_metadata(item.metadata)
        hidden: Counter[str] = Counter()
        if self._hides_secrets:
            text, metadata, hidden = without_secrets(text, metadata)
        memory_id = uuid.uuid5(_EXPORTS, item.external_id).hex
        return _Candidate(memory_id, text, metadata, identity_of(text, metadata), hidden)


def _draft(candidate: _Candidate) -> Draft:
    return Draft.of(candidate.memory_id, candidate.text, candidate.metadata)


def _batches(items: Iterator[ImportedItem]) -> Generator[list[ImportedItem]]:
    batch: list[ImportedItem] = []
    chars = 0
    for item in items:
        batch.append(item)
        chars += len(item.text) if isinstance(item, ImportedMemory) else 0
        if len(batch) == _ITEMS_AT_ONCE or chars > _CHARS_AT_ONCE:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch
