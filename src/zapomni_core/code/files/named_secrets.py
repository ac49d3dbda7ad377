"""Find values that the name beside them calls secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zapomni_core.code.files.randomness import looks_random

__all__ = ["named_secrets", "places"]

type _Span = tuple[int, int]

_WORDS: Final = (b"pass", b"pwd", b"secret", b"token", b"key")
# Without one of these before it, a key may be that of a row, a button or a dictionary.
_OF_KEYS: Final = tuple(
    kind + between
    for kind in (b"access", b"account", b"api", b"encryption", b"master", b"private", b"shared")
    for between in (b"", b"_")
)
_FOLDED: Final = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ-", b"abcdefghijklmnopqrstuvwxyz_")
# A word that goes on in one of these ways is another word: passed, passing, tokenizer.
_NAME: Final = rb"(?!e[dns]|i[nsvz]|age)[\w-]{0,40}+"
_QUOTED: Final = (
    rb"[@BFRUbfru]{0,2}(?:\"(?:\"\")?([^\"\s]{8,200})\"|'(?:'')?([^'\s]{8,200})'"
    rb"|`([^`\s]{8,200})`)"
)
# What a value may be wrapped in.
_MADE_OF: Final = rb"""(?:
    [\w.:]{0,20}(?:getenv|environ\.get|env)\(\s{0,8}["'][^"'\s]{1,60}["']\s{0,4},\s{0,8}
  | (?:\[\]byte|String::from|Buffer\.from|SecretStr|Some|bytes|str)?\(\s{0,8}
)?"""
_ASSIGNED: Final = re.compile(
    _NAME
    + rb"""(?:
        # Assigned, compared, or there in case that nothing is; the name may be in brackets.
        (?:["'`]?[])]?|\[\d{0,4}\])\s{0,8}(?:=>|:=|:(?!:)|={1,3}|!={1,2}|\|\||\?\?|\?:|or\s)\s{0,8}
        # With a type between.
      | [ \t]?:[ \t]{0,4}[\w&'.<>[\]|?*\ ]{2,40}=\s{0,8}
      | [ \t][\w.*[\]]{2,30}[ \t]{0,4}=[ \t]{0,4}
        # Another attribute of the same element.
      | ["'][ \t]{1,4}value[ \t]?=[ \t]?
    )"""
    + _MADE_OF
    + _QUOTED,
    re.VERBOSE,
)
_ARGUMENT: Final = re.compile(
    _NAME + rb"[\"']\s{0,4},\s{0,8}(?:(?:default|fallback|value)\s?=\s?)?" + _QUOTED
)
_FIRST: Final = re.compile(rb"\(\s{0,8}[\"'][\w.]{0,30}$")
_DEFINED: Final = re.compile(_NAME + rb"[ \t]{1,20}" + _QUOTED)
_DEFINE: Final = re.compile(rb"(?:\bdef|define|\bset|setenv)[ \t]{1,20}\w{0,20}$")
_HANDED_OVER: Final = re.compile(_NAME + rb"\(\s{0,8}" + _QUOTED + rb"\s{0,8}\)")
_SETTER: Final = re.compile(rb"(?:\.|set_?|with_?|use_?)(?:[a-z]{1,8}_?)?$")
# Without quotes of its own: of a connection, a query, an element, a default of a shell.
_WITHIN: Final = re.compile(
    _NAME + rb"(?:=([^\s\"'`;&<>]{8,200})(?=[\"'`;&]|[ ]\w{1,20}=)"
    rb"|>([^\s<>]{8,200})</|:-([^\s\"'`}]{8,200})\})"
)
_BEGINNING: Final = re.compile(rb"(?:[;\"'`?&<{]|=\S{1,16} )[\w. ]{0,16}$")
# What is looked for, and what must stand before the word if it is found.
_IN_CONTEXT: Final = (
    (_ARGUMENT, _FIRST),
    (_DEFINED, _DEFINE),
    (_HANDED_OVER, _SETTER),
    (_WITHIN, _BEGINNING),
)
_BEFORE: Final = 40
_PLAIN: Final = re.compile(
    _NAME + rb"[ \t]{0,8}[:=][ \t]{0,8}([^\s\"'`#;,]{8,200})(?=[ \t]*(?:[#;].*)?$)", re.MULTILINE
)
_AUTHORIZED: Final = re.compile(
    rb"[\"'`]?\]?\s{0,4}[:=,]\s{0,4}[bfru]{0,2}[\"'`]?(?!Digest)[A-Za-z]{3,10}\s{1,3}"
    rb"([\w.~+/-]{8,2000}=*)"
)
_BEARER: Final = re.compile(rb"\s{1,3}([\w.~+/-]{16,2000}=*)")


def named_secrets(text: bytes, *, has_plain_values: bool) -> Iterator[_Span]:
    """Tell where what looks random is called a secret.

    Values without quotes are looked at only where the language writes strings so.
    """
    folded = text.translate(_FOLDED)
    for word in _WORDS:
        for place in places(folded, word):
            is_weak = word == b"key" and not folded.endswith(_OF_KEYS, 0, place)
            if is_weak and not folded.startswith(b"_key", place - 1):
                continue
            end = place + len(word)
            found = _ASSIGNED.match(text, end)
            if found is None and not is_weak:
                found = _in_context(text, folded, place, end)
            if found is None and has_plain_values:
                found = _PLAIN.match(text, end)
            yield from _random(found)
    for word, credential in ((b"authorization", _AUTHORIZED), (b"bearer", _BEARER)):
        for place in places(folded, word):
            yield from _random(credential.match(text, place + len(word)))


def places(text: bytes, needle: bytes) -> Iterator[int]:
    """Tell where a text has some bytes."""
    place = text.find(needle)
    while place >= 0:
        yield place
        place = text.find(needle, place + len(needle))


def _in_context(text: bytes, folded: bytes, place: int, end: int) -> re.Match[bytes] | None:
    for form, before in _IN_CONTEXT:
        found = form.match(text, end)
        if found and before.search(folded, max(0, place - _BEFORE), place):
            return found
    return None


def _random(found: re.Match[bytes] | None) -> Iterator[_Span]:
    if found is not None and looks_random(found[group := found.lastindex or 0]):
        yield found.span(group)
