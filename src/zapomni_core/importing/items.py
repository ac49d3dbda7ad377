"""Turn what a parser found into a memory, or say why it cannot be one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from zapomni_core.importing.models import ImportedItem, ImportedMemory, ImportKind, Skipped
from zapomni_core.importing.values import cleaned, is_storable, iso_of, label
from zapomni_core.models import MAX_TEXT_CHARS

__all__ = ["leave_out", "reject", "remember"]

_MAX_WHERE_CHARS = 300


def remember(
    kind: ImportKind,
    identity: tuple[str | int | None, ...],
    text: object,
    metadata: Mapping[str, object],
    where: str,
) -> ImportedItem:
    """Make a memory of a text; its identity must name the item in all exports alike."""
    if not isinstance(text, str):
        return reject("the text is no string", where)
    if not text.strip():
        return leave_out("empty text", where)
    if len(text) > MAX_TEXT_CHARS:
        return reject(f"longer than {MAX_TEXT_CHARS:,} characters", where)
    if not is_storable(text):
        return reject("the text has NUL or broken Unicode characters", where)
    given = {"source": str(kind), **metadata, **_time(metadata.get("timestamp"))}
    kept = {name: value for name, value in given.items() if value or value == 0}
    return ImportedMemory(text, kept, _external_id(kind, identity))


def reject(reason: str, where: str) -> Skipped:
    """Report what could not be read."""
    return Skipped(reason, _shown(where))


def leave_out(reason: str, where: str) -> Skipped:
    """Report what is left out by choice."""
    return Skipped(reason, _shown(where), by_design=True)


def _time(given: object) -> dict[str, object]:
    moment = iso_of(given)
    if moment or given is None:
        return {"timestamp": moment}
    return {"timestamp": None, "timestamp_as_given": label(given) or "no date"}


def _external_id(kind: ImportKind, identity: tuple[str | int | None, ...]) -> str:
    # Sizes keep ("a", "bc") and ("ab", "c") apart whatever characters an id holds.
    digest = hashlib.sha256()
    for part in identity:
        encoded = str(part).encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b" % (len(encoded), encoded))
    return f"{kind}:{digest.hexdigest()[:32]}"


def _shown(where: str) -> str:
    return cleaned(where[:_MAX_WHERE_CHARS])
