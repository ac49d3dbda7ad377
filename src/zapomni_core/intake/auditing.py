"""Count junk among all memories, without showing what they say."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from zapomni_core.intake.junk import is_recalled, is_too_short, same_text, same_words
from zapomni_core.intake.results import Audit, AuditFinding, AuditKind
from zapomni_core.jobs import Progress
from zapomni_core.life.pruning import prune
from zapomni_core.life.redaction import redact
from zapomni_core.models import public_id
from zapomni_db import Store
from zapomni_db.intake import AuditedMemory

__all__ = ["audit"]

_EXAMPLES: Final = 5
# A whole book would take seconds.
_LOOKED_THROUGH: Final = 100_000
_DELETE: Final = "delete_memory, or `zapomni forget ID`"
_ABOUT: Final[Mapping[AuditKind, tuple[str, str]]] = {
    "duplicates": ("the same text in the same place, more than once", _DELETE),
    "repeated": ("the same text from several places", "delete those you do not need"),
    "near_duplicates": ("nearly the same words as another memory", "merge or delete one of them"),
    "expired": ("expired, but still stored", "prune_memory, kind expired"),
    "recalled": ("an answer of this memory, stored as a new one", _DELETE),
    "too_short": ("too short to say anything alone", _DELETE),
    "secrets": (
        "may hold a password or key",
        "update_memory writes it without; rewrite the files on disk by deleting with erase",
    ),
    "without_source": ("nothing says where it comes from", "update_memory, metadata.source"),
    "unfinished": ("its writing was cut off", "goes at the next start"),
    "orphans": ("left behind by memories that are gone", "prune_memory, kind orphans"),
}


@dataclass(slots=True)
class _Findings:
    now_ms: int
    memories: int = 0
    counts: dict[AuditKind, int] = field(default_factory=lambda: dict.fromkeys(_ABOUT, 0))
    examples: dict[AuditKind, list[str]] = field(default_factory=lambda: {k: [] for k in _ABOUT})
    _identities: set[str] = field(default_factory=set)
    _texts: set[bytes] = field(default_factory=set)
    _words: set[bytes] = field(default_factory=set)

    def look_at(self, page: Sequence[AuditedMemory]) -> None:
        """Count what is wrong with some memories."""
        for memory in page:
            if not memory.is_whole:
                self._note("unfinished", memory)
                continue
            self.memories += 1
            self._look_for_copies(memory)
            self._look_into(memory)

    def _look_for_copies(self, memory: AuditedMemory) -> None:
        """Name a memory for the closest likeness only."""
        text, words = same_text(memory.text), same_words(memory.text)
        if memory.identity and memory.identity in self._identities:
            self._note("duplicates", memory)
        elif text is not None and text in self._texts:
            self._note("repeated", memory)
        elif memory.is_similar or (text is not None and words in self._words):
            self._note("near_duplicates", memory)
        self._identities.add(memory.identity)
        if text is not None:
            self._texts.add(text)
        if words is not None:
            self._words.add(words)

    def _look_into(self, memory: AuditedMemory) -> None:
        expires_ms = memory.expires_ms
        if expires_ms is not None and expires_ms <= self.now_ms and not memory.is_pinned:
            self._note("expired", memory)
        if is_recalled(memory.text):
            self._note("recalled", memory)
        # A short answer stands among others in its conversation.
        if not memory.thread and is_too_short(memory.text):
            self._note("too_short", memory)
        if redact(memory.text).hidden:
            self._note("secrets", memory)
        if not memory.source:
            self._note("without_source", memory)

    def _note(self, kind: AuditKind, memory: AuditedMemory) -> None:
        self.counts[kind] += 1
        if len(self.examples[kind]) < _EXAMPLES:
            self.examples[kind].append(public_id(memory.id))


async def audit(store: Store, progress: Progress | None = None) -> Audit:
    """Look at every memory once, page by page."""
    started = time.perf_counter()
    total = (await store.counts()).memories
    findings = _Findings(time.time_ns() // 1_000_000)
    async for page in store.intake.all(_LOOKED_THROUGH):
        await asyncio.to_thread(findings.look_at, page)
        if progress is not None:
            await progress(findings.memories, max(total, findings.memories))
    orphans = (await prune(store, ["orphans"], 0, is_dry_run=True)).kinds[0]
    findings.counts["orphans"] = orphans.count
    return Audit(
        findings.memories,
        tuple(
            AuditFinding(
                kind, findings.counts[kind], tuple(findings.examples[kind]), *_ABOUT[kind]
            )
            for kind in _ABOUT
        ),
        round(time.perf_counter() - started, 3),
    )
