"""Back up the workspaces of a server that somebody else runs: exports with their vectors."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from zapomni_core.keeping.archives import checksum_path
from zapomni_core.keeping.backups import BackedUp, fresh_path
from zapomni_core.keeping.exporting import export_lines
from zapomni_db import WorkspaceRecord
from zapomni_db.transfer import Transfer

__all__ = ["back_up_by_export"]


async def back_up_by_export(
    workspaces: Sequence[tuple[WorkspaceRecord, Transfer]], path: Path
) -> BackedUp:
    """Write an export of each workspace to a new file, the first to the one that was named."""
    started = time.perf_counter()
    targets = [path, *(_beside(path, record.id) for record, _ in workspaces[1:])]
    done: list[BackedUp] = []
    try:
        for (_, transfer), target in zip(workspaces, targets, strict=True):
            done.append(await _back_up(transfer, fresh_path(target)))
    except BaseException:
        _remove([Path(each.path) for each in done])
        raise
    return replace(
        done[0],
        memories=sum(each.memories for each in done),
        size_bytes=sum(each.size_bytes for each in done),
        seconds=round(time.perf_counter() - started, 3),
        others=tuple(each.path for each in done[1:]),
    )


async def _back_up(transfer: Transfer, path: Path) -> BackedUp:
    started = time.perf_counter()
    partial = path.with_name(f"{path.name}.part")
    try:
        with partial.open("wb") as file:
            partial.chmod(0o600)
            exported = await export_lines(transfer, file, with_vectors=True)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        sha256 = await asyncio.to_thread(_sha256, partial)
        checksum_path(path).write_text(f"{sha256}  {path.name}\n", encoding="utf-8")
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    seconds = round(time.perf_counter() - started, 3)
    return BackedUp(str(path), exported.memories, size, sha256, seconds)


def _remove(paths: Sequence[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
        checksum_path(path).unlink(missing_ok=True)


def _beside(path: Path, workspace_id: str) -> Path:
    return path.with_name(f"{path.stem}.{workspace_id}{path.suffix}")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
