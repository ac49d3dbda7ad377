"""Put a backup in the place of an embedded database, after it has proved to be one."""

from __future__ import annotations

import asyncio
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from zapomni_core.errors import ValidationError
from zapomni_core.keeping.archives import Archive, read_archive
from zapomni_db import EmbeddedAddress, StoreError, StoreMismatch
from zapomni_db.backup import LOG_FOLDER, alone, install_log, settle_log
from zapomni_db.connection import Connection
from zapomni_db.holdings import Holding, check_schemas, holdings

__all__ = ["Restored", "restore"]

_SCRATCH = "restore.partial"
# The server of the scratch folder may rewrite its log before it ends.
_ENDING_S = 60.0


@dataclass(frozen=True, slots=True)
class Restored:
    """A backup that has taken the place of the database, and where that is kept now."""

    created: str
    memories: int
    chunks: int
    aside: str
    seconds: float


async def restore(path: Path, folder: Path) -> Restored:
    """Verify a backup as a whole, then put it in the place of what a data folder holds.

    Nobody may use the folder. Whenever this is cut off, the folder holds the old data or the new.
    """
    started = time.perf_counter()
    await asyncio.to_thread(folder.mkdir, 0o700, parents=True, exist_ok=True)
    with alone(folder):
        scratch, aside = folder / _SCRATCH, _aside(folder)
        shutil.rmtree(scratch, ignore_errors=True)
        try:
            found = await _verified(path, scratch)
            # Its words belong to the old data; other processes load it without asking.
            shutil.rmtree(folder / "cache", ignore_errors=True)
            await asyncio.to_thread(install_log, scratch, folder, aside)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return Restored(
        created=found[0].created,
        memories=sum(graph.memories for graph in found[1]),
        chunks=sum(graph.chunks for graph in found[1]),
        aside=str(aside),
        seconds=round(time.perf_counter() - started, 3),
    )


async def _verified(path: Path, scratch: Path) -> tuple[Archive, list[Holding]]:
    archive = await asyncio.to_thread(_extract, path, scratch)
    try:
        found = await _looked_into(scratch)
        check_schemas(found)
    except StoreMismatch as exc:
        raise ValidationError("The backup:", str(exc)) from exc
    except StoreError as exc:
        raise ValidationError(
            "The file", "does not open as a database; nothing was changed."
        ) from exc
    _compare(archive, found)
    return archive, found


def _extract(path: Path, scratch: Path) -> Archive:
    (scratch / LOG_FOLDER).mkdir(mode=0o700, parents=True)
    if shutil.disk_usage(scratch).free < 2 * path.stat().st_size:
        raise ValidationError("The disk", "is too full: twice the size of the backup must be free")
    archive = read_archive(path, scratch / LOG_FOLDER)
    settle_log(scratch, archive.names)
    return archive


async def _looked_into(scratch: Path) -> list[Holding]:
    connection = Connection(EmbeddedAddress(scratch))
    try:
        await connection.open()
        return await holdings(connection)
    finally:
        await connection.close()
        await asyncio.to_thread(_wait_for_the_end, scratch)


def _wait_for_the_end(scratch: Path) -> None:
    with suppress(StoreError), alone(scratch, _ENDING_S):
        pass


def _compare(archive: Archive, found: list[Holding]) -> None:
    if archive.is_quiet:
        is_same = tuple(found) == archive.graphs
    else:
        # Written to meanwhile: some memories more or fewer, but the same workspaces.
        is_same = {graph.key for graph in archive.graphs} <= {graph.key for graph in found}
    if not is_same:
        raise ValidationError("The file", "holds other data than it says; nothing was changed.")


def _aside(folder: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    return folder / f"replaced-{stamp}"
