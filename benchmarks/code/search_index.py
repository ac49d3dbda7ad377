"""A repository read, cut and searched as the product does it, but in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.recall.embeddings import StoredEmbedder
from zapomni_core.code.files.walk import walk
from zapomni_core.code.parsing.selection import sources_of
from zapomni_core.code.parsing.worker import report_on
from zapomni_core.code.recording import file_record
from zapomni_core.code.searching.candidates import NAMED, NEAREST, Legs, worded
from zapomni_core.code.searching.counting import counted_terms
from zapomni_core.code.searching.query import CodeQuery
from zapomni_core.embedding import Vectors
from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_db import IndexEntry
from zapomni_db.code import FileRecord, Symbol, node_key, unpack_words
from zapomni_db.code.naming import NO_MATCH, fit, last_names, name_parts
from zapomni_db.code.rows import SymbolRow

__all__ = ["SearchedRepository"]

_TEXTS_PER_STEP: Final = 128


class SearchedRepository:
    """The symbols of a repository, and what finds them.

    Two things differ from the product: the nearest vectors are exact, and of more than ten
    symbols of one name those are taken whose path comes first, not those called most.
    """

    def __init__(self, folder: Path, exclude: Sequence[str]) -> None:
        self.symbols: dict[str, Symbol] = {}
        self._texts: dict[str, str] = {}
        self._named: dict[str, list[str]] = defaultdict(list)
        self._lexicon = Lexicon(count=counted_terms)
        for file in _files(folder.resolve(), exclude):
            self._take(file)

    def _take(self, file: FileRecord) -> None:
        for key, row in file.symbols.rows_as_of(0).items():
            self.symbols[key] = symbol = SymbolRow.found(row)
            self._named[symbol.name.casefold()].append(key)
        rows = unpack_words(file.symbols.words).rows
        self._lexicon.add([_entry(file.path, key, words) for key, words, *_ in rows])
        self._texts |= {key: head for key, _, _, head, _ in rows if head}

    async def nearest(
        self, embedder: StoredEmbedder, questions: Sequence[str]
    ) -> list[Mapping[str, float]]:
        """Find for each question the nearest symbols, with their similarities."""
        keys, texts = list(self._texts), list(self._texts.values())
        steps = range(0, len(texts), _TEXTS_PER_STEP)
        passages = [
            await embedder.embed(texts[at : at + _TEXTS_PER_STEP], "passage") for at in steps
        ]
        asked = await embedder.embed(questions, "query")
        return [_top(keys, row) for row in asked @ np.concatenate(passages).T]

    def found(self, query: CodeQuery, near: Mapping[str, float]) -> Legs:
        """Bring what words, vectors and names find."""
        by_words = worded(self._lexicon, query)
        names = (key for name in query.names for key in self._meant(name))
        return self._legs([*names, *by_words, *near], by_words, near)

    def found_near(self, near: Mapping[str, float]) -> Legs:
        """Bring what vectors find alone."""
        return self._legs(near, {}, near)

    def _legs(
        self, keys: Iterable[str], by_words: Mapping[str, float], near: Mapping[str, float]
    ) -> Legs:
        return Legs({key: self.symbols[key] for key in keys}, by_words, near)

    def _meant(self, wanted: str) -> list[str]:
        parts = name_parts(wanted)
        found = []
        for key in (key for name in last_names(wanted, parts) for key in self._named[name]):
            symbol = self.symbols[key]
            grade = fit(wanted, parts, symbol.name, symbol.qname, symbol.path)
            if grade < NO_MATCH:
                found.append((grade, symbol.is_test, symbol.path, symbol.qname, key))
        return [key for *_, key in sorted(found)[:NAMED]]


def _files(folder: Path, exclude: Sequence[str]) -> Iterator[FileRecord]:
    # What is fetched lies in a folder that this repository ignores; git is not to be asked.
    for file in sources_of(walk(folder, exclude, git=None)).files:
        report = report_on(str(folder), file.path)
        if report.symbols.keys:
            yield file_record(report)


def _entry(path: str, key: str, words: str) -> IndexEntry:
    return IndexEntry(key, node_key(path), words, 0, path, (), is_code=True)


def _top(keys: Sequence[str], similarities: Vectors) -> dict[str, float]:
    order = np.argsort(-similarities, kind="stable")[:NEAREST]
    return {keys[index]: float(similarities[index]) for index in order}
