"""Cut a file into the source of its symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final

from zapomni_core.code.model import MODULE, Definition
from zapomni_core.code.parsing.report import SymbolReport
from zapomni_core.code.searching.tokens import embedded_text, symbol_terms

__all__ = ["symbols_of"]

# What holds definitions is searched without their bodies: these are symbols of their own.
_HOLDERS: Final = frozenset({"class", "interface", "struct", "enum", "union", "module"})
# A few imports and a closing brace are not worth an entry.
_MIN_MODULE_BYTES: Final = 40


def symbols_of(
    path: str, text: bytes, definitions: Sequence[Definition]
) -> Iterator[SymbolReport]:
    """Report on every definition of a file, and on the code outside of them."""
    inside: dict[int, list[Definition]] = {}
    for definition in definitions:
        inside.setdefault(definition.scope, []).append(definition)
    around = _shortened(text, 0, len(text), inside.get(MODULE, ()))
    if len(b"".join(around.split())) >= (_MIN_MODULE_BYTES if definitions else 1):
        yield _symbol(path, MODULE, None, around)
    for index, definition in enumerate(definitions):
        held = inside.get(index, ()) if definition.kind in _HOLDERS else ()
        own = _shortened(text, definition.start, definition.end, held)
        yield _symbol(path, index, definition, own)


def _symbol(path: str, index: int, definition: Definition | None, own: bytes) -> SymbolReport:
    source = own.decode(errors="replace")
    return SymbolReport(
        index,
        blake2b(own, digest_size=16).hexdigest(),
        symbol_terms(path, definition, source),
        embedded_text(path, definition, source),
    )


def _shortened(text: bytes, start: int, end: int, held: Sequence[Definition]) -> bytes:
    """Put the signatures of definitions in their places."""
    if not held:
        return text[start:end]
    pieces = []
    for each in sorted(held, key=lambda definition: definition.start):
        if start <= each.start <= each.end <= end:
            pieces += [text[start : each.start], each.signature.encode(errors="replace")]
            start = each.end
    return b"".join([*pieces, text[start:end]])
