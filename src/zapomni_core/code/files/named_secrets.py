"""Find values that the name beside them calls secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zapomni_core.code.files.randomness import looks_random

__all__ = ["named_secrets", "places"]

type _Span = tuple[int, int]

# `pass`, `pwd`, `secret`, `token` and `key`, by their rarer letters: a search leaps from one to
# the next, in 0.6 of the time that a search for every word takes.
_WORDS: Final = tuple(
    map(re.compile, (rb"(p)(?:ass|wd)", rb"c(?<=(sec))ret", rb"(k)(?:ey|(?<=(tok))en)"))
)
# Without one of these before it, a key may be that of a row, a button or a dictionary.
_OF_KEYS: Final = tuple(
    kind + between
    for kind in (b"access", b"account", b"api", b"encryption", b"master", b"private", b"shared")
    for between in (b"", b"_", b"-")
)
# A word that goes on in one of these ways is another word: passed, passing, tokenizer.
_REST: Final = re.compile(rb"(?!e[dns]|i[nsvz]|age)[\w-]{0,40}+")
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
    rb"""(?:
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
    rb"[\"']\s{0,4},\s{0,8}(?:(?:default|fallback|value)\s?=\s?)?" + _QUOTED
)
_FIRST: Final = re.compile(rb"\(\s{0,8}[\"'][\w.-]{0,30}$")
_DEFINED: Final = re.compile(rb"[ \t]{1,20}" + _QUOTED)
_DEFINE: Final = re.compile(
    rb"(?:(?<![\w-])def|define|(?<![\w-])set|setenv)[ \t]{1,20}[\w-]{0,20}$"
)
_HANDED_OVER: Final = re.compile(rb"\(\s{0,8}" + _QUOTED + rb"\s{0,8}\)")
_SETTER: Final = re.compile(rb"(?:\.|(?:set|with|use)[_-]?)(?:[a-z]{1,8}[_-]?)?$")
# Without quotes of its own: of a connection, a query, an element, a default of a shell.
_WITHIN: Final = re.compile(
    rb"=([^\s\"'`;&<>]{8,200})(?=[\"'`;&]|[ ]\w{1,20}=)"
    rb"|>([^\s<>]{8,200})</|:-([^\s\"'`}]{8,200})\}"
)
_BEGINNING: Final = re.compile(rb"(?:[;\"'`?&<{]|=\S{1,16} )[\w. -]{0,16}$")
# What is looked for behind a name, by the sign it begins with, and what must stand before the
# word if it is found.
_IN_CONTEXT: Final = {
    sign: (form, before)
    for signs, form, before in (
        ((b'"', b"'"), _ARGUMENT, _FIRST),
        ((b" ", b"\t"), _DEFINED, _DEFINE),
        ((b"(",), _HANDED_OVER, _SETTER),
        ((b"=", b">", b":"), _WITHIN, _BEGINNING),
    )
    for sign in signs
}
_BEFORE: Final = 40
_PLAIN: Final = re.compile(
    rb"[ \t]{0,8}[:=][ \t]{0,8}([^\s\"'`#;,]{8,200})(?=[ \t]*(?:[#;].*)?$)", re.MULTILINE
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
    lower = text.lower()
    for place, end, is_weak in _named(text, lower):
        found = _ASSIGNED.match(text, end)
        if found is None and not is_weak:
            found = _in_context(text, lower, place, end)
        if found is None and has_plain_values:
            found = _PLAIN.match(text, end)
        yield from _random(found)
    for name, credential in ((b"authorization", _AUTHORIZED), (b"bearer", _BEARER)):
        for place in places(lower, name):
            yield from _random(credential.match(text, place + len(name)))


def _named(text: bytes, lower: bytes) -> Iterator[tuple[int, int, bool]]:
    """Tell where a word begins, where the name ends that it stands in, and if it says little."""
    for words in _WORDS:
        for word in words.finditer(lower):
            place = word.start(word.lastindex or 0)
            is_weak = word[0] == b"key" and not lower.endswith(_OF_KEYS, 0, place)
            if is_weak and lower[place - 1 : place] not in {b"_", b"-"}:
                continue
            if rest := _REST.match(text, word.end()):
                yield place, rest.end(), is_weak


def places(text: bytes, needle: bytes) -> Iterator[int]:
    """Tell where a text has some bytes."""
    place = text.find(needle)
    while place >= 0:
        yield place
        place = text.find(needle, place + len(needle))


def _in_context(text: bytes, lower: bytes, place: int, end: int) -> re.Match[bytes] | None:
    context = _IN_CONTEXT.get(text[end : end + 1])
    if context is None:
        return None
    form, before = context
    found = form.match(text, end)
    is_there = found and before.search(lower, max(0, place - _BEFORE), place)
    return found if is_there else None


def _random(found: re.Match[bytes] | None) -> Iterator[_Span]:
    if found is not None and looks_random(found[group := found.lastindex or 0]):
        yield found.span(group)
