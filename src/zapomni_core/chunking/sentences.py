"""Sentence ends by a light rule: a terminator, what follows it, and known abbreviations."""

import re
from collections.abc import Iterator

from zapomni_core.chunking.characters import EAST_ASIAN, is_joined

_MARKS = ".!?…؟۔।"
_WIDE_MARKS = "。！？｡"
_CLOSERS = r"""["'”’»)\]）」』】*_`]"""
# A pattern that begins with a plain set and never fails behind it is searched in linear time.
_CANDIDATE = re.compile(rf"(?P<marks>[{_MARKS}{_WIDE_MARKS}]++)(?P<closers>{_CLOSERS}*+)")
_FOLLOWER = re.compile(rf"[\s{EAST_ASIAN}]")
_SPACE = re.compile(r"\s*+")
_OPENERS = "([{\"'“‘«*_`"
_LONGEST_ABBREVIATION = 12

_TITLES = (
    "mr mrs ms mx dr prof st rev gen sen rep gov capt lt col sgt hon mt ft messrs mme mlle"
    " sr sra hr fr ing г ул им акад проф пр-т пл пос обл р-н"
)
_NUMBERED = "no nos nr fig figs vol vols ch sec p pp eq art ver v § рис стр с гл п табл ст д кв"
_SHORTENED = (
    "etc vs cf al approx ca inc ltd co corp dept est jr viz resp incl max min bzw usw"
    " др пр см напр тыс млн млрд руб коп мин сек"
)
_BEFORE_NAME = frozenset(_TITLES.split())
_BEFORE_NUMBER = frozenset(_NUMBERED.split())
_INSIDE_SENTENCE = frozenset(_SHORTENED.split())
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]{1,2}")


def split_sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the sentences of `text[start:end]`, which starts with no space."""
    for match in _CANDIDATE.finditer(text, start, end):
        stop = match.end()
        if stop < end and _ends_sentence(text, start, match, end):
            yield start, stop
            start = _after_space(text, stop, end)
    if start < end:
        yield start, end


def _ends_sentence(text: str, start: int, match: re.Match[str], end: int) -> bool:
    marks, stop = match["marks"], match.end()
    if marks[-1] in _WIDE_MARKS:
        return not is_joined(text, start, stop)
    if not _FOLLOWER.match(text, stop):
        return False
    place = _after_space(text, stop, end)
    following = text[place : place + 2].lstrip(_OPENERS)[:1]
    if following.islower() and (match["closers"] or marks[0] == "…" or marks.startswith("..")):
        return False
    if marks != ".":
        return True
    word = _last_word(text, start, match.start())
    return not _is_abbreviation(word, following, is_alone=match.start() - len(word) == start)


def _last_word(text: str, start: int, end: int) -> str:
    words = text[max(start, end - _LONGEST_ABBREVIATION) : end].split()
    return words[-1].lstrip(_OPENERS) if words else ""


def _is_abbreviation(word: str, following: str, *, is_alone: bool) -> bool:
    folded = word.lower()
    if is_alone and (len(word) == 1 or word.isdecimal()):
        return True
    if folded in _BEFORE_NAME:
        return True
    if folded in _BEFORE_NUMBER and following.isdecimal():
        return True
    if len(word) == 1 and word.isupper():
        return following.isupper()
    if _DOTTED.fullmatch(word):
        return word.isupper() or not following.isupper()
    return folded in _INSIDE_SENTENCE and not following.isupper()


def _after_space(text: str, start: int, end: int) -> int:
    match = _SPACE.match(text, start, end)
    return match.end() if match else start
