"""Cut a file into the source of its symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Final

from zapomni_core.code.files.tests import is_test_path
from zapomni_core.code.model import MODULE, Definition, FileFacts, symbol_id
from zapomni_core.code.parsing.report import SymbolReport
from zapomni_core.code.searching.tokens import embedded_text, symbol_terms

__all__ = ["symbols_of"]

# What holds definitions is searched without their bodies: these are symbols of their own.
_HOLDERS: Final = frozenset({"class", "interface", "struct", "enum", "union", "module"})
# A few imports and a closing brace are not worth an entry.
_MIN_MODULE_BYTES: Final = 40


def symbols_of(path: str, text: bytes, lines: int, facts: FileFacts) -> Iterator[SymbolReport]:
    """Report on every definition of a file, and on the code outside of them."""
    definitions = facts.definitions
    is_test = is_test_path(path)
    inside: dict[int, list[Definition]] = {}
    for definition in definitions:
        inside.setdefault(definition.scope, []).append(definition)
    around = _shortened(text, 0, len(text), inside.get(MODULE, ()))
    if len(b"".join(around.split())) >= (_MIN_MODULE_BYTES if definitions else 1):
        yield _module(path, around, lines, is_test)
    ids = [symbol_id(path, definition.qname) for definition in definitions]
    for index, definition in enumerate(definitions):
        held = inside.get(index, ()) if definition.kind in _HOLDERS else ()
        own = _shortened(text, definition.start, definition.end, held)
        parent = "" if definition.scope == MODULE else ids[definition.scope]
        yield _symbol(path, ids[index], parent, definition, own, is_test)


def _symbol(
    path: str, own_id: str, parent: str, definition: Definition, own: bytes, is_test: bool
) -> SymbolReport:
    source = own.decode(errors="replace")
    return SymbolReport(
        own_id,
        definition.name,
        definition.qname,
        definition.kind,
        definition.line,
        definition.end_line,
        _hash(own),
        parent,
        definition.signature,
        definition.doc,
        symbol_terms(path, definition, source),
        embedded_text(path, definition, source),
        definition.exported,
        is_test,
    )


def _module(path: str, around: bytes, lines: int, is_test: bool) -> SymbolReport:
    source = around.decode(errors="replace")
    return SymbolReport(
        symbol_id(path, ""),
        PurePosixPath(path).stem,
        "",
        "module",
        1,
        max(lines, 1),
        _hash(around),
        "",
        "",
        "",
        symbol_terms(path, None, source),
        embedded_text(path, None, source),
        True,
        is_test,
    )


def _hash(own: bytes) -> str:
    return blake2b(own, digest_size=16).hexdigest()


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
