"""Reduce words to the stem that their forms share."""

import re
from functools import lru_cache
from typing import Final

from Stemmer import Stemmer

from zapomni_core.retrieval.language import OtherLanguage
from zapomni_core.retrieval.spelling import plain

__all__ = ["common_stem", "native_stem"]

_CACHE_ENTRIES: Final = 1 << 15
_CYRILLIC_WORD: Final = re.compile("[\u0400-\u052f]+")
_NAMES: Final[dict[OtherLanguage, str]] = {"de": "german", "es": "spanish", "fr": "french"}


@lru_cache(_CACHE_ENTRIES)
def common_stem(word: str) -> str:
    """Stem a plain word as Russian or English by its letters; leave others as they are."""
    if word.isascii():
        return _stem(word, "english") if word.isalpha() else word
    return _stem(word, "russian") if _CYRILLIC_WORD.fullmatch(word) else word


@lru_cache(_CACHE_ENTRIES)
def native_stem(word: str, language: OtherLanguage) -> str:
    """Stem a word, its marks included, as a language does; spell the stem plainly."""
    return plain(_stem(word, _NAMES[language]))


def _stem(word: str, language: str) -> str:
    # A stemmer keeps the word in itself, so threads must not share one; making one takes 0.7 µs.
    return str(Stemmer(language, 0).stemWord(word))
