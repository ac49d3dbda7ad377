"""Reduce words to the stem that their forms share."""

import re
from functools import lru_cache
from typing import Final

from snowballstemmer.english_stemmer import EnglishStemmer
from snowballstemmer.french_stemmer import FrenchStemmer
from snowballstemmer.german_stemmer import GermanStemmer
from snowballstemmer.russian_stemmer import RussianStemmer
from snowballstemmer.spanish_stemmer import SpanishStemmer

from zapomni_core.retrieval.language import OtherLanguage
from zapomni_core.retrieval.spelling import plain

__all__ = ["common_stem", "native_stem"]

_CACHE_ENTRIES: Final = 1 << 15
_CYRILLIC_WORD: Final = re.compile("[\u0400-\u052f]+")
_STEMMERS: Final[dict[OtherLanguage, type]] = {
    "de": GermanStemmer,
    "es": SpanishStemmer,
    "fr": FrenchStemmer,
}


# A stemmer keeps the word in itself, so threads must not share one.
@lru_cache(_CACHE_ENTRIES)
def common_stem(word: str) -> str:
    """Stem a plain word as Russian or English by its letters; leave others as they are."""
    if word.isascii():
        return str(EnglishStemmer().stemWord(word)) if word.isalpha() else word
    if _CYRILLIC_WORD.fullmatch(word):
        return str(RussianStemmer().stemWord(word))
    return word


@lru_cache(_CACHE_ENTRIES)
def native_stem(word: str, language: OtherLanguage) -> str:
    """Stem a word, its marks included, as a language does; spell the stem plainly."""
    return plain(str(_STEMMERS[language]().stemWord(word)))
