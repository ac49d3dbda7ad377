"""Blank out keys and passwords in source text, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zapomni_core.code.files.named_secrets import named_secrets, places
from zapomni_core.code.files.randomness import is_made_up

__all__ = ["redacted"]

type _Span = tuple[int, int]


def _keys_by(mark: bytes, *keys: tuple[bytes, bytes]) -> re.Pattern[bytes]:
    """Make an expression that leaps to a mark, and looks back to where a key begins."""
    forms = [rb"(?<=(%b))(?<![\w-]%b)%b" % (head, head, rest) for head, rest in keys]
    return re.compile(mark + b"(?:" + b"|".join(forms) + b")", re.ASCII)


# By the rarest letter of what they begin with, or the sign at its end: an expression for each
# key takes 2.6 times as long, and one for all of them would be tried at every byte.
_KEYS: Final = (
    _keys_by(
        b"I",
        (b"A[KS]I", rb"A[0-9A-Z]{16}(?![\w-])"),
        (b"AI", rb"za[\w-]{35}(?![\w-])"),
    ),
    _keys_by(b"J", (b"eyJ", rb"[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{16,4000}")),
    _keys_by(b"G", (b"SG", rb"\.[\w-]{16,32}\.[\w-]{32,1000}")),
    _keys_by(
        b"-",
        (b"glpat-", rb"[\w-]{20,1000}"),
        (b"pypi-", rb"[\w-]{50,1000}"),
        (b"sk-", rb"(?:(?:ant|proj|svcacct|or)-)?(?=[\w-]{0,40}\d)[\w-]{32,1000}"),
        (b"x(?:ox[abeoprs]|app)-", rb"[\w-]{20,1000}"),
    ),
    # The sign is in every other name: most of them differ in the letters in front of it.
    _keys_by(
        rb"_(?<=h[foprsu]_|at_|pm_|[rs]k_)",
        (b"gh[oprsu]_", rb"\w{36,1000}"),
        (b"github_pat_", rb"\w{22,1000}"),
        (b"hf_", rb"[A-Za-z0-9]{30,64}(?![\w-])"),
        (b"npm_", rb"[A-Za-z0-9]{36}(?![\w-])"),
        # Names of test functions look alike, but have no digit in a word so long.
        (b"[rs]k_", rb"(?:live_|test_(?=[A-Za-z]*\d))[A-Za-z0-9]{16,1000}"),
    ),
)
_SLACK_HOOK: Final = re.compile(rb"hooks\.slack\.com/services/([\w/]{20,80})")
_URL_PASSWORD: Final = re.compile(rb"://[^\s:/@\"'`<>]{0,64}:([^\s:/@\"'`<>]{3,128})@")
_PRIVATE_KEY: Final = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_MAX_KEY_BYTES: Final = 20_000
_ENCODED: Final = re.compile(rb"[A-Za-z0-9+/=]{4,}")
# Of a key that is cut off.
_KEY_LINES: Final = re.compile(
    rb"(?:(?:[\s\"'`+,>|#]|\\[nr]?){1,40}+[A-Za-z0-9+/]{16,}+={0,2}(?![\w(.]))+"
    rb"(?:(?:[\s\"'`+,>|#]|\\[nr]?){1,40}+[A-Za-z0-9+/]{2,15}={1,2})?"
)


def redacted(text: bytes, *, has_plain_values: bool = False) -> tuple[bytes, int]:
    """Put an asterisk in place of every byte of a secret; also tell how many secrets there were.

    Lengths and line breaks stay. What looks like a placeholder is left alone. Values without
    quotes are looked at only where the language writes strings so.
    """
    found = {*_keys(text), *_private_keys(text), *_in_addresses(text)}
    found.update(named_secrets(text, has_plain_values=has_plain_values))
    spans = sorted(found)
    if not spans:
        return text, 0
    blanked = bytearray(text)
    count = reached = 0
    for start, end in spans:
        count += start >= reached
        reached = max(reached, end)
        blanked[start:end] = _blanked(text[start:end])
    return bytes(blanked), count


def _keys(text: bytes) -> Iterator[_Span]:
    for keys in _KEYS:
        for found in keys.finditer(text):
            yield found.start(found.lastindex or 0), found.end()


def _private_keys(text: bytes) -> Iterator[_Span]:
    for place in places(text, b"-----BEGIN "):
        if head := _PRIVATE_KEY.match(text, place):
            end = text.find(b"-----", head.end(), head.end() + _MAX_KEY_BYTES)
            if end < 0 or not text.startswith(b"-----END", end):
                lines = _KEY_LINES.match(text, head.end())
                end = lines.end() if lines else head.end()
            if _ENCODED.search(text, head.end(), end):
                yield head.end(), end


def _in_addresses(text: bytes) -> Iterator[_Span]:
    for found in _URL_PASSWORD.finditer(text):
        if is_made_up(found[1]):
            yield found.span(1)
    for place in places(text, b"hooks.slack.com/"):
        if hook := _SLACK_HOOK.match(text, place):
            yield hook.span(1)


def _blanked(secret: bytes) -> bytes:
    if b"\n" not in secret and b"\r" not in secret and b"\\n" not in secret:
        return b"*" * len(secret)
    # Quotes between the lines of a key are syntax.
    return _ENCODED.sub(lambda run: b"*" * len(run[0]), secret)
