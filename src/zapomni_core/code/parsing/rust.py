"""What stands in a Rust file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import OF_TRAIT
from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.reading import Captures, FoundBinding, FoundCall, Reading
from zapomni_core.code.parsing.rust_imports import read_use
from zapomni_core.code.parsing.rust_patterns import VARIANT, handed, passed_on, taken_apart
from zapomni_core.code.parsing.tables import Named, Table, bases_in, reader_of
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = ["read_rust"]

_RULES: Final = ChainRules(
    names=frozenset(
        {
            "crate",
            "field_identifier",
            "identifier",
            "metavariable",
            "primitive_type",
            "self",
            "super",
            "type_identifier",
        }
    ),
    members={
        "field_expression": ("value", "field"),
        "scoped_identifier": ("path", "name"),
        "scoped_type_identifier": ("path", "name"),
    },
    calls={"call_expression": "function"},
    # `f()?` takes out of a result what a subscript takes out of a list.
    subscripts={"index_expression": "", "try_expression": ""},
    wrappers={
        "await_expression": "",
        "bracketed_type": "",
        "generic_function": "function",
        "generic_type": "type",
        "generic_type_with_turbofish": "type",
        "parenthesized_expression": "",
        "qualified_type": "type",
        "reference_expression": "value",
        "reference_type": "type",
        "unary_expression": "",
    },
    literals={"string_literal": "str()"},
)
_IN_FRONT: Final = re.compile(rb"(?:[A-Za-z_]\w*(?:\(\))?\s*(?:\.|::)\s*)+\Z")
_LONGEST_FRONT: Final = 120


def read_rust(captures: Captures, text: SourceText) -> Reading:
    """Read a Rust file; the traits that are implemented for a type here are its bases."""
    reading = _read_plain(captures, text)
    reading.calls.extend(_quoted_calls(captures, text))
    traits: dict[str, list[str]] = {}
    # Captures come in any order.
    for node in sorted(captures.get("region", ()), key=lambda region: region.start_byte):
        trait, typed = node.child_by_field_name("trait"), node.child_by_field_name("type")
        if trait is not None and typed is not None:
            owner = read_chain(typed, text, _RULES)
            traits.setdefault(owner, []).append(read_chain(trait, text, _RULES))
    reading.drafts = [
        draft._replace(bases=(*draft.bases, *traits.get(draft.name, ())))
        if draft.kind in {"struct", "enum", "union"}
        else draft
        for draft in reading.drafts
    ]
    return reading


def _quoted_calls(captures: Captures, text: SourceText) -> Iterator[FoundCall]:
    """Find the calls in the arguments of macros, which the grammar leaves unread."""
    for node in captures.get("quoted", ()):
        if text.data[node.end_byte : node.end_byte + 1] != b"(":
            continue
        at = node.start_byte
        front = _IN_FRONT.search(text.data, max(0, at - _LONGEST_FRONT), at)
        written = "" if front is None else front.group().decode("utf-8", "replace")
        receiver = "".join(written.replace("::", ".").split()).rstrip(".")
        yield (at, text.of(node), receiver)


def _bindings(captures: Captures, text: SourceText) -> list[FoundBinding]:
    bindings: list[FoundBinding] = []
    for node in captures.get("let", ()):
        bindings.extend(_bound(node, node.child_by_field_name("pattern"), text))
    for node in captures.get("field", ()):
        bindings.extend(_bound(node, node.child_by_field_name("name"), text))
    for node in captures.get("places", ()):
        bindings.extend(_places(node, "", text))
    for node in captures.get("each", ()):
        bindings.extend(
            each._replace(how="item")
            for each in _bound(node, node.child_by_field_name("pattern"), text)
        )
    for node in captures.get("variant", ()):
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if named is not None and body is not None:
            bindings.extend(_places(body, f"{text.of(named)}{VARIANT}", text))
    for node in captures.get("pattern", ()):
        bindings.extend(taken_apart(node, text, _RULES))
    for node in captures.get("closure", ()):
        bindings.extend(handed(node, text, _RULES))
    for node in captures.get("bounded", ()):
        bindings.extend(_bounded(node, text))
    return bindings


def _places(listed: Node, prefix: str, text: SourceText) -> Iterator[FoundBinding]:
    """Read fields that have only a place, of a struct or of a variant."""
    for place, each in enumerate(listed.children_by_field_name("type")):
        yield FoundBinding(each.start_byte, f"{prefix}{place}", collapse(text.of(each)), "type")


def _bounded(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read what a type parameter must be."""
    name = node.child_by_field_name("name") or node.child_by_field_name("left")
    bounds = node.child_by_field_name("bounds")
    if name is not None and bounds is not None:
        places = [name.start_byte, *_inside_block(node)]
        for each in bounds.named_children:
            for at in places:
                yield FoundBinding(at, text.of(name), collapse(text.of(each)), "type")


def _inside_block(node: Node) -> Iterator[int]:
    """Yield where the functions of an `impl` begin, each of which has its type parameters."""
    around = node.parent
    while around is not None and around.type in {"type_parameters", "where_clause"}:
        around = around.parent
    body = around.child_by_field_name("body") if around and around.type == "impl_item" else None
    for each in body.named_children if body is not None else ():
        named = each.child_by_field_name("name") if each.type == "function_item" else None
        if named is not None:
            yield named.start_byte


def _bound(node: Node, target: Node | None, text: SourceText) -> Iterator[FoundBinding]:
    typed, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    if target is None:
        return
    if typed is None and value is not None and value.type == "struct_expression":
        typed = value.child_by_field_name("name")
    if typed is not None:
        yield FoundBinding(target.start_byte, text.of(target), collapse(text.of(typed)), "type")
    elif value is not None:
        chain = read_chain(value, text, _RULES)
        if value.type == "match_expression":
            chain = passed_on(value, text, _RULES)
        if not chain.startswith(UNKNOWN):
            yield FoundBinding(target.start_byte, text.of(target), chain, "value")
        elif value.type == "closure_expression":
            # From here to the end of the block it hides a function outside.
            end = _end_of_block(node)
            yield FoundBinding(target.start_byte, text.of(target), UNKNOWN, "value", end)


def _end_of_block(node: Node) -> int:
    around = node.parent
    while around is not None and around.type != "block":
        around = around.parent
    return 0 if around is None else around.end_byte


def _is_exported(node: Node, _named: Named, _text: SourceText) -> bool:
    first = child_at(node, 0)
    return first is not None and first.type == "visibility_modifier"


def _of_trait(node: Node, _text: SourceText) -> tuple[str, ...]:
    body = node.parent if node.type == "function_item" else None
    around = body.parent if body is not None else None
    is_of_trait = around is not None and around.child_by_field_name("trait") is not None
    return (OF_TRAIT,) if is_of_trait else ()


_read_plain: Final = reader_of(
    Table(
        rules=_RULES,
        bases=bases_in("trait_bounds"),
        result_fields=("return_type", "type"),
        imports=read_use,
        bindings=_bindings,
        is_exported=_is_exported,
        decorators=_of_trait,
    )
)
