"""Recognise the language of a text by its function words and letters."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal

from zapomni_core.retrieval import stop_words
from zapomni_core.retrieval.spelling import plain, with_vowel_pairs

__all__ = [
    "OTHER_LANGUAGES",
    "STOP_WORDS",
    "Language",
    "OtherLanguage",
    "language_of",
    "passages",
]

type OtherLanguage = Literal["de", "es", "fr"]
type Language = Literal["en"] | OtherLanguage
# What speaks for each language, in the order of `_LANGUAGES`.
type _Evidence = tuple[int, ...]

OTHER_LANGUAGES: Final[tuple[OtherLanguage, ...]] = ("de", "es", "fr")
_LANGUAGES: Final[tuple[Language, ...]] = ("en", *OTHER_LANGUAGES)

_OWN_WORD: Final = 4
_OWN_LETTER: Final = 2
_SHARED_WORD: Final = 1
_CLEAR: Final = 3
_CACHE_ENTRIES: Final = 1 << 13
_NO_EVIDENCE: Final = (0,) * len(_LANGUAGES)

# Without "ï" and the like, as in "naïve"; what is shared says as little as a shared word.
_LETTERS: Final[dict[Language, str]] = {
    "en": "",
    "de": "äöüßÄÖÜ",
    "es": "ñáíóúÑÁÍÓÚ",
    "fr": "àâèêîôùûçœÀÂÈÊÎÔÙÛÇŒ",
}
_SHARED_LETTERS: Final[dict[Language, str]] = {"en": "", "de": "", "es": "éÉ", "fr": "éÉ"}
_ANY_LETTER: Final = "".join((*_LETTERS.values(), *_SHARED_LETTERS.values()))
_APOSTROPHES: Final = "'\N{RIGHT SINGLE QUOTATION MARK}"
# The "l" of "l'eau" is a word, the "n" of "n'th" and of "rock'n'roll" is not.
_WORD: Final = re.compile(
    rf"(?<![\w{_APOSTROPHES}])[cjlnCJLN](?=[{_APOSTROPHES}](?i:[aeiouyhàâéèêîôœ]))"
    r"|[^\W\d_]{2,}"
)
_PASSAGE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")


def _spellings(words: str) -> frozenset[str]:
    """List the words with their marks, with vowel pairs for umlauts, and without any marks."""
    return frozenset(f"{words} {with_vowel_pairs(words)} {plain(words)}".split())


_FUNCTION_WORDS: Final[dict[Language, frozenset[str]]] = {
    "en": _spellings(stop_words.ENGLISH),
    "de": _spellings(stop_words.GERMAN),
    "es": _spellings(stop_words.SPANISH),
    "fr": _spellings(stop_words.FRENCH),
}
# A word of Cyrillic letters needs no other evidence of its language.
STOP_WORDS: Final[dict[Language, frozenset[str]]] = {
    language: words | _spellings(stop_words.RUSSIAN) for language, words in _FUNCTION_WORDS.items()
}


def _evidence_of_each_word() -> dict[str, _Evidence]:
    ambiguous = _spellings(stop_words.AMBIGUOUS)
    evidence = {}
    for word in frozenset[str]().union(*_FUNCTION_WORDS.values()):
        is_in = [word in _FUNCTION_WORDS[language] for language in _LANGUAGES]
        is_own = sum(is_in) == 1 and word not in ambiguous
        evidence[word] = tuple(
            (_OWN_WORD if is_own else _SHARED_WORD) * is_one for is_one in is_in
        )
    return evidence


_EVIDENCE: Final = _evidence_of_each_word()
_ELISIONS: Final = ("c", "d", "j", "l", "m", "n", "qu", "s")
# What stands between blanks and is no English function word, and how much it may speak for others.
_FOREIGN: Final = {
    spelling: max(others)
    for word, (english, *others) in _EVIDENCE.items()
    if not english and len(word) > 1
    for spelling in (word, word.capitalize())
} | {
    f"{spelling}{apostrophe}{word}": _OWN_WORD
    for elision in _ELISIONS
    for spelling in (elision, elision.capitalize())
    for apostrophe in _APOSTROPHES
    for word in _FUNCTION_WORDS["fr"]
}
_FOREIGN_WORDS: Final = frozenset(_FOREIGN)


def language_of(text: str) -> Language | None:
    """Tell the language of a text, if it shows one; for English, the least sign will do."""
    points = _evidence(text)
    return "en" if points[0] > max(points[1:]) else _clear_language(points)


def passages(text: str) -> Iterator[tuple[list[str], Language]]:
    """Cut a text where its language may change: into what stands between blanks, and a language.

    A passage that shows no language is in that of the whole text, and that is English by default.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    pieces = text.split()
    if not _may_be_foreign(text, pieces):
        yield pieces, "en"
        return
    parts = _PASSAGE_END.split(text)
    evidence = [_evidence(part) for part in parts]
    usual = _clear_language(_total(evidence)) or "en"
    for part, points in zip(parts, evidence, strict=True):
        yield part.split(), _clear_language(points) or usual


def _may_be_foreign(text: str, pieces: Iterable[str]) -> bool:
    """Let most English texts through without a closer look, which costs as much as the rest."""
    found = _FOREIGN_WORDS.intersection(pieces)
    if sum(_FOREIGN[word] for word in found) >= _CLEAR:
        return True
    return not text.isascii() and any(letter in text for letter in _ANY_LETTER)


def _clear_language(points: _Evidence) -> Language | None:
    best = max(points)
    is_clear = best >= _CLEAR and points.count(best) == 1
    return _LANGUAGES[points.index(best)] if is_clear else None


def _evidence(text: str) -> _Evidence:
    words = frozenset(_WORD.findall(unicodedata.normalize("NFC", text)))
    # In capitals, "MIT", "ES" and "WAR" are names more often than words.
    return _total(_word_evidence(word) for word in words if not word[1:].isupper())


@lru_cache(_CACHE_ENTRIES)
def _word_evidence(word: str) -> _Evidence:
    points = _EVIDENCE.get(word.lower()) or _EVIDENCE.get(plain(word).lower(), _NO_EVIDENCE)
    return points if word.isascii() else _total((points, _letter_evidence(word)))


def _letter_evidence(word: str) -> _Evidence:
    letters = frozenset(word)
    return tuple(
        _SHARED_WORD * (not letters.isdisjoint(_SHARED_LETTERS[language]))
        + _OWN_LETTER * (not letters.isdisjoint(_LETTERS[language]))
        for language in _LANGUAGES
    )


def _total(evidence: Iterable[_Evidence]) -> _Evidence:
    return tuple(map(sum, zip(_NO_EVIDENCE, *evidence, strict=True)))
