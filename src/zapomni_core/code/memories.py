"""Find the memories that mention a symbol, and tell whether they are still right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from zapomni_core.code.meant import bare
from zapomni_core.code.mentioning import mentions, passage
from zapomni_core.code.places import CodePlaces, Place
from zapomni_core.code.results import MemoryAbout
from zapomni_core.models import moment_of, public_id
from zapomni_core.retrieval.index import WordIndex
from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_core.retrieval.terms import query_terms
from zapomni_db import HitRecord, Store
from zapomni_db.code import RepositoryRecord, Symbol

__all__ = ["CodeMemories"]

_MEMORIES = 10
_CANDIDATES = 100


class CodeMemories:
    """Looks from code to memories."""

    def __init__(self, store: Store, words: WordIndex, places: CodePlaces) -> None:
        self._store = store
        self._words = words
        self._places = places

    async def about(self, symbol: Symbol) -> list[MemoryAbout]:
        """Find the memories that mention a symbol or a file, the newest first."""
        place = Place("", symbol.path, symbol.line, symbol.changed_ms)
        if not symbol.qname or symbol.kind == "file":
            return await self._about((symbol.path, PurePosixPath(symbol.path).name), place)
        return await self._about((symbol.name, symbol.qname), place)

    async def about_gone(
        self, name: str, repositories: Sequence[RepositoryRecord]
    ) -> list[MemoryAbout]:
        """Find the memories that mention what is not there any more."""
        written = bare(name)
        places = await self._places.look_up([written], repositories)
        gone = [place for place in places[written] if place.is_gone]
        if not gone:
            return []
        path = PurePosixPath(gone[0].path)
        is_file = written.endswith(path.name)
        return await self._about((str(path), path.name) if is_file else (written,), gone[0])

    async def _about(self, names: Sequence[str], place: Place) -> list[MemoryAbout]:
        if not self._words.is_ready:
            return []
        await self._words.catch_up()
        chunk_ids = await self._words.read(lambda lexicon: _worded(lexicon, names))
        hits = await self._store.hits(chunk_ids) if chunk_ids else []
        mentioning = [hit for hit in hits if mentions(hit.text, names)]
        newest = sorted(mentioning, key=lambda hit: -hit.timestamp_ms)[:_MEMORIES]
        return [_remembered(hit, names, place) for hit in newest]


def _worded(lexicon: Lexicon, names: Sequence[str]) -> list[str]:
    """Find chunks that hold the words of the names; whether as names is seen later."""
    rows = [lexicon.search(query_terms(name), _CANDIDATES).rows for name in names]
    return list(dict.fromkeys(each for some in rows for each in lexicon.chunk_ids(some)))


def _remembered(hit: HitRecord, names: Sequence[str], place: Place) -> MemoryAbout:
    why = place.why_stale(hit.timestamp_ms)
    return MemoryAbout(
        memory_id=public_id(hit.memory_id),
        text=passage(hit.text, names),
        timestamp=moment_of(hit.timestamp_ms),
        source=hit.source,
        is_stale=why is not None,
        why=why,
    )
