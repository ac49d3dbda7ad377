"""Give a memory other metadata without embedding its text again, where that is enough."""

from __future__ import annotations

from dataclasses import replace

import orjson

from zapomni_core.life.identity import identity_of
from zapomni_core.setting import Setting, setting_of
from zapomni_core.validation import ParsedMetadata, parse_metadata
from zapomni_db import MemoryRecord, StoredMemory

__all__ = ["relabelled"]


def relabelled(
    stored: StoredMemory, metadata: ParsedMetadata, said_ms: int, expires_ms: int | None
) -> MemoryRecord | None:
    """Return the memory with other metadata; None if it is found by other words then."""
    old = stored.record
    known = parse_metadata(orjson.loads(old.metadata_json))
    before = setting_of(old.text, known, old.timestamp_ms)
    after = setting_of(old.text, metadata, said_ms)
    if known.language != metadata.language or _found_by(before) != _found_by(after):
        return None
    # As it was written: the pieces of a long text follow each other.
    own_thread = old.id if len(stored.chunks) > 1 else ""
    return replace(
        old,
        timestamp_ms=said_ms,
        source=metadata.source,
        tags=metadata.tags,
        metadata_json=metadata.json,
        thread=after.thread or own_thread,
        place=after.place,
        identity=identity_of(old.text, metadata),
        expires_ms=expires_ms,
        is_pinned=metadata.is_pinned,
    )


def _found_by(setting: Setting) -> tuple[str, str, int, bool]:
    """Return what of a setting is embedded and indexed along with the text."""
    return setting.speaker, setting.date, setting.date_chars, setting.says_who
