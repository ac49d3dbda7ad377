"""Components of Vue, Svelte and Astro: TypeScript that stands among markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["COMPONENTS", "script_of"]

COMPONENTS: Final = frozenset({"astro", "svelte", "vue"})

_FENCED: Final = re.compile(rb"\s*---[ \t]*\r?\n(.*?\n)?---", re.DOTALL)
# A script in a comment is none. Without bounds a tag that has no end would be read on and on.
_SCRIPT: Final = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<script\b((?:[^>\"']{1,100}+|\"[^\"]{0,400}+\"|'[^']{0,400}+'){0,20}+)>"
    rb"(.*?)(?:</script\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_LANGUAGE: Final = re.compile(rb"\b(?:lang|type)\s*=\s*[\"']?([\w./+-]+)", re.IGNORECASE)
_PLAIN: Final = frozenset(
    {"javascript", "js", "module", "text/javascript", "text/typescript", "ts", "typescript"}
)
_WITH_ELEMENTS: Final = frozenset({"jsx", "tsx", "text/jsx", "text/tsx"})
_PRINTED: Final = re.compile(rb"[^\r\n]")

type _Span = tuple[int, int]


def script_of(source: bytes, language: str) -> tuple[bytes, str]:
    """Give the scripts of a component where they stand, and what they are written in.

    Everything else is blank, so that places in the scripts are places in the file. JavaScript is
    read as TypeScript.
    """
    dialect = "typescript"
    spans: list[_Span] = []
    fenced = _FENCED.match(source) if language == "astro" else None
    if fenced is not None and fenced[1] is not None:
        spans.append(fenced.span(1))
    for span, written in _scripts(source, fenced.end() if fenced else 0):
        if written in _WITH_ELEMENTS:
            dialect = "tsx"
        if written in _WITH_ELEMENTS or written in _PLAIN:
            spans.append(span)
    return _alone(source, spans), dialect


def _scripts(source: bytes, start: int) -> Iterator[tuple[_Span, str]]:
    for found in _SCRIPT.finditer(source, start):
        if found[2] is not None:
            said = _LANGUAGE.search(found[1])
            yield found.span(2), said[1].decode("ascii", "replace").lower() if said else "js"


def _alone(source: bytes, spans: list[_Span]) -> bytes:
    """Blank out everything but some stretches, and the ends of lines."""
    pieces, at = [], 0
    for start, end in spans:
        pieces += [_PRINTED.sub(b" ", source[at:start]), source[start:end]]
        at = end
    return b"".join([*pieces, _PRINTED.sub(b" ", source[at:])])
