"""Cut source code into the terms that are counted, and the text that is embedded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from zapomni_core.code.model import Definition
from zapomni_core.retrieval.language import STOP_WORDS
from zapomni_core.retrieval.spelling import plain
from zapomni_core.retrieval.stemming import common_stem
from zapomni_core.retrieval.words import words_of

__all__ = [
    "CODE_TERMS_VERSION",
    "code_query_terms",
    "embedded_text",
    "name_words",
    "symbol_terms",
]

# Raise it with any change of what code is cut into; terms of two versions do not match.
CODE_TERMS_VERSION: Final = 1

_WORD: Final = re.compile(r"\w{2,}")
_MAX_TERM_CHARS: Final = 64
_MAX_REPEATS: Final = 4
_MAX_SOURCE_CHARS: Final = 40_000
_MAX_EMBEDDED_CHARS: Final = 300
# Django has about 100,000 different words; a smaller cache would cut most of them again.
_CACHE_ENTRIES: Final = 1 << 18
_DIRECTORIES: Final = 3
# A docstring stands in the source already, a comment above does not.
_DOC_SAMPLE: Final = 24


def symbol_terms(path: str, definition: Definition | None, source: str) -> str:
    """Give the search terms of a symbol's own source, or of the code outside definitions."""
    counted = Counter(_WORD.findall(source[:_MAX_SOURCE_CHARS]))
    if definition is not None:
        counted.update(_WORD.findall(definition.qname))
        if definition.doc[:_DOC_SAMPLE] not in source:
            counted.update(_WORD.findall(definition.doc))
    counted.update(_WORD.findall(" ".join(_place(path))))
    return " ".join(
        terms
        for word, count in counted.items()
        if (terms := _joined_terms(word))
        for _ in range(min(count, _MAX_REPEATS))
    )


def embedded_text(path: str, definition: Definition | None, source: str) -> str:
    """Give the head of a symbol: where it is, what it is called, and what it says of itself."""
    if definition is None:
        parts = [path, source]
    elif definition.doc:
        body = source.partition(definition.doc)[2]
        parts = [_heading(path, definition), definition.signature, definition.doc, body]
    else:
        parts = [_heading(path, definition), source]
    return "\n".join(part.strip() for part in parts if part.strip())[:_MAX_EMBEDDED_CHARS]


def _heading(path: str, definition: Definition) -> str:
    return f"{path} :: {definition.qname}" if path else definition.qname


def code_query_terms(query: str) -> list[str]:
    """List the terms to search for."""
    words = _WORD.findall(query)
    meant = [word for word in words if word.casefold() not in STOP_WORDS["en"]] or words
    return list(chain.from_iterable(map(_terms, meant))) or query.casefold().split()


@lru_cache(_CACHE_ENTRIES)
def name_words(name: str) -> frozenset[str]:
    """Give the words of a name and the name itself, in one spelling."""
    return frozenset(chain.from_iterable(map(_terms, _WORD.findall(name))))


def _place(path: str) -> list[str]:
    *directories, name = path.split("/")
    stem = name.partition(".")[0] or name
    return [stem, stem, *directories[-_DIRECTORIES:]]


@lru_cache(_CACHE_ENTRIES)
def _joined_terms(word: str) -> str:
    return " ".join(_terms(word))


def _terms(word: str) -> Iterator[str]:
    *parts, whole = [*words_of(word if word.isascii() else plain(word))] or [""]
    for part in parts:
        if len(part) > 1:
            yield _stem(part.casefold()[:_MAX_TERM_CHARS])
    if len(whole) > 1:
        # Stemming compounds too takes most of the time, and they have their parts beside them.
        term = whole.casefold()[:_MAX_TERM_CHARS]
        yield term if parts else _stem(term)


_stem = lru_cache(_CACHE_ENTRIES)(common_stem)
