"""Cut source code into words, words into the terms that are counted, and heads to embed."""

from __future__ import annotations

import re
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
    "symbol_words",
    "whole_terms",
    "word_terms",
]

# Raise it with any change of what code is cut into; terms of two versions do not match.
CODE_TERMS_VERSION: Final = 1

_WORD: Final = re.compile(r"\w{2,}")
_SPACED: Final = bytes(
    code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(128)
).ljust(256)
_ACRONYM_PLURAL: Final = re.compile(r"(?<=[A-Z]{2})s(?![a-z])")
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# The stemmer takes 8 us for a word; a third of all words has no ending that it would take off.
_MAY_HAVE_ENDING: Final = re.compile(r"(?:[eilsy]|ed|ing|ic|m|on|[eo]r|[ns]t|[^a-z])\Z")
_MAX_TERM_CHARS: Final = 64
_MAX_SOURCE_CHARS: Final = 40_000
_MAX_EMBEDDED_CHARS: Final = 300
_CACHE_ENTRIES: Final = 1 << 14
_DIRECTORIES: Final = 3
# A docstring stands in the source already, a comment above does not.
_DOC_SAMPLE: Final = 24


def symbol_words(path: str, definition: Definition | None, source: str) -> str:
    """Give the words of a symbol's own source, or of the code outside definitions.

    They stand in their order with white space between them. Most words of a repository occur a
    thousand times: they are cut into terms where all of them come together.
    """
    source = source[:_MAX_SOURCE_CHARS]
    if definition is None:
        text = f"{source} {_place(path)}"
    elif definition.doc[:_DOC_SAMPLE] in source:
        text = f"{source} {definition.qname} {_place(path)}"
    else:
        text = f"{source} {definition.qname} {definition.doc} {_place(path)}"
    # Most lines of a text in any language are plain code.
    return _spaced(text) if text.isascii() else "\n".join(map(_spaced, text.split("\n")))


def _spaced(text: str) -> str:
    if text.isascii():
        # A tenth of the time of the expression; single letters have no terms anyway.
        return text.encode().translate(_SPACED).decode()
    return " ".join(_WORD.findall(text))


def embedded_text(path: str, definition: Definition | None, source: str) -> str:
    """Give the head of a symbol: where it is, what it is called, and what it says of itself."""
    if definition is None:
        parts = [path, source]
    elif definition.doc:
        body = source.partition(definition.doc)[2]
        parts = [_heading(path, definition), definition.signature, definition.doc, body]
    else:
        parts = [_heading(path, definition), source]
    return "\n".join([told for part in parts if (told := part.strip())])[:_MAX_EMBEDDED_CHARS]


def _heading(path: str, definition: Definition) -> str:
    return f"{path} :: {definition.qname}" if path else definition.qname


def code_query_terms(query: str) -> list[str]:
    """List the terms to search for."""
    words = _WORD.findall(query)
    meant = [word for word in words if word.casefold() not in STOP_WORDS["en"]] or words
    return list(chain.from_iterable(map(word_terms, meant))) or query.casefold().split()


@lru_cache(_CACHE_ENTRIES)
def name_words(name: str) -> frozenset[str]:
    """Give the words of a name and the name itself, in one spelling."""
    return frozenset(chain.from_iterable(map(word_terms, _WORD.findall(name))))


@lru_cache(16)
def _place(path: str) -> str:
    *directories, name = path.split("/")
    stem = name.partition(".")[0] or name
    return " ".join([stem, stem, *directories[-_DIRECTORIES:]])


def whole_terms(name: str) -> list[str]:
    """Give the one term that stands for all of a name, if it has any."""
    return [term for word in _WORD.findall(name)[-1:] for term in word_terms(word)[-1:]]


def word_terms(word: str) -> list[str]:
    """Cut a word into terms: its parts, and the whole."""
    words = _identifier_words(word) if word.isascii() else [*words_of(plain(word))]
    whole = words.pop() if words else ""
    terms = [_stem(part.casefold()[:_MAX_TERM_CHARS]) for part in words if len(part) > 1]
    if len(whole) > 1:
        # Stemming compounds too takes most of the time, and they have their parts beside them.
        term = whole.casefold()[:_MAX_TERM_CHARS]
        terms.append(term if words else _stem(term))
    return terms


def _identifier_words(word: str) -> list[str]:
    """Cut letters, digits and underscores as `words_of` does, in a third of its time."""
    runs = [run for run in word.split("_") if run]
    words: list[str] = []
    for run in runs:
        if run[1:].islower() and run.isalpha():
            words.append(run)
        else:
            words += _humps(_ACRONYM_PLURAL.sub("", run))
    if len(runs) > 1:
        joined = "".join(runs)
        words.append(word if joined.isdigit() else joined)
    return words


def _humps(run: str) -> list[str]:
    parts = _HUMPS.findall(run)
    return [*parts, run] if 1 < len(parts) <= len(run) // 2 else [run]


@lru_cache(_CACHE_ENTRIES)
def _stem(word: str) -> str:
    return common_stem(word) if _MAY_HAVE_ENDING.search(word) else word
