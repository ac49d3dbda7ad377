"""Store a text once: hide its secrets, and find out whether it is a memory already."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import orjson

from zapomni_core.jobs import Progress
from zapomni_core.life.identity import Echoes, Told, are_alike, holds, identity_of
from zapomni_core.life.redaction import redact, redact_metadata
from zapomni_core.life.turns import Turns
from zapomni_core.life.writing import Draft, Prepared, Writer
from zapomni_core.models import MemoryResult, public_id
from zapomni_core.retrieval import WordIndex
from zapomni_core.settings import Settings
from zapomni_core.validation import ParsedMetadata, parse_metadata
from zapomni_db import Store, StoredMemory, StoreError

__all__ = ["PREVIEW_CHARS", "Adding", "without_secrets"]

PREVIEW_CHARS: Final = 100
# Nearly the same words have nearly the same vector; the words themselves are compared, too.
_NEAR: Final = 0.93
_NEIGHBOURS: Final = 3


class Adding:
    """Stores texts that are not stored yet."""

    def __init__(
        self, store: Store, index: WordIndex, writer: Writer, echoes: Echoes, settings: Settings
    ) -> None:
        self._store = store
        self._index = index
        self._writer = writer
        self._echoes = echoes
        self._hides_secrets = settings.redact_secrets
        self._links = settings.near_duplicates == "link"
        self._turns = Turns()

    async def add(
        self,
        text: str,
        metadata: ParsedMetadata,
        progress: Progress | None = None,
        *,
        memory_id: uuid.UUID | None = None,
    ) -> MemoryResult:
        """Store a text unless it is a memory already; with an id of its own it always is new."""
        hidden: Counter[str] = Counter()
        if self._hides_secrets:
            text, metadata, hidden = await asyncio.to_thread(without_secrets, text, metadata)
        identity = identity_of(text, metadata)
        # Of those who store the same at the same time the second one finds the first.
        async with self._turns.of(identity):
            known = None if memory_id else await self._known(identity, text, metadata)
            if known is not None:
                preview = text[:PREVIEW_CHARS]
                return MemoryResult(
                    public_id(known), 0, preview, is_duplicate=True, secrets_hidden=dict(hidden)
                )
            draft = Draft.of((memory_id or uuid.uuid4()).hex, text, metadata)
            prepared = await self._writer.prepare(draft, progress)
            if self._links and memory_id is None:
                prepared = await self._linked(prepared)
            await self._write(prepared)
        memory = prepared.memory
        return MemoryResult(
            public_id(memory.id),
            len(prepared.chunks),
            text[:PREVIEW_CHARS],
            similar_to=public_id(memory.similar_to) if memory.similar_to else None,
            secrets_hidden=dict(hidden),
        )

    async def known(self, texts: Sequence[tuple[str, ParsedMetadata]]) -> list[str | None]:
        """Tell of each text which memory it is already; for many at once."""
        identities = [identity_of(text, metadata) for text, metadata in texts]
        found = await self._store.life.identical(identities, _now_ms())
        return [found.get(identity) for identity in identities]

    async def _known(self, identity: str, text: str, metadata: ParsedMetadata) -> str | None:
        if (told := self._echoes.memory_of(text, metadata)) is not None:
            stored = await self._store.life.whole(told.memory_id, _now_ms())
            is_held = stored is not None and holds(stored.record.text, text)
            # What was changed since may say the contrary in the same words.
            if stored is not None and is_held and await self._is_as_told(stored, told):
                return told.memory_id
        return (await self._store.life.identical([identity], _now_ms())).get(identity)

    async def _is_as_told(self, stored: StoredMemory, told: Told) -> bool:
        """Tell whether a text is the one that was told; other labels make no other text."""
        if (stored.changed_ms or 0) < told.at_ms:
            return True
        record = stored.record
        return await self._store.life.has_said(record.id, record.text, told.at_ms)

    async def _linked(self, prepared: Prepared) -> Prepared:
        """Name a memory that says nearly the same; documents are not compared."""
        if len(prepared.chunks) > 1:
            return prepared
        near = await self._store.nearest(prepared.chunks[0].embedding, _NEIGHBOURS)
        close = [chunk_id for chunk_id, similarity in near.items() if similarity >= _NEAR]
        for record in await self._store.hits(close) if close else []:
            if are_alike(record.text, prepared.memory.text):
                memory = replace(prepared.memory, similar_to=record.memory_id)
                return replace(prepared, memory=memory)
        return prepared

    async def _write(self, prepared: Prepared) -> None:
        position = await self._store.add(prepared.memory, prepared.chunks)
        try:
            await self._index.add(position, prepared.entries())
        except BaseException:
            # The caller will not learn the id: a memory that was given up must not stay.
            with suppress(StoreError):
                await self._store.remove(prepared.memory.id)
            raise


def without_secrets(
    text: str, metadata: ParsedMetadata
) -> tuple[str, ParsedMetadata, Counter[str]]:
    """Hide the secrets of a text and of what is known about it, and count them by kind."""
    clean = redact(text)
    details, hidden = redact_metadata(orjson.loads(metadata.json))
    if hidden:
        metadata = parse_metadata(details)
    return clean.text, metadata, clean.hidden + hidden


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
