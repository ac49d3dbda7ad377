"""Search the code of repositories by words, names and meaning."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from zapomni_core.code.files.patterns import Pattern, parsed, verdict
from zapomni_core.code.searching.candidates import (
    NAMED,
    NEAREST,
    WORDED,
    Legs,
    candidate,
    worded,
    worded_among,
)
from zapomni_core.code.searching.counting import counted_terms
from zapomni_core.code.searching.query import CodeQuery, read_query
from zapomni_core.code.searching.ranking import RankedSymbol, rank
from zapomni_core.code.searching.terms import whole_terms
from zapomni_core.embedding.protocol import Embedder, Vectors
from zapomni_core.retrieval.index import WordIndex
from zapomni_db.code import CodeIndex, CodeStore, RepositoryRecord, Symbol, node_key

__all__ = ["CodeFinder", "CodeSearch", "FoundCode"]

# Filters are applied to what was found, so more has to be found; if that does not do, all that
# they leave is looked at.
_WITH_FILTERS = 6
_FURTHER = 10
_NAMING = 300


@dataclass(frozen=True, slots=True)
class CodeSearch:
    """What to search for; without kinds, languages or a path, everything counts."""

    query: str
    limit: int
    kinds: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    path: str | None = None

    @property
    def has_filters(self) -> bool:
        """Tell whether anything is left out."""
        return bool(self.kinds or self.languages or self.path)


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A symbol that answers a query, and what speaks for it."""

    repository: RepositoryRecord
    symbol: Symbol
    ranked: RankedSymbol


class CodeFinder:
    """Searches with one word index for each repository, loaded when it is first needed."""

    def __init__(
        self, store: CodeStore, embedder: Embedder, executor: Executor, snapshots: Path
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._executor = executor
        self._snapshots = snapshots
        self._indexes: dict[str, WordIndex] = {}
        self._loading = asyncio.Lock()

    async def search(
        self, search: CodeSearch, repositories: Sequence[RepositoryRecord]
    ) -> list[FoundCode]:
        """Rank the symbols of all these repositories together."""
        query = read_query(search.query)
        embedding = asyncio.ensure_future(self._embedder.embed([search.query], "query"))
        try:
            legs = await asyncio.gather(
                *(self._legs(query, embedding, search, record) for record in repositories)
            )
            if search.has_filters and sum(len(each.symbols) for each in legs) < search.limit:
                legs = await asyncio.gather(
                    *(self._filtered(query, embedding, search, each) for each in repositories)
                )
        finally:
            embedding.cancel()
        by_id = {
            f"{record.id}:{key}": (record, key, found)
            for record, found in zip(repositories, legs, strict=True)
            for key in found.symbols
        }
        candidates = [candidate(own_id, key, found) for own_id, (_, key, found) in by_id.items()]
        best = [(*by_id[one.id], one) for one in rank(query, candidates, search.limit)]
        return [FoundCode(record, found.symbols[key], one) for record, key, found, one in best]

    async def paths_with(self, name: str, repository: RepositoryRecord) -> tuple[list[str], bool]:
        """List files that hold a name, those first that say most of it; tell if these are all."""
        terms = whole_terms(name)
        words = await self._words(repository)
        keys = await words.read(
            lambda lexicon: lexicon.chunk_ids(lexicon.search(terms, _NAMING).rows)
        )
        found = await self._store.index(repository.id).symbols_by_key(keys)
        are_all = bool(terms) and len(keys) < _NAMING
        return [*dict.fromkeys(symbol.path for symbol in found.values())], are_all

    async def warm_up(self, repository: RepositoryRecord) -> None:
        """Get ready for the first search, which would wait a second for it in Django."""
        await self._words(repository)

    async def save(self) -> None:
        """Write the word indexes down for the next start."""
        for index in self._indexes.values():
            await index.save()

    async def _legs(
        self,
        query: CodeQuery,
        embedding: Awaitable[Vectors],
        search: CodeSearch,
        record: RepositoryRecord,
    ) -> Legs:
        more = _WITH_FILTERS if search.has_filters else 1
        index = self._store.index(record.id)
        (by_words, known), similar = await asyncio.gather(
            self._by_words(index, query, more * WORDED, record),
            _by_meaning(index, embedding, more * NEAREST),
        )
        missing = [key for key in similar if key not in known]
        found = known | await index.symbols_by_key(missing)
        is_wanted = _wanted(search)
        wanted = {key: symbol for key, symbol in found.items() if is_wanted(symbol)}
        return Legs(wanted, by_words, similar)

    async def _filtered(
        self,
        query: CodeQuery,
        embedding: Awaitable[Vectors],
        search: CodeSearch,
        record: RepositoryRecord,
    ) -> Legs:
        """Look at everything that the filters leave: little of it is among the best of all."""
        index = self._store.index(record.id)
        is_wanted = _wanted(search)
        held = await index.symbols_within(await _files(index, search))
        wanted = {key: symbol for key, symbol in held.items() if is_wanted(symbol)}
        words = await self._words(record)
        by_words = await words.read(lambda lexicon: worded_among(lexicon, query, [*wanted]))
        similar = await _by_meaning(index, embedding, _FURTHER * NEAREST)
        found = {key: each for key, each in wanted.items() if key in by_words or key in similar}
        return Legs(found, by_words, similar)

    async def _by_words(
        self, index: CodeIndex, query: CodeQuery, count: int, record: RepositoryRecord
    ) -> tuple[dict[str, float], dict[str, Symbol]]:
        """Find symbols by words, and by names in the query; all of this while it is embedded."""
        words, named = await asyncio.gather(
            self._words(record),
            asyncio.gather(*(index.find(name, NAMED) for name in query.names)),
        )
        found = await words.read(lambda lexicon: worded(lexicon, query, count))
        known = {node_key(symbol.id): symbol for some in named for symbol in some}
        missing = [key for key in found if key not in known]
        return found, known | await index.symbols_by_key(missing)

    async def _words(self, record: RepositoryRecord) -> WordIndex:
        async with self._loading:
            index = self._indexes.get(record.incarnation)
            if index is None:
                snapshot = self._snapshots / f"{record.id}.words"
                index = WordIndex(
                    self._store.words(record), self._executor, snapshot, counted_terms
                )
                await index.load()
                self._indexes[record.incarnation] = index
        await index.catch_up()
        return index


async def _by_meaning(
    index: CodeIndex, embedding: Awaitable[Vectors], count: int
) -> dict[str, float]:
    (vector,) = await embedding
    return await index.nearest(vector, count)


async def _files(index: CodeIndex, search: CodeSearch) -> list[str]:
    """List the files in which something is wanted."""
    is_within = _within(search)
    holding = await index.files_holding(search.kinds)
    return [path for path, language in holding.items() if is_within(path, language)]


def _wanted(search: CodeSearch) -> Callable[[Symbol], bool]:
    is_within = _within(search)

    def is_wanted(symbol: Symbol) -> bool:
        is_kind = not search.kinds or symbol.kind in search.kinds
        return is_kind and is_within(symbol.path, symbol.language)

    return is_wanted


def _within(search: CodeSearch) -> Callable[[str, str], bool]:
    patterns = None if search.path is None else parsed(search.path.encode())

    def is_within(path: str, language: str) -> bool:
        is_language = not search.languages or language in search.languages
        return is_language and (patterns is None or _is_within(path.encode(), patterns))

    return is_within


def _is_within(path: bytes, patterns: Sequence[Pattern]) -> bool:
    """Tell if patterns are about a file or a folder around it."""
    folders = [path[:end] for end, byte in enumerate(path) if byte == ord("/")]
    return any(verdict(patterns, each, is_folder=True) for each in folders) or bool(
        verdict(patterns, path, is_folder=False)
    )
