"""Join memories and code: which memories mention a symbol, and are they still right."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from zapomni_core.code.mentioning import is_path, mentions, names_in, passage
from zapomni_core.code.results import MemoryAbout
from zapomni_core.models import CodeMention, moment_of, public_id
from zapomni_core.retrieval.index import WordIndex
from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_core.retrieval.terms import query_terms
from zapomni_db import HitRecord, Store
from zapomni_db.code import CodeIndex, RepositoryRecord, Symbol

__all__ = ["CodeMemories"]

_MEMORIES = 10
_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class _Place:
    """Where code is or was, and when it was last seen to change or to disappear."""

    repository: str
    path: str
    line: int
    changed_ms: int
    is_gone: bool = False

    def why_stale(self, said_ms: int) -> str | None:
        """Say why a memory of that time may be out of date."""
        if self.changed_ms <= said_ms:
            return None
        what = "it is gone" if self.is_gone else "it has changed"
        return f"{what} since; noticed on {moment_of(self.changed_ms):%Y-%m-%d}"


class CodeMemories:
    """Looks from code to memories and back."""

    def __init__(self, store: Store, words: WordIndex) -> None:
        self._store = store
        self._words = words

    async def about(self, symbol: Symbol) -> list[MemoryAbout]:
        """Find the memories that mention a symbol or a file, the newest first."""
        place = _Place("", symbol.path, symbol.line, symbol.changed_ms)
        if symbol.kind == "file":
            return await self._about((symbol.path, symbol.name), place)
        return await self._about((symbol.name, symbol.qname), place)

    async def about_gone(
        self, name: str, repositories: Sequence[RepositoryRecord]
    ) -> list[MemoryAbout]:
        """Find the memories that mention what is not there any more."""
        places = await self._look_up(name, repositories)
        gone = [place for place in places if place.is_gone]
        return await self._about((name,), gone[0]) if gone else []

    async def mentioned(
        self, texts: Sequence[tuple[str, int]], repositories: Sequence[RepositoryRecord]
    ) -> list[tuple[CodeMention, ...]]:
        """Find the code that texts mention, each given with the time when it was said."""
        names = [names_in(text) for text, _ in texts]
        wanted = sorted({name for some in names for name in some})
        looked_up = await asyncio.gather(*(self._look_up(one, repositories) for one in wanted))
        places = dict(zip(wanted, looked_up, strict=True))
        return [
            tuple(_mention(name, place, said_ms) for name in some for place in places[name])
            for some, (_, said_ms) in zip(names, texts, strict=True)
        ]

    async def _about(self, names: Sequence[str], place: _Place) -> list[MemoryAbout]:
        if not self._words.is_ready:
            return []
        await self._words.catch_up()
        chunk_ids = await self._words.read(lambda lexicon: _worded(lexicon, names))
        hits = await self._store.hits(chunk_ids) if chunk_ids else []
        mentioning = [hit for hit in hits if mentions(hit.text, names)]
        newest = sorted(mentioning, key=lambda hit: -hit.timestamp_ms)[:_MEMORIES]
        return [_remembered(hit, names, place) for hit in newest]

    async def _look_up(self, name: str, repositories: Sequence[RepositoryRecord]) -> list[_Place]:
        places: list[_Place] = []
        for record in repositories:
            index = self._store.code.index(record.id)
            look = _file if is_path(name) else _symbol
            place = await look(index, record.name, name)
            places += [place] if place is not None else []
        return places


async def _symbol(index: CodeIndex, repository: str, name: str) -> _Place | None:
    found = await index.find(name, 2)
    if len(found) == 1 or (found and found[0].qname == name):
        return _Place(repository, found[0].path, found[0].line, found[0].changed_ms)
    if found:
        return None  # nothing tells which one is meant
    gone = await index.gone(name.rpartition(".")[2], 1)
    return _gone(repository, gone[0].path, gone[0].line, gone[0].since_ms) if gone else None


async def _file(index: CodeIndex, repository: str, name: str) -> _Place | None:
    found = await index.find_files(name, 2)
    if len(found) == 1:
        symbols = await index.symbols_in(found[0].path)
        changed_ms = max((each.changed_ms for each in symbols), default=0)
        return _Place(repository, found[0].path, 1, changed_ms)
    if found:
        return None
    gone = await index.gone(PurePosixPath(name).stem)
    ended = [each for each in gone if each.path == name or each.path.endswith(f"/{name}")]
    return _gone(repository, ended[0].path, 1, ended[0].since_ms) if ended else None


def _gone(repository: str, path: str, line: int, since_ms: int) -> _Place:
    return _Place(repository, path, line, since_ms, is_gone=True)


def _worded(lexicon: Lexicon, names: Sequence[str]) -> list[str]:
    """Find chunks that hold the words of the names; whether as names is seen later."""
    rows = [lexicon.search(query_terms(name), _CANDIDATES).rows for name in names]
    return list(dict.fromkeys(each for some in rows for each in lexicon.chunk_ids(some)))


def _remembered(hit: HitRecord, names: Sequence[str], place: _Place) -> MemoryAbout:
    why = place.why_stale(hit.timestamp_ms)
    return MemoryAbout(
        memory_id=public_id(hit.memory_id),
        text=passage(hit.text, names),
        timestamp=moment_of(hit.timestamp_ms),
        source=hit.source,
        is_stale=why is not None,
        why=why,
    )


def _mention(name: str, place: _Place, said_ms: int) -> CodeMention:
    why = place.why_stale(said_ms)
    return CodeMention(
        name, place.repository, place.path, max(place.line, 1), is_stale=why is not None, why=why
    )
