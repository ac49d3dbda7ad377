"""Turn text into the search terms that the lexical index counts."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from snowballstemmer.english_stemmer import EnglishStemmer
from snowballstemmer.russian_stemmer import RussianStemmer

__all__ = ["TERMS_VERSION", "query_terms", "tokenize"]

# Raise it with any change of what a text is cut into; terms of two versions do not match.
TERMS_VERSION: Final = 1

_MAX_TERM_CHARS: Final = 64
_MAX_CACHED_PIECE_CHARS: Final = 64
_CACHE_ENTRIES: Final = 1 << 15

# "may" and "us" are missing on purpose: a month and a country cannot be told from them.
_ENGLISH_STOP_WORDS: Final = """
a an the this that these those here there
i me my mine myself we our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
one ones someone somebody something anyone anybody anything everyone everybody everything
who whom whose which what when where why how whether
am is are was were be been being do does did doing done have has had having
can could shall should will would might must ought let lets
and or but nor so yet if then else than because while although though unless until since
of at by for with about against between into through during before after above below to from
up down in out on off over under again further once as per via upon within without toward towards
no not only own same too very just also even still ever never now
all any both each few more most other others another some such many much several
get gets got getting
s t re ve ll d m im ive dont didnt doesnt isnt wasnt cant couldnt wouldnt havent hasnt
"""
_RUSSIAN_STOP_WORDS: Final = """
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне
было вот от меня еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас
нибудь вам ведь там потом себя ей они тут где есть надо ней для мы тебя их чем была сам чтоб
без будто чего тоже себе под будет тогда кто этот того потому этого какой ним здесь этом мой
тем чтобы нее были куда зачем при об это эта эти мои твой наш ваш который которая которые
"""
_STOP_WORDS: Final = frozenset(f"{_ENGLISH_STOP_WORDS} {_RUSSIAN_STOP_WORDS}".split())

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


def _plain(char: str) -> str:
    """Give the character that people type when they leave out the marks."""
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
        self[code] = _plain(chr(code))
        return self[code]


_FOLDS: Final = _Folds()
# Python's \w leaves out the vowel signs that Indic words are written with.
_MARKS: Final = "".join(
    chr(code) for code in _MARKED_RANGE if unicodedata.category(chr(code)) in {"Mn", "Mc"}
)
_COMPOUND: Final = re.compile(rf"[\w{_MARKS}]+(?:(?:[.@'-]|(?<=\d)[:/](?=\d))[\w{_MARKS}]+)*")
_THOUSANDS_COMMA: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TIME_AFTER_DATE: Final = re.compile(r"(?<=\d)T(?=\d\d:)")
_CONTRACTION: Final = re.compile(
    r"(?:^(?:can|shan|won)'t|n't|'(?:d|ll|m|re|s|t|ve))(?![\w'])", re.IGNORECASE
)
_VERSION_LETTER: Final = re.compile(r"^[vV](?=\d+\.\d)")
_STRUCTURE: Final = re.compile("[.:/]")
_JOINT: Final = re.compile("[_'-]+")
_UPPER: Final = "A-Z\u0400-\u042f"
_LOWER: Final = "a-z\u0430-\u045f"
_HUMP: Final = re.compile(
    rf"(?<=[{_LOWER}])(?=[{_UPPER}])"
    rf"|(?<=[{_UPPER}])(?=[{_UPPER}][{_LOWER}])"
    r"|(?<=\d)(?=[^\W\d])|(?<=[^\W\d])(?=\d)"
)
# The stemmer leaves "gpus" and "llms" as they are.
_ACRONYM_PLURAL: Final = re.compile(r"(?<=[A-Z]{2})s(?![a-z])")
_UNSPACED: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana and iteration marks
    "\u1100-\u11ff\uac00-\ud7ff"  # Hangul
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)"  # Han
)
_CYRILLIC_WORD: Final = re.compile("[\u0400-\u052f]+")


def tokenize(text: str) -> list[str]:
    """List the terms of a text in reading order, without stop words."""
    return _terms(text, keep_stop_words=False)


def query_terms(text: str) -> list[str]:
    """List the terms to search for; a query of stop words only keeps them."""
    return tokenize(text) or _terms(text, keep_stop_words=True)


def _terms(text: str, *, keep_stop_words: bool) -> list[str]:
    terms: list[str] = []
    for piece in text.split():
        cached = len(piece) <= _MAX_CACHED_PIECE_CHARS
        terms += (_piece_terms if cached else _piece_terms.__wrapped__)(piece, keep_stop_words)
    return terms


@lru_cache(_CACHE_ENTRIES)
def _piece_terms(piece: str, keep_stop_words: bool) -> tuple[str, ...]:
    words = (word.casefold()[:_MAX_TERM_CHARS] for word in _piece_words(piece))
    return tuple(_stem(word) for word in words if keep_stop_words or word not in _STOP_WORDS)


def _piece_words(piece: str) -> Iterator[str]:
    if not piece.isascii():
        piece = unicodedata.normalize("NFKC", piece).translate(_FOLDS)
    piece = _TIME_AFTER_DATE.sub(" ", _THOUSANDS_COMMA.sub("", piece))
    for compound in _COMPOUND.findall(piece):
        yield from _compound_words(_CONTRACTION.sub("", compound))


def _compound_words(compound: str) -> Iterator[str]:
    """Split an address, host name, version, date or identifier, and keep it whole too."""
    sides = compound.split("@")
    for side in sides:
        yield from _structured_words(_VERSION_LETTER.sub("", side))
    if len(sides) > 1:
        yield compound


def _structured_words(text: str) -> Iterator[str]:
    segments = _STRUCTURE.split(text)
    for segment in segments:
        yield from _joined_words(segment)
    if len(segments) > 1:
        yield text


def _joined_words(segment: str) -> Iterator[str]:
    runs = [run for run in _JOINT.split(segment) if run]
    for run in runs:
        yield from _run_words(run)
    if len(runs) > 1:
        joined = "".join(runs)
        yield segment if joined.isdigit() else joined


def _run_words(run: str) -> Iterator[str]:
    if run.isascii():
        yield from _hump_words(run)
        return
    for is_unspaced, part in enumerate(_UNSPACED.split(run)):
        if is_unspaced % 2:
            yield from _bigrams(part)
        elif part:
            yield from _hump_words(part)


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for pair in pairwise(run):
        yield "".join(pair)


def _hump_words(run: str) -> Iterator[str]:
    run = _ACRONYM_PLURAL.sub("", run)
    parts = _HUMP.split(run)
    # Names such as "k8s" and hashes fall into crumbs that mean nothing alone.
    if 1 < len(parts) <= len(run) // 2:
        yield from parts
    yield run


@lru_cache(_CACHE_ENTRIES)
def _stem(word: str) -> str:
    # A stemmer keeps the word in itself, so threads must not share one.
    if word.isascii():
        return str(EnglishStemmer().stemWord(word)) if word.isalpha() else word
    if _CYRILLIC_WORD.fullmatch(word):
        return str(RussianStemmer().stemWord(word))
    return word
