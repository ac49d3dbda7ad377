"""Put a mark in the place of keys, tokens and passwords before anything is stored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any, Final

from zapomni_core.code.files.secrets import redacted

__all__ = ["Redacted", "redact", "redact_metadata"]

type _Span = tuple[int, int]

# How a secret begins, the longest first, and what people call it.
_KINDS: Final = (
    (b"github_pat_", "GitHub token"),
    (b"sk_live_", "Stripe key"),
    (b"sk-ant-", "Anthropic key"),
    (b"glpat-", "GitLab token"),
    (b"xapp-", "Slack token"),
    (b"pypi-", "PyPI token"),
    (b"AKIA", "AWS key"),
    (b"AIza", "Google key"),
    (b"ghp_", "GitHub token"),
    (b"gho_", "GitHub token"),
    (b"ghr_", "GitHub token"),
    (b"ghs_", "GitHub token"),
    (b"ghu_", "GitHub token"),
    (b"npm_", "npm token"),
    (b"eyJ", "JSON Web Token"),
    (b"hf_", "Hugging Face token"),
    (b"sk-", "API key"),
    (b"SG.", "SendGrid key"),
    (b"xox", "Slack token"),
)
_OTHER: Final = "password or key"
_PRIVATE_KEY: Final = "private key"
# What prose and settings say without quotes: "the password is hunter2!", "API_KEY=…". A word that
# goes on is another word: a tokenizer is no token.
_TOLD: Final = re.compile(
    rb"(?:(?:passw(?:or[dt])?|passphrase|passcode|\bpwd|api[ _-]?key)s?[\"'`]?\s{1,4}is\s{1,4}"
    rb"|(?:passw(?:or[dt])?|passphrase|passcode|\bpwd|secret|token|api[ _-]?key|access[ _-]?key)"
    rb"(?:[_-][\w-]{1,30}|s)?[\"'`]?\s{0,4}(?::=|=>|[:=])\s{0,4})"
    rb"[\"'`]?([^\s\"'`,;<>()\[\]{}]{6,200}+)(?!\()",
    re.IGNORECASE,
)
_BEARER: Final = re.compile(rb"\bBearer\s{1,3}([A-Za-z0-9._~+/-]{20,2000}=*)", re.IGNORECASE)
_HEADS: Final = (b"passw", b"passphrase", b"passcode", b"secret", b"token", b"key", b"pwd")
_NO_SECRET: Final = re.compile(
    rb"\*\*\*|\.\.\.|xxx|your|example|sample|placeholder|dummy|redacted|^https?:|^\$"
    rb"|^[A-Za-z_]\w*(?:[._][A-Za-z_]\w*)+$"  # a name of a program
    rb"|^[\w.~-]*/[\w./-]*\.[a-z]\w{0,5}$",  # a file
    re.IGNORECASE,
)
_BLANKED: Final = re.compile(rb"\*+")


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and how many of each kind it had."""

    text: str
    hidden: Counter[str] = field(default_factory=Counter)


def redact(text: str) -> Redacted:
    """Replace every secret by what it is."""
    data = text.encode()
    spans = sorted({*_known(data), *_told(data)})
    if not spans:
        return Redacted(text)
    parts: list[bytes] = []
    hidden: Counter[str] = Counter()
    reached = 0
    for start, end in _merged(spans):
        kind = _kind(data, start, end)
        hidden[kind] += 1
        parts += [data[reached:start], f"[redacted: {kind}]".encode()]
        reached = end
    return Redacted(b"".join([*parts, data[reached:]]).decode(), hidden)


def redact_metadata(metadata: dict[str, Any]) -> tuple[dict[str, Any], Counter[str]]:
    """Replace every secret in names and values, by what the value or its name tells."""
    hidden: Counter[str] = Counter()
    return _named(metadata, hidden), hidden


def _named(values: dict[str, Any], hidden: Counter[str]) -> dict[str, Any]:
    told = {name: redact(name) for name in values}
    taken = {name for name, clean in told.items() if not clean.hidden}
    named: dict[str, Any] = {}
    for name, clean in told.items():
        shown = _numbered(clean.text, taken) if clean.hidden else name
        taken.add(shown)
        hidden.update(clean.hidden)
        named[shown] = _value(name, values[name], hidden)
    return named


def _numbered(name: str, taken: set[str]) -> str:
    """Return a name that no other one has: names that hide a secret may look alike."""
    numbered = (f"{name} {number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


def _value(name: str, value: object, hidden: Counter[str]) -> object:
    match value:
        case dict():
            return _named(value, hidden)
        case list() | tuple():
            return [_value(name, each, hidden) for each in value]
        case str():
            return _string(name, value, hidden)
    return value


def _string(name: str, value: str, hidden: Counter[str]) -> str:
    start = f"{name}: "
    clean = redact(start + value)
    if not clean.text.startswith(start):  # the name itself is one; leave it to its value
        clean, start = redact(value), ""
    hidden.update(clean.hidden)
    return clean.text.removeprefix(start)


def _known(data: bytes) -> Iterator[_Span]:
    """Find what the code index blanks out: it puts an asterisk in the place of every byte."""
    blanked, count = redacted(data)
    if count:
        spans = (found.span() for found in _BLANKED.finditer(blanked))
        yield from ((start, end) for start, end in spans if data[start:end] != blanked[start:end])


def _told(data: bytes) -> Iterator[_Span]:
    folded = data.lower()
    if b"bearer" in folded:
        yield from (found.span(1) for found in _BEARER.finditer(data))
    if any(head in folded for head in _HEADS):
        for found in _TOLD.finditer(data):
            value = found[1].rstrip(b".:")  # the end of the sentence
            if _is_secret(value):
                yield found.start(1), found.start(1) + len(value)


def _is_secret(value: bytes) -> bool:
    has_letter = any(chr(byte).isalpha() for byte in value)
    has_more = any(chr(byte) in "0123456789!#^&*+=~?@%$" for byte in value)
    return has_letter and has_more and not _NO_SECRET.search(value)


def _merged(spans: list[_Span]) -> list[_Span]:
    """Join spans that overlap or are lines of one key."""
    merged = [spans[0]]
    for start, end in spans[1:]:
        last_start, last_end = merged[-1]
        if start <= last_end + 3:
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged


def _kind(data: bytes, start: int, end: int) -> str:
    secret = data[start:end]
    if b"PRIVATE KEY" in data[max(0, start - 40) : start]:
        return _PRIVATE_KEY
    return next((kind for prefix, kind in _KINDS if secret.startswith(prefix)), _OTHER)
