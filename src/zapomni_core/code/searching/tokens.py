"""Cut source code into words, and the heads of symbols to embed."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from zapomni_core.code.model import Definition

__all__ = ["WORD", "embedded_text", "symbol_words"]

WORD: Final = re.compile(r"\w{2,}")
_SPACED: Final = bytes(
    code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(128)
).ljust(256)
_MAX_SOURCE_CHARS: Final = 40_000
_MAX_EMBEDDED_CHARS: Final = 300
_DIRECTORIES: Final = 3
# A docstring stands in the source already, a comment above does not.
_DOC_SAMPLE: Final = 24


def symbol_words(path: str, definition: Definition | None, source: str) -> str:
    """Give the words of a symbol's own source, or of the code outside definitions.

    They stand in their order with white space between them. Most words of a repository occur a
    thousand times: they are cut into terms where all of them come together.
    """
    source = source[:_MAX_SOURCE_CHARS]
    if definition is None:
        text = f"{source} {_place(path)}"
    elif definition.doc[:_DOC_SAMPLE] in source:
        text = f"{source} {definition.qname} {_place(path)}"
    else:
        text = f"{source} {definition.qname} {definition.doc} {_place(path)}"
    # Most lines of a text in any language are plain code.
    return _spaced(text) if text.isascii() else "\n".join(map(_spaced, text.split("\n")))


def _spaced(text: str) -> str:
    if text.isascii():
        # A tenth of the time of the expression; single letters have no terms anyway.
        return text.encode().translate(_SPACED).decode()
    return " ".join(WORD.findall(text))


def embedded_text(path: str, definition: Definition | None, source: str) -> str:
    """Give the head of a symbol: where it is, what it is called, and what it says of itself."""
    if definition is None:
        parts = [path, source]
    elif definition.doc:
        body = source.partition(definition.doc)[2]
        parts = [_heading(path, definition), definition.signature, definition.doc, body]
    else:
        parts = [_heading(path, definition), source]
    return "\n".join([told for part in parts if (told := part.strip())])[:_MAX_EMBEDDED_CHARS]


def _heading(path: str, definition: Definition) -> str:
    return f"{path} :: {definition.qname}" if path else definition.qname


@lru_cache(16)
def _place(path: str) -> str:
    *directories, name = path.split("/")
    stem = name.partition(".")[0] or name
    return " ".join([stem, stem, *directories[-_DIRECTORIES:]])
