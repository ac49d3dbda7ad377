"""Copy workspaces to another database, and prove that they are the same there."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from zapomni_core.embedding.protocol import Embedder
from zapomni_core.errors import ProcessingError, ValidationError
from zapomni_core.jobs import Progress
from zapomni_core.keeping.exporting import export_lines
from zapomni_core.keeping.importing import import_export
from zapomni_db.transfer import Transfer

__all__ = ["Moved", "move"]


@dataclass(frozen=True, slots=True)
class Moved:
    """What was copied; the hash is that of an export, from here and from there.

    Of several workspaces it is that of their hashes, one after another.
    """

    memories: int
    added: int
    sha256: str
    workspaces: int = 1

    @staticmethod
    def together(moved: Sequence[Moved]) -> Moved:
        """Sum up what was copied of several workspaces."""
        if len(moved) == 1:
            return moved[0]
        hashes = "".join(each.sha256 for each in moved)
        return Moved(
            memories=sum(each.memories for each in moved),
            added=sum(each.added for each in moved),
            sha256=hashlib.sha256(hashes.encode()).hexdigest(),
            workspaces=len(moved),
        )


async def move(
    source: Transfer,
    target: Transfer,
    embedder: Embedder,
    executor: Executor,
    progress: Progress | None = None,
) -> Moved:
    """Copy everything, vectors too, into a database that holds nothing else; keep the source."""
    here = {memory_id for memory_id, _ in await source.memory_ids()}
    there = {memory_id for memory_id, _ in await target.memory_ids()}
    if there - here:
        raise ValidationError(
            "The target", f"holds {len(there - here)} other memories; set GRAPH_NAME to a new name"
        )
    with tempfile.TemporaryDirectory(prefix="zapomni-") as folder:
        path = Path(folder) / "export.jsonl"
        with path.open("wb") as file:
            sent = await export_lines(source, file, with_vectors=True)
        imported = await import_export(path, target, embedder, executor, progress=progress)
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123, ASYNC230
            arrived = await export_lines(target, nowhere, with_vectors=True)
    if arrived != sent:
        raise ProcessingError(
            "What arrived is not what was sent: somebody writes to one of the two. Stop every "
            "other Zapomni and run the command again; it goes on where it was."
        )
    return Moved(sent.memories, imported.added, sent.sha256)
