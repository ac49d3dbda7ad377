"""Read, list, change and delete the memories of an open workspace."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final

import orjson

from zapomni_core.code.places import CodePlaces
from zapomni_core.errors import ValidationError
from zapomni_core.jobs import Progress
from zapomni_core.knowledge.graph import KnowledgeGraph
from zapomni_core.life.adding import PREVIEW_CHARS, without_secrets
from zapomni_core.life.counting import count_memories
from zapomni_core.life.identity import Echoes
from zapomni_core.life.listing import Cursor, list_ids
from zapomni_core.life.pruning import prune
from zapomni_core.life.relabelling import relabelled
from zapomni_core.life.results import (
    Cleared,
    MemoryChunk,
    MemoryDeleted,
    MemoryDetails,
    MemoryPage,
    MemorySummary,
    MemoryUpdated,
    MemoryVersion,
    Order,
    PruneKind,
    PruneReport,
)
from zapomni_core.life.turns import Turns
from zapomni_core.life.writing import Draft, Writer
from zapomni_core.models import Metadata, moment_of, public_id
from zapomni_core.retrieval import Filters, WordIndex
from zapomni_core.validation import ParsedMetadata, parse_metadata
from zapomni_db import ListedMemory, MemoryRecord, Store, StoredVersion, StoreError

__all__ = ["Life"]

_BEGINNING: Final = 200
_MOST_NAMES: Final = 50
_MOST_ALIKE: Final = 10
# Each time that an update comes too late, another one was done.
_MOST_TRIES: Final = 100
# Where code is looked for; a whole book would take seconds.
_LOOKED_THROUGH: Final = 100_000
_TOO_MANY: Final = "Others change this memory all the time; try again."
_UNKNOWN: Final = "names no memory; search_memory and list_memories show their ids"
_WARMING: Final = "The word index is still loading; list again in a few seconds."
# The id of what is read out of a file or an export is made of its place there: who reads it again
# would bring it back.
_DERIVED: Final = 5
_STILL_ON_DISK: Final = (
    "The database's files may hold the text until they are next rewritten; erase: true does that "
    "at once. Backups and exports that were made earlier still hold it."
)
_ERASED: Final = "Backups and exports that were made earlier still hold it; delete them, too."
_NOT_OURS: Final = (
    "The database server keeps its own log and backups, which may still hold it: whoever runs the "
    "server can rewrite its log (BGREWRITEAOF)."
)


@dataclass(frozen=True, slots=True)
class Life:
    """What can be done with the memories of one store.

    `prepare` binds the store to its model, `is_warm` waits a while for the word index.
    """

    store: Store
    index: WordIndex
    graph: KnowledgeGraph
    places: CodePlaces
    writer: Writer
    echoes: Echoes
    hides_secrets: bool
    prepare: Callable[[], Awaitable[None]]
    is_warm: Callable[[], Awaitable[bool]]
    turns: Turns = field(default_factory=Turns)

    async def get(self, memory_id: str) -> MemoryDetails:
        """Tell all that is known of a memory."""
        life = self.store.life
        stored, versions, names = await asyncio.gather(
            life.whole(memory_id, _now_ms()),
            life.versions(memory_id),
            life.names_in(memory_id, _MOST_NAMES),
        )
        if stored is None:
            raise ValidationError("memory_id", _UNKNOWN)
        record = stored.record
        said = (record.text[:_LOOKED_THROUGH], record.timestamp_ms)
        (code,) = await self.places.mentioned([said])
        self.echoes.note(record.text, record.id)
        return MemoryDetails(
            memory_id=public_id(record.id),
            text=record.text,
            length=len(record.text),
            source=record.source,
            tags=record.tags,
            timestamp=moment_of(record.timestamp_ms),
            created_at=moment_of(record.created_ms),
            changed_at=_moment(stored.changed_ms),
            expires_at=_moment(record.expires_ms),
            is_pinned=record.is_pinned,
            metadata=orjson.loads(record.metadata_json),
            chunks=tuple(MemoryChunk(public_id(key), *span) for key, *span in stored.chunks),
            history=tuple(map(_version, versions)),
            similar_to=public_id(record.similar_to) if record.similar_to else None,
            names=tuple(names),
            code=code,
        )

    async def find(self, digits: str) -> str:
        """Return the id of the one memory whose id begins with these digits."""
        found = await self.store.life.beginning_with(digits, _now_ms(), _MOST_ALIKE)
        if not found:
            raise ValidationError("memory_id", _UNKNOWN)
        if len(found) > 1:
            alike = ", ".join(map(public_id, found))
            raise ValidationError("memory_id", f"begins more than one id; say which: {alike}")
        return public_id(found[0])

    async def list(
        self,
        filters: Filters,
        order: Order,
        cursor: str | None,
        limit: int,
        *,
        with_counts: bool = False,
    ) -> MemoryPage:
        """Show some of the memories that match, in order."""
        after = Cursor.parse(cursor, order)
        if not await self.is_warm():
            return MemoryPage((), 0, notice=_WARMING)
        await self.index.catch_up()
        look = partial(list_ids, filters=filters, order=order, after=after, limit=limit)
        listing = await self.index.read(look)
        found = await self.store.life.listed(listing.memory_ids, _BEGINNING)
        known = {each.id: _summary(each) for each in found}
        return MemoryPage(
            tuple(known[each] for each in listing.memory_ids if each in known),
            listing.total,
            None if listing.next is None else str(listing.next),
            counts=await self.index.read(partial(count_memories, filters=filters))
            if with_counts
            else None,
        )

    async def update(
        self,
        memory_id: str,
        text: str | None,
        changes: Metadata | None,
        progress: Progress | None = None,
    ) -> MemoryUpdated:
        """Put another text or other metadata in the place of a memory's; the old one is kept.

        Fields of the metadata that are not given stay; None takes a field away.
        """
        # 200 at once took 17 s when each of them made all others try again.
        async with self.turns.of(memory_id):
            for times in range(_MOST_TRIES):
                updated = await self._update(
                    memory_id, text, changes, progress, is_again=times > 0
                )
                if updated is not None:
                    return updated
                # Somebody else has changed it meanwhile: what they did stays.
                self.graph.notice(memory_id)
        raise StoreError(_TOO_MANY)

    async def _update(
        self,
        memory_id: str,
        text: str | None,
        changes: Metadata | None,
        progress: Progress | None,
        *,
        is_again: bool,
    ) -> MemoryUpdated | None:
        """Update a memory unless it is changed while that goes on."""
        now_ms = _now_ms()
        stored = await self.store.life.whole(memory_id, now_ms)
        if stored is None:
            raise ValidationError("memory_id", _UNKNOWN)
        old = stored.record
        new_text, hidden = old.text if text is None else text, Counter[str]()
        metadata = parse_metadata(_patched(orjson.loads(old.metadata_json), changes or {}))
        if self.hides_secrets:
            new_text, metadata, hidden = await asyncio.to_thread(
                without_secrets, new_text, metadata
            )
        is_timed = bool({"ttl", "expires"} & (changes or {}).keys())
        expires_ms = metadata.expiry_ms(now_ms) if is_timed else old.expires_ms
        if is_timed and expires_ms is not None and expires_ms <= now_ms and not metadata.is_pinned:
            raise ValidationError("metadata.expires", "is over already; nothing was changed")
        preview = new_text[:PREVIEW_CHARS]
        if new_text == old.text and metadata.json == old.metadata_json:
            count = len(stored.chunks)
            # If this was tried before, it was done, and the answer to it was lost.
            return MemoryUpdated(public_id(memory_id), is_again, count, preview, dict(hidden))
        said_ms = old.timestamp_ms if metadata.timestamp_ms is None else metadata.timestamp_ms
        label = relabelled(stored, metadata, said_ms, expires_ms) if new_text == old.text else None
        if label is not None:
            is_done = await self._relabel(old, label, now_ms)
            count = len(stored.chunks)
        else:
            draft = Draft(memory_id, new_text, metadata, old.created_ms, said_ms, expires_ms)
            count = await self._replace(draft, old, now_ms, progress)
            is_done = count > 0
        if not is_done:
            return None
        return MemoryUpdated(public_id(memory_id), True, count, preview, dict(hidden))

    async def merge(self, memory_id: str, metadata: ParsedMetadata) -> None:
        """Give a memory that is stored again the tags it lacks, and the longer life."""
        if self.hides_secrets:
            _, metadata, _ = await asyncio.to_thread(without_secrets, "", metadata)
        async with self.turns.of(memory_id):
            for _ in range(_MOST_TRIES):
                if await self._merge(memory_id, metadata):
                    return
        raise StoreError(_TOO_MANY)

    async def _merge(self, memory_id: str, again: ParsedMetadata) -> bool:
        """Merge into a memory as it is now; False if it is changed while that goes on."""
        now_ms = _now_ms()
        stored = await self.store.life.whole(memory_id, now_ms)
        changes = _merged(stored.record, again, now_ms) if stored else {}
        if stored is None or not changes:
            return True
        old = stored.record
        metadata = parse_metadata(_patched(orjson.loads(old.metadata_json), changes))
        expires_ms = metadata.expiry_ms(now_ms) if "expires" in changes else old.expires_ms
        label = relabelled(stored, metadata, old.timestamp_ms, expires_ms)
        # Whoever stores something again each day wants no history of that.
        return label is None or await self._relabel(old, label, now_ms, keeps_old=False)

    async def label(self, memory_id: str, changes: Metadata) -> bool:
        """Change the metadata of a memory unless it has expired; tell whether this was done."""
        if await self.store.life.whole(memory_id, _now_ms()) is None:
            return False
        return (await self.update(memory_id, None, changes)).is_changed

    async def delete(self, memory_id: str, *, erase: bool) -> MemoryDeleted:
        """Take a memory away with its history and what only it says."""
        lost = await self.store.life.losses(memory_id)
        if not lost.memories:
            raise ValidationError("memory_id", _UNKNOWN)
        if uuid.UUID(memory_id).version == _DERIVED:
            await self.store.forgotten.note(memory_id)
        await self.store.remove(memory_id)
        is_erased, notice = await self._forgotten(erase=erase)
        return MemoryDeleted(
            public_id(memory_id),
            lost.chunks,
            lost.facts,
            lost.entities,
            lost.versions,
            is_erased,
            notice,
        )

    async def clear(self, *, erase: bool) -> Cleared:
        """Take every memory away; code indexes stay."""
        counts = await self.store.counts()
        await self.store.clear()
        is_erased, notice = await self._forgotten(erase=erase)
        return Cleared(counts.memories, counts.chunks, is_erased, notice)

    async def prune(
        self,
        kinds: Sequence[PruneKind],
        older_than_days: int,
        *,
        folder: str | None = None,
        is_dry_run: bool,
    ) -> PruneReport:
        """Say what is of no use any more, and remove it unless this is a dry run."""
        report = await prune(
            self.store, kinds, older_than_days, folder=folder, is_dry_run=is_dry_run
        )
        if not is_dry_run and self.index.is_ready:
            await self.index.catch_up()
        return report

    async def _relabel(
        self, old: MemoryRecord, new: MemoryRecord, now_ms: int, *, keeps_old: bool = True
    ) -> bool:
        """Change what is known of a memory; False if it is not as it was."""
        # The graph tells when something was said.
        is_unread = new.timestamp_ms != old.timestamp_ms
        is_done = await self.store.labels.change(
            old, new, now_ms, is_unread=is_unread, keeps_old=keeps_old
        )
        if not is_done:
            return False
        if self.index.is_ready:
            await self.index.catch_up()
        if is_unread:
            self.graph.notice(new.id)
        return True

    async def _replace(
        self, draft: Draft, old: MemoryRecord, now_ms: int, progress: Progress | None
    ) -> int:
        """Exchange a memory for its next version; count its chunks, 0 if it is not as it was."""
        await self.prepare()
        prepared = await self.writer.prepare(draft, progress)
        position = await self.store.replace(prepared.memory, prepared.chunks, now_ms, old)
        if position is None:
            return 0
        await self.index.add(position, prepared.entries(), {draft.memory_id})
        self.graph.notice(draft.memory_id)
        return len(prepared.chunks)

    async def _forgotten(self, *, erase: bool) -> tuple[bool, str]:
        """Let this process forget what the store has, and its files if that is wanted."""
        self.echoes.clear()
        if self.index.is_ready:
            await self.index.catch_up()
        if not erase:
            return False, _STILL_ON_DISK
        await self.index.forget_on_disk()
        is_erased = await self.store.rewrite_log()
        return is_erased, _ERASED if is_erased else f"{_NOT_OURS} {_ERASED}"


def _patched(metadata: Metadata, changes: Metadata) -> Metadata:
    replaced = {"ttl": "expires", "expires": "ttl"}
    dropped = changes.keys() | {replaced[name] for name in changes if name in replaced}
    kept = {name: each for name, each in metadata.items() if name not in dropped}
    return kept | {name: each for name, each in changes.items() if each is not None}


def _merged(known: MemoryRecord, again: ParsedMetadata, now_ms: int) -> Metadata:
    changes: dict[str, Any] = {}
    if missing := [tag for tag in again.tags if tag not in known.tags]:
        changes["tags"] = [*known.tags, *missing]
    if again.is_pinned and not known.is_pinned:
        changes["pinned"] = True
    if known.expires_ms is not None:
        expires_ms = again.expiry_ms(now_ms)
        if expires_ms is None:
            changes["expires"] = None
        elif expires_ms > known.expires_ms:
            changes["expires"] = moment_of(expires_ms).isoformat()
    return changes


def _summary(found: ListedMemory) -> MemorySummary:
    return MemorySummary(
        memory_id=public_id(found.id),
        text=found.beginning,
        length=found.length,
        chunks=found.chunk_count,
        source=found.source,
        tags=found.tags,
        timestamp=moment_of(found.timestamp_ms),
        created_at=moment_of(found.created_ms),
        changed_at=_moment(found.changed_ms),
        expires_at=_moment(found.expires_ms),
        is_pinned=found.is_pinned,
        metadata=orjson.loads(found.metadata_json),
    )


def _version(found: StoredVersion) -> MemoryVersion:
    return MemoryVersion(
        text=found.text,
        metadata=orjson.loads(found.metadata_json),
        timestamp=moment_of(found.timestamp_ms),
        since=moment_of(found.since_ms),
        until=moment_of(found.until_ms),
    )


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else moment_of(milliseconds)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
