"""Cut text into words: compounds, identifiers and numbers both whole and in parts."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from zapomni_core.retrieval.spelling import MARKS

__all__ = ["words_of"]

_COMPOUND: Final = re.compile(rf"[\w{MARKS}]+(?:(?:[.@'-]|(?<=\d)[:/](?=\d))[\w{MARKS}]+)*")
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


def words_of(piece: str) -> Iterator[str]:
    """List the words of a text that is spelled plainly."""
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
