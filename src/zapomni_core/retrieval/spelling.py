"""Spell a word as people type it who leave out its marks."""

import re
import unicodedata
from typing import Final

__all__ = ["MARKS", "plain", "with_vowel_pairs"]

_ALIKE: Final = {
    **dict(zip("øØłŁđĐħĦŧŦıðÐŋŊёЁ", "oOlLdDhHtTidDnNеЕ", strict=True)),
    "æ": "ae",
    "Æ": "Ae",
    "œ": "oe",
    "Œ": "Oe",
    "þ": "th",
    "Þ": "Th",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{MODIFIER LETTER APOSTROPHE}": "'",
    "\N{HYPHEN}": "-",
    "\N{ARABIC TATWEEL}": "",
    "\N{SOFT HYPHEN}": "",
}
_OPTIONAL_MARKS: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
_ALPHABETS_READ_WITHOUT_ACCENTS: Final = re.compile("[A-Za-z\u0370-\u03ff]")
_MARKED_RANGE: Final = range(0xA0, 0x2020)
_VOWEL_PAIRS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

# Python's \w leaves out the vowel signs that Indic words are written with.
MARKS: Final = "".join(
    chr(code) for code in _MARKED_RANGE if unicodedata.category(chr(code)) in {"Mn", "Mc"}
)


def _plain_character(char: str) -> str:
    if char in _ALIKE:
        return _ALIKE[char]
    if unicodedata.category(char) == "Nd":
        return str(unicodedata.decimal(char))
    if _OPTIONAL_MARKS.match(char):
        return ""
    bare = unicodedata.normalize("NFD", char)[0]
    return bare if _ALPHABETS_READ_WITHOUT_ACCENTS.match(bare) else char


class _Folds(dict[int, str]):
    """Fill a table for `str.translate` as characters turn up."""

    def __missing__(self, code: int) -> str:
        if code not in _MARKED_RANGE:
            return chr(code)
        self[code] = _plain_character(chr(code))
        return self[code]


_FOLDS: Final = _Folds()


def plain(text: str) -> str:
    """Leave out the marks, of text in any Unicode form."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_FOLDS)


def with_vowel_pairs(word: str) -> str:
    """Spell a lower-case word as a keyboard without umlauts does."""
    return word.translate(_VOWEL_PAIRS)
