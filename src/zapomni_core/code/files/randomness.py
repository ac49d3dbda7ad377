"""Tell values that only a machine or a careful person makes up from words and templates."""

from __future__ import annotations

import re
from collections import Counter
from math import log2
from typing import Final

__all__ = ["is_made_up", "looks_random"]

# Whoever writes so has not written a secret, but a stand-in, an address, a path, a name of a
# program or an expression.
_NO_SECRET: Final = re.compile(
    rb"\*\*\*|\.\.\.|xxx|your|example|sample|placeholder|dummy|fake|redacted|change_?(?:me|it|th)"
    rb"|^\$[A-Z_]\w*(?:$|/)|^%\w+%$|^\w{1,12}://|^urn:|^[.~]{0,2}/"
    rb"|^[A-Z_]{2,}\d?(?:[.#][A-Z_]\w*)+$|\(\?|\\[bdsw]",
    re.IGNORECASE,
)
# What is filled in later, and words that only say what a value is. A random key may have such
# things in it by chance: the rest of it is still random.
_FILLED_IN: Final = (
    rb"[$#]?\{[^}\s]{0,40}\}|\$?\([^)\s]{0,30}\)|<[^>\s]{1,40}>|\[[^]\s]{1,40}\]"
    rb"|%\(\w+\)[a-z]|%[drs](?![A-Za-z0-9])"
)
_WORDS: Final = re.compile(
    _FILLED_IN + rb"|secret|passw(?:or[dt]|d)?|tokens?|test(?:ing)?|foobar|change", re.IGNORECASE
)
_BETWEEN_WORDS: Final = re.compile(rb"[-_.:/@ ]+")
_WORD: Final = re.compile(rb"[A-Za-z]*\d{0,3}|[A-Za-z]{1,8}\d[A-Za-z]{1,12}")
_COUNTED: Final = re.compile(rb"(?:0?123\d*+|abc[a-z]*+|[-_])++", re.IGNORECASE)
_LETTER: Final = re.compile(rb"[A-Za-z]")
# A mark at one end alone is one of a language: `#if`, `empty?`.
_NO_NAME: Final = re.compile(rb"\d|(?<!^)[!#^&*+=~?].")
_MIN_BYTES: Final = 8
_MIN_BITS: Final = 2.8


def looks_random(value: bytes) -> bool:
    """Tell whether a value is a secret where a name says that it may be one."""
    rest = _rest(value)
    return (
        len(rest) >= _MIN_BYTES
        and _is_mixed(rest)
        and not _COUNTED.fullmatch(rest)
        and _bits(rest) >= _MIN_BITS
    )


def is_made_up(value: bytes) -> bool:
    """Tell whether a value, however short, is neither a word nor a template."""
    return _is_mixed(_rest(value))


def _rest(value: bytes) -> bytes:
    """Leave out the words that say what a value is; nothing is left of a placeholder."""
    if not _is_mixed(value) or _NO_SECRET.search(value):
        return b""
    rest, words = _WORDS.subn(b"", value)
    if not words:
        return value
    is_named = all(map(_WORD.fullmatch, _BETWEEN_WORDS.split(rest)))
    return b"" if is_named or _NO_SECRET.search(rest) else rest.strip(b"-_.:/")


def _is_mixed(value: bytes) -> bool:
    """Tell a password from a name: it has letters and something that names have not."""
    return _LETTER.search(value) is not None and _NO_NAME.search(value) is not None


def _bits(value: bytes) -> float:
    """Measure the information in a byte of the value."""
    return -sum(n / len(value) * log2(n / len(value)) for n in Counter(value).values())
