"""Turn text into the search terms that the lexical index counts.

Every word gives its common stem, so any text is found by the very words it holds. A text in
another language than English gives the stems of that language too; a query asks for them if it
is in that language, and for those of all languages if it shows none.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from zapomni_core.retrieval.language import (
    OTHER_LANGUAGES,
    STOP_WORDS,
    Language,
    OtherLanguage,
    language_of,
    passages,
)
from zapomni_core.retrieval.spelling import plain, with_vowel_pairs
from zapomni_core.retrieval.stemming import common_stem, native_stem
from zapomni_core.retrieval.words import words_of

__all__ = ["TERMS_VERSION", "document_terms", "query_terms", "tokenize"]

# Raise it with any change of what a text is cut into; terms of two versions do not match.
TERMS_VERSION: Final = 2

_MAX_TERM_CHARS: Final = 64
_MAX_CACHED_PIECE_CHARS: Final = 64
_CACHE_ENTRIES: Final = 1 << 15
# Of the stems that a query in an unknown language asks for, most are of a wrong language.
# Measured on stores of one language: with 3, questions without function words find as much as
# with common stems only, or more, in English, German, French and Spanish; with 1, they find less.
_TRUST_IN_COMMON_STEM: Final = 3
_LATIN_WORD: Final = re.compile("[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]{2,}")
_KEEP_ALL: Final = frozenset[str]()

# The different terms of one word, the common stem first.
type _Choices = tuple[str, ...]
type _Reader = Callable[[str], _Choices]


def tokenize(text: str) -> list[str]:
    """List the terms of a text in reading order, without stop words."""
    return list(chain.from_iterable(_read(*passage) for passage in passages(text)))


def document_terms(text: str) -> list[str]:
    """List the terms by which a text is found; one of stop words only keeps them."""
    return tokenize(text) or list(chain(*_choices(text, (), _KEEP_ALL)))


def query_terms(text: str) -> list[str]:
    """List the terms to search for; a query of stop words only keeps them."""
    language = language_of(text)
    if language == "en" and (terms := _read(text.split(), language)):
        return terms
    languages = OTHER_LANGUAGES if language is None else _native(language)
    choices = list(_choices(text, languages, STOP_WORDS[language or "en"]))
    choices = choices or list(_choices(text, languages, _KEEP_ALL))
    return list(chain(*_balanced(choices, is_guess=language is None)))


def _balanced(choices: list[_Choices], *, is_guess: bool) -> list[_Choices]:
    """Repeat terms so that no word counts more because it has more of them."""
    most = max(map(len, choices), default=0)
    if is_guess and most > 1:
        return [terms[:1] * _TRUST_IN_COMMON_STEM + terms[1:] for terms in choices]
    return [terms + terms[-1:] * (most - len(terms)) for terms in choices]


def _read(pieces: Iterable[str], language: Language) -> list[str]:
    cached, uncached = _READERS[language]
    terms: list[str] = []
    for piece in pieces:
        terms += (cached if len(piece) <= _MAX_CACHED_PIECE_CHARS else uncached)(piece)
    return terms


def _reader(language: Language) -> tuple[_Reader, _Reader]:
    def read(piece: str) -> _Choices:
        return tuple(chain(*_choices(piece, _native(language), STOP_WORDS[language])))

    return lru_cache(_CACHE_ENTRIES)(read), read


_READERS: Final[dict[Language, tuple[_Reader, _Reader]]] = {
    language: _reader(language) for language in STOP_WORDS
}


def _native(language: Language) -> tuple[OtherLanguage, ...]:
    return () if language == "en" else (language,)


def _choices(
    text: str, languages: Collection[OtherLanguage], stop_words: Collection[str]
) -> Iterator[_Choices]:
    for piece in text.split():
        spelled = _spelled(piece) if languages or not piece.isascii() else {}
        for written in words_of(plain(piece)):
            word = written.casefold()[:_MAX_TERM_CHARS]
            if word not in stop_words:
                yield tuple(dict.fromkeys(_stems(word, spelled.get(word), languages)))


def _spelled(piece: str) -> dict[str, str]:
    """Find the natural words of a piece, with their marks, by how they are spelled plainly."""
    words = _LATIN_WORD.findall(unicodedata.normalize("NFKC", piece).replace("\xad", ""))
    natural = (word.casefold() for word in words if word[1:].islower() or word.isupper())
    return {plain(word)[:_MAX_TERM_CHARS]: word[:_MAX_TERM_CHARS] for word in natural}


def _stems(word: str, spelled: str | None, languages: Iterable[OtherLanguage]) -> Iterator[str]:
    yield common_stem(word)
    if spelled is None:
        return
    if not spelled.isascii():
        yield common_stem(plain(with_vowel_pairs(spelled))[:_MAX_TERM_CHARS])
    for language in languages:
        yield native_stem(spelled, language)[:_MAX_TERM_CHARS]
