"""Write each memory as a Markdown file that people and other programs can read."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import orjson

from zapomni_core.errors import ValidationError
from zapomni_core.jobs import Progress
from zapomni_core.keeping.exporting import all_memories
from zapomni_core.models import moment_of, public_id
from zapomni_db import MemoryRecord
from zapomni_db.transfer import Transfer

__all__ = ["export_markdown", "file_name", "markdown_of"]

_NO_LETTER = re.compile(r"[^a-z0-9]+")
_MOST_LETTERS = 48


async def export_markdown(
    transfer: Transfer, folder: Path, progress: Progress | None = None
) -> int:
    """Write one file for each memory into an empty or new folder, and count them."""
    await asyncio.to_thread(_prepare, folder)
    written = 0
    async for page, total in all_memories(transfer):
        await asyncio.to_thread(_write, folder, [whole.memory for whole in page])
        written += len(page)
        if progress is not None:
            await progress(written, total)
    return written


def file_name(memory: MemoryRecord) -> str:
    """Name a memory's file: its day, how it begins, and its id; safe on every system."""
    beginning = unicodedata.normalize("NFKD", memory.text[:200]).encode("ascii", "ignore")
    words = _NO_LETTER.sub("-", beginning.decode().lower())[:_MOST_LETTERS].strip("-")
    day = f"{moment_of(memory.timestamp_ms):%Y-%m-%d}"
    return "_".join(filter(None, (day, words, memory.id))) + ".md"


def markdown_of(memory: MemoryRecord) -> str:
    """Put what is known of a memory in front of its text."""
    known: dict[str, object] = {
        "id": public_id(memory.id),
        "timestamp": moment_of(memory.timestamp_ms).isoformat(),
        "created": moment_of(memory.created_ms).isoformat(),
        "source": memory.source,
        "tags": list(memory.tags),
        "speaker": memory.speaker,
        "metadata": orjson.loads(memory.metadata_json),
    }
    # JSON is YAML: no text can end the front matter or add to it.
    lines = [f"{name}: {orjson.dumps(value).decode()}" for name, value in known.items() if value]
    return "\n".join(["---", *lines, "---", "", memory.text, ""])


def _prepare(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ValidationError("The folder", f"{folder} is not empty; give another one")


def _write(folder: Path, memories: Sequence[MemoryRecord]) -> None:
    for memory in memories:
        with (folder / file_name(memory)).open("x", encoding="utf-8", newline="") as file:
            file.write(markdown_of(memory))
