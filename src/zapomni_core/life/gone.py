"""Find the files that memories were read out of and that are gone."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zapomni_db import Store

__all__ = ["GoneFile", "gone_files"]


@dataclass(frozen=True, slots=True)
class GoneFile:
    """A file that is no more, and its memories but for those that are pinned."""

    path: str
    memory_ids: tuple[str, ...]


async def gone_files(store: Store, folders: Sequence[str]) -> list[GoneFile]:
    """List the files that were read in these folders, or below them, and are gone."""
    held: dict[str, set[str]] = {}
    for folder in folders:
        below = folder if folder.endswith(os.sep) else folder + os.sep
        for part in await store.intake.file_parts(below):
            held.setdefault(part.source, set()).add(part.memory_id)
    return await asyncio.to_thread(_gone, held)


def _gone(held: Mapping[str, set[str]]) -> list[GoneFile]:
    return [GoneFile(path, tuple(sorted(held[path]))) for path in sorted(held) if _is_gone(path)]


def _is_gone(path: str) -> bool:
    """Tell what is gone from what only cannot be looked at."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False
