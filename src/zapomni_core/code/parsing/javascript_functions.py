"""What functions of JavaScript and TypeScript are handed, and what they return."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.blocks import handed_to, inside_of
from zapomni_core.code.parsing.chains import UNKNOWN, read_chain
from zapomni_core.code.parsing.javascript_bindings import RULES, alternatives, written_type
from zapomni_core.code.parsing.reading import Captures, FoundBinding
from zapomni_core.code.parsing.text import SourceText

__all__ = ["read_handed", "read_returned", "read_unpacked"]

_ANONYMOUS: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
_NAMED: Final = frozenset(
    {"function_declaration", "generator_function_declaration", "method_definition"}
)
# What gives its own name to a function that has none.
_NAMING: Final = frozenset(
    {
        "assignment_expression",
        "export_statement",
        "field_definition",
        "pair",
        "public_field_definition",
        "variable_declarator",
    }
)
# How an object is written that stands in the body of a function.
_OBJECT: Final = "{}"
_PATTERNS: Final = frozenset({"object_pattern", "array_pattern"})
_NAMES_IN_PATTERNS: Final = frozenset({"identifier", "shorthand_property_identifier_pattern"})
# Where the name stands beside a key or a default.
_HELD_IN: Final = {
    "assignment_pattern": "left",
    "object_assignment_pattern": "left",
    "pair_pattern": "value",
}
_CALLEES: Final = {"call_expression": "function", "new_expression": "constructor"}
_DEEPEST: Final = 200


def read_handed(captures: Captures, text: SourceText) -> Iterator[FoundBinding]:
    """Read the parameters of functions without a name: what they are is up to who calls them.

    `xs.map((x) => ...)` hands over to the first parameter of its first argument `xs.map{0,0}`.
    """
    for node in captures.get("callback", ()):
        taker = _taker(node, text)
        end = node.end_byte
        for place, (name, typed) in enumerate(_parameters(node)):
            at = inside_of(node, name.start_byte, text)
            if typed is not None:
                yield FoundBinding(at, text.of(name), written_type(typed, text), "type", end)
            elif taker and name.type == "identifier":
                value = f"{taker},{place}}}"
                yield FoundBinding(at, text.of(name), value, "value", end)
            for each in _unpacked_into(name):
                yield FoundBinding(at, text.of(each), UNKNOWN, "value", end)


def read_unpacked(function: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read the names that the parameters of a function are unpacked into: they hide others."""
    for name, _ in _parameters(function):
        for each in _unpacked_into(name):
            yield FoundBinding(each.start_byte, text.of(each), UNKNOWN, "value", function.end_byte)


def _unpacked_into(pattern: Node) -> Iterator[Node]:
    """Find the names in `{a, b: c, d = 1, ...e}` and `[a, b]`."""
    waiting = [pattern] if pattern.type in _PATTERNS else []
    while waiting:
        for each in waiting.pop().named_children:
            if each.type in _NAMES_IN_PATTERNS:
                yield each
                continue
            held = each.child_by_field_name(_HELD_IN[each.type]) if each.type in _HELD_IN else each
            if held is not None and held.type in _NAMES_IN_PATTERNS:
                yield held
            elif held is not None and held.type in _PATTERNS | {"rest_pattern"} | _HELD_IN.keys():
                waiting.append(held)


def _taker(node: Node, text: SourceText) -> str:
    """Write what a function is handed to, and at which place."""
    found = handed_to(node)
    if found is None or found[0].type not in _CALLEES:
        return ""
    callee = found[0].child_by_field_name(_CALLEES[found[0].type])
    chain = UNKNOWN if callee is None else read_chain(callee, text, RULES)
    return "" if chain.startswith(UNKNOWN) else f"{chain}{{{found[1]}"


def _parameters(function: Node) -> Iterator[tuple[Node, Node | None]]:
    single = function.child_by_field_name("parameter")
    if single is not None:
        yield single, None
        return
    listed = function.child_by_field_name("parameters")
    for each in [] if listed is None else listed.named_children:
        if each.type in {"comment", "decorator", "ERROR"}:
            continue
        name = each.child_by_field_name("pattern") or each.child_by_field_name("left") or each
        if name.type != "this":
            yield name, each.child_by_field_name("type")


def read_returned(captures: Captures, text: SourceText) -> Iterator[FoundBinding]:
    """Read what functions with a name return."""
    for node in captures.get("return", ()):
        if _is_of_named(node.parent):
            yield from _returned(node, text)
    for node in captures.get("given", ()):
        function = node.parent
        if node.type != "statement_block" and function is not None and _has_name(function):
            yield from _returned(node, text)


def _returned(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    at = node.start_byte
    for each in alternatives(node, text):
        while each.type == "parenthesized_expression" and each.named_child_count == 1:
            each = each.named_children[0]  # noqa: PLW2901
        if each.type == "object":
            yield FoundBinding(at, "return", _OBJECT, "value")
            yield from _properties(each, text)
            continue
        chain = read_chain(each, text, RULES)
        if not chain.startswith(UNKNOWN) and each.type not in RULES.literals:
            yield FoundBinding(at, "return", chain, "value")


def _properties(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read `{a, b: c.d}`; functions in it are definitions."""
    for each in node.named_children:
        if each.type == "shorthand_property_identifier":
            name = chain = text.of(each)
        elif each.type == "pair":
            key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
            if key is None or value is None or value.type in _ANONYMOUS:
                continue
            name, chain = text.of(key), read_chain(value, text, RULES)
        else:
            continue
        if not chain.startswith(UNKNOWN):
            yield FoundBinding(each.start_byte, f"{_OBJECT}.{name}", chain, "value")


def _is_of_named(node: Node | None) -> bool:
    """Tell whether the innermost function around a statement has a name."""
    for _ in range(_DEEPEST):
        if node is None:
            return False
        if node.type in _NAMED:
            return True
        if node.type in _ANONYMOUS:
            return _has_name(node)
        node = node.parent
    return False


def _has_name(function: Node) -> bool:
    return function.parent is not None and function.parent.type in _NAMING
