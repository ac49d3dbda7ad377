"""Find and remove what is of no use any more."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from zapomni_core.errors import ValidationError
from zapomni_core.life.gone import gone_files
from zapomni_core.life.results import Pruned, PruneKind, PruneReport
from zapomni_core.models import public_id
from zapomni_db import Store
from zapomni_db.code import RepositoryRecord

__all__ = ["prune"]

_SHOWN: Final = 10
_DAY_MS: Final = 86_400_000
_NO_FOLDER: Final = (
    "must be a folder that is there; if it is gone itself, name the one above it. Nothing was "
    "removed"
)


async def prune(
    store: Store,
    kinds: Sequence[PruneKind],
    older_than_days: int,
    *,
    folder: str | None = None,
    is_dry_run: bool,
) -> PruneReport:
    """Say what of these kinds is of no use, and remove it unless this is a dry run.

    Files that are gone are looked for below a folder, or everywhere.
    """
    now_ms = time.time_ns() // 1_000_000
    found: list[Pruned] = []
    for kind in dict.fromkeys(kinds):
        match kind:
            case "expired":
                found.append(await _expired(store, now_ms, is_dry_run=is_dry_run))
            case "orphans":
                found.append(await _orphans(store, is_dry_run=is_dry_run))
            case "history":
                before_ms = now_ms - older_than_days * _DAY_MS
                found.append(await _history(store, before_ms, is_dry_run=is_dry_run))
            case "code":
                found.append(await _code(store, is_dry_run=is_dry_run))
            case "gone_files":
                found.append(await _gone_files(store, folder, is_dry_run=is_dry_run))
    return PruneReport(is_dry_run, tuple(found))


async def _expired(store: Store, now_ms: int, *, is_dry_run: bool) -> Pruned:
    expired = await store.life.expired(now_ms)
    if not is_dry_run:
        for memory_id in expired:
            await store.remove(memory_id)
    return Pruned("expired", len(expired), tuple(map(public_id, expired[:_SHOWN])))


async def _orphans(store: Store, *, is_dry_run: bool) -> Pruned:
    vectors = await store.orphan_vectors()
    versions = await store.life.lost_versions()
    names = await store.life.unnamed_entities()
    if not is_dry_run:
        await store.life.drop_orphans()
        await store.drop_orphan_vectors()
    counts = {"vectors without a text": vectors, "versions without a memory": versions}
    told = [f"{count} {what}" for what, count in counts.items() if count]
    return Pruned("orphans", vectors + versions + len(names), (*told, *names[:_SHOWN]))


async def _history(store: Store, before_ms: int, *, is_dry_run: bool) -> Pruned:
    count = await store.life.old_versions(before_ms)
    if not is_dry_run:
        await store.life.drop_old_versions(before_ms)
    return Pruned("history", count)


async def _code(store: Store, *, is_dry_run: bool) -> Pruned:
    records = await store.code.repositories()
    gone = await asyncio.to_thread(_without_folder, records)
    if not is_dry_run:
        for record in gone:
            await store.code.drop(record.id)
    return Pruned("code", len(gone), tuple(record.root for record in gone[:_SHOWN]))


async def _gone_files(store: Store, folder: str | None, *, is_dry_run: bool) -> Pruned:
    gone = await gone_files(store, [os.sep if folder is None else folder])
    if gone and folder is not None and not await asyncio.to_thread(os.path.isdir, folder):
        # A disk that is not mounted, or the paths of another machine.
        raise ValidationError("path", _NO_FOLDER)
    memory_ids = [memory_id for file in gone for memory_id in file.memory_ids]
    if not is_dry_run:
        for memory_id in memory_ids:
            await store.remove(memory_id)
    return Pruned("gone_files", len(memory_ids), tuple(file.path for file in gone[:_SHOWN]))


def _without_folder(records: Sequence[RepositoryRecord]) -> list[RepositoryRecord]:
    return [record for record in records if not Path(record.root).is_dir()]
