"""Back up a workspace of a server that somebody else runs: an export with its vectors."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from pathlib import Path

from zapomni_core.keeping.archives import checksum_path
from zapomni_core.keeping.backups import BackedUp
from zapomni_core.keeping.exporting import export_lines
from zapomni_db.transfer import Transfer

__all__ = ["back_up_by_export"]


async def back_up_by_export(transfer: Transfer, path: Path) -> BackedUp:
    """Write an export with vectors to a new file, and its checksum beside it."""
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


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
