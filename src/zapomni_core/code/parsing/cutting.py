"""Cut a file into the source of its symbols."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from zapomni_core.code.files.tests import is_test_path
from zapomni_core.code.model import MODULE, Definition, FileFacts, symbol_id
from zapomni_core.code.searching.tokens import embedded_text, symbol_words
from zapomni_db.code.records import SymbolRecord, records_of

__all__ = ["Cut", "cut_symbols"]

# What holds definitions is searched without their bodies: these are symbols of their own.
_HOLDERS: Final = frozenset({"class", "interface", "struct", "enum", "union", "module"})
# A few imports and a closing brace are not worth an entry, unless they stand around something
# that has a value or is called. What only tells what a file offers is found in what it offers.
_ENOUGH: Final = re.compile(rb"(?:\s*+\S){40}")
_STATED: Final = re.compile(rb"\w\s*(?::?=(?![=>])|\()")
_OFFERED: Final = re.compile(
    rb"\s*(?:(?:module\.)?exports\b|export\s*(?:=|default\b|\{)|__all__\b)"
)
_NOTHING: Final = blake2b(digest_size=16)

# The fields of a `SymbolRecord`, in their order.
type _SymbolRow = tuple[str, str, str, str, int, int, str, str, str, str, str, bool, bool]


class Cut(NamedTuple):
    """The symbols of a file, and the words and the head of each."""

    symbols: list[SymbolRecord]
    words: list[str]
    heads: list[str]


def cut_symbols(path: str, text: bytes, lines: int, facts: FileFacts) -> Cut:
    """Report on every definition of a file, and on the code outside of them."""
    definitions = facts.definitions
    is_test = is_test_path(path)
    inside: dict[int, list[Definition]] = {}
    for definition in definitions:
        inside.setdefault(definition.scope, []).append(definition)
    cut = Cut([], [], [])
    rows: list[_SymbolRow] = []
    around = _shortened(text, 0, len(text), inside.get(MODULE, ()))
    if _is_worth_it(around, text, facts):
        head_hash = _add_texts(cut, path, None, around)
        rows.append(_module(path, around, head_hash, lines, is_test))
    ids = [symbol_id(path, definition.qname) for definition in definitions]
    for index, definition in enumerate(definitions):
        held = inside.get(index, ()) if definition.kind in _HOLDERS else ()
        own = _shortened(text, definition.start, definition.end, held)
        head_hash = _add_texts(cut, path, definition, own)
        parent = "" if definition.scope == MODULE else ids[definition.scope]
        rows.append(_symbol(ids[index], parent, definition, own, head_hash, is_test))
    cut.symbols.extend(records_of(SymbolRecord, rows))
    return cut


def _is_worth_it(around: bytes, text: bytes, facts: FileFacts) -> bool:
    """Tell whether somebody may look for the code outside of definitions."""
    if _ENOUGH.match(around):
        return True
    if not facts.definitions:
        return bool(around.strip())
    imports = {each.line for each in facts.imports}
    return any(
        _STATED.search(line) and not _OFFERED.match(line)
        for number, line in enumerate(_outside(text, facts.definitions).split(b"\n"), 1)
        if number not in imports
    )


def _outside(text: bytes, definitions: Sequence[Definition]) -> bytes:
    """Leave nothing but the ends of lines of definitions."""
    pieces, start = [], 0
    for each in definitions:
        if each.start >= start:
            pieces += [text[start : each.start], b"\n" * text.count(b"\n", each.start, each.end)]
            start = each.end
    return b"".join([*pieces, text[start:]])


def _add_texts(cut: Cut, path: str, definition: Definition | None, own: bytes) -> str:
    """Note the words and the head of a symbol; return the hash of the head."""
    source = own.decode(errors="replace")
    head = embedded_text(path, definition, source)
    cut.words.append(symbol_words(path, definition, source))
    cut.heads.append(head)
    return _hash(head.encode()) if head else ""


def _symbol(
    own_id: str, parent: str, definition: Definition, own: bytes, head_hash: str, is_test: bool
) -> _SymbolRow:
    return (
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
        head_hash,
        definition.exported,
        is_test,
    )


def _module(path: str, around: bytes, head_hash: str, lines: int, is_test: bool) -> _SymbolRow:
    name = path.rpartition("/")[2]
    stem, _, suffix = name.rpartition(".")
    return (
        symbol_id(path, ""),
        stem if stem and suffix else name,
        "",
        "module",
        1,
        max(lines, 1),
        _hash(around),
        "",
        "",
        "",
        head_hash,
        True,
        is_test,
    )


def _hash(own: bytes) -> str:
    # A new one takes a third longer than a copy, for a text as short as most are.
    digest = _NOTHING.copy()
    digest.update(own)
    return digest.hexdigest()


def _shortened(text: bytes, start: int, end: int, held: Sequence[Definition]) -> bytes:
    """Put the signatures of definitions in their places."""
    if not held:
        return text[start:end]
    pieces = []
    for each in held:
        if start <= each.start <= each.end <= end:
            pieces += [text[start : each.start], each.signature.encode(errors="replace")]
            start = each.end
    return b"".join([*pieces, text[start:end]])
