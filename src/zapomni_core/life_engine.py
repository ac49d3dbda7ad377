"""What the engine can do with single memories."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from zapomni_core.errors import ValidationError
from zapomni_core.models import Metadata, SearchFilters
from zapomni_core.opening import Opening, milliseconds_since
from zapomni_core.validation import (
    parse_days,
    parse_id_beginning,
    parse_limit,
    parse_memory_id,
    parse_name,
    parse_text,
)

if TYPE_CHECKING:
    from zapomni_core.jobs import Progress
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

__all__ = ["CLEAR_PHRASE", "PRUNE_KINDS", "LifeEngine"]

CLEAR_PHRASE = "DELETE ALL MEMORIES"
PRUNE_KINDS: tuple[PruneKind, ...] = ("expired", "orphans", "history", "code", "gone_files")
_HISTORY_DAYS = 90

_log = structlog.get_logger()


class LifeEngine(Opening):
    """Shows, changes and deletes memories; nothing goes without a word that it may."""

    async def get_memory(self, memory_id: str) -> MemoryDetails:
        """Tell all that is known of a memory: its whole text, its metadata, its history."""
        known = parse_memory_id(memory_id)
        async with self._working() as workspace:
            return await workspace.life.get(known)

    async def find_memory(self, beginning: str) -> str:
        """Return the whole id of a memory of which at least the first eight digits are given."""
        digits = parse_id_beginning(beginning)
        async with self._working() as workspace:
            return await workspace.life.find(digits)

    async def list_memories(
        self,
        filters: SearchFilters | None = None,
        *,
        order: Order = "newest",
        cursor: str | None = None,
        limit: int = 20,
        with_counts: bool = False,
    ) -> MemoryPage:
        """Show memories in order, page by page.

        "newest" and "oldest" go by when it was said, "last_added" and "first_added" by when it
        was stored. The `next_cursor` of a page leads to the next one. `with_counts` also counts
        all that match by day, tag and source.
        """
        wanted = parse_limit(limit)
        async with self._working() as workspace:
            started = time.perf_counter()
            page = await workspace.list_memories(
                filters or SearchFilters(), order, cursor, wanted, with_counts=with_counts
            )
        _log.info("memories_listed", count=len(page.memories), ms=milliseconds_since(started))
        return page

    async def update_memory(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Metadata | None = None,
        progress: Progress | None = None,
    ) -> MemoryUpdated:
        """Put another text or other metadata in the place of a memory's, which is kept as history.

        Fields of the metadata that are not given stay; None takes a field away.
        """
        known = parse_memory_id(memory_id)
        if text is None and not metadata:
            raise ValidationError("text", "or metadata must be given: there is nothing to change")
        parsed = None if text is None else parse_text(text)
        async with self._working() as workspace:
            started = time.perf_counter()
            updated = await workspace.life.update(known, parsed, metadata, progress)
        _log.info("memory_updated", id=updated.memory_id, ms=milliseconds_since(started))
        return updated

    async def delete_memory(
        self, memory_id: str, *, confirm: bool = False, erase: bool = False
    ) -> MemoryDeleted:
        """Delete a memory with its history; `erase` also writes the files on disk anew."""
        known = parse_memory_id(memory_id)
        if confirm is not True:
            raise ValidationError("confirm", "must be true to delete; nothing was deleted")
        async with self._working() as workspace:
            deleted = await workspace.life.delete(known, erase=erase)
        _log.info("memory_deleted", id=deleted.memory_id, is_erased=deleted.is_erased)
        return deleted

    async def clear_all(self, phrase: str, *, erase: bool = False) -> Cleared:
        """Delete every memory; `phrase` must be the one that nobody says by accident."""
        if phrase != CLEAR_PHRASE:
            raise ValidationError(
                "phrase", f"must be exactly {CLEAR_PHRASE!r}; nothing was deleted"
            )
        async with self._working() as workspace:
            cleared = await workspace.life.clear(erase=erase)
        _log.warning("memories_cleared", memories=cleared.memories, is_erased=cleared.is_erased)
        return cleared

    async def prune_memory(
        self,
        kinds: Sequence[PruneKind] | None = None,
        *,
        dry_run: bool = True,
        older_than_days: int = _HISTORY_DAYS,
        path: str | None = None,
    ) -> PruneReport:
        """Say what is of no use any more; remove it if this is no dry run.

        What is removed must be named: all kinds are looked at only in a dry run. `path` is the
        folder whose gone files are meant.
        """
        days = parse_days(older_than_days)
        if not dry_run and not kinds:
            raise ValidationError("kinds", "must say what to remove; nothing was removed")
        if unknown := set(kinds or ()) - set(PRUNE_KINDS):
            raise ValidationError("kinds", f"must be of {', '.join(PRUNE_KINDS)}, not {unknown}")
        folder = _parse_folder(path, kinds, is_dry_run=dry_run)
        async with self._working() as workspace:
            report = await workspace.life.prune(
                kinds or PRUNE_KINDS, days, folder=folder, is_dry_run=dry_run
            )
        removed = sum(each.count for each in report.kinds) if not dry_run else 0
        _log.info("memory_pruned", removed=removed)
        return report


def _parse_folder(
    path: str | None, kinds: Sequence[PruneKind] | None, *, is_dry_run: bool
) -> str | None:
    if path is None:
        if not is_dry_run and "gone_files" in (kinds or ()):
            raise ValidationError(
                "path", "must name the folder that the gone files were in; nothing was removed"
            )
        return None
    if kinds and "gone_files" not in kinds:
        raise ValidationError("path", "is for gone_files only; nothing was removed")
    folder = Path(parse_name(path, "path"))
    if not folder.is_absolute():
        raise ValidationError("path", "must be a full path, such as /srv/notes")
    return os.path.realpath(folder)
