"""What stands in a Java file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import Import
from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.reading import Captures, FoundBinding, FoundCall
from zapomni_core.code.parsing.tables import Named, Table, bases_in, reader_of
from zapomni_core.code.parsing.text import SourceText, collapse

__all__ = ["read_java"]

_RULES: Final = ChainRules(
    names=frozenset({"identifier", "type_identifier", "scoped_type_identifier", "this", "super"}),
    members={
        "field_access": ("object", "field"),
        "scoped_identifier": ("scope", "name"),
    },
    method_calls={"method_invocation": ("object", "name")},
    calls={"cast_expression": "type", "object_creation_expression": "type"},
    subscripts={"array_access": "array"},
    wrappers={
        "annotated_type": "",
        "generic_type": "",
        "parenthesized_expression": "",
    },
    literals={"class_literal": "Class()", "string_literal": "String()"},
)
_IMPORT: Final = re.compile(r"import\s+(static\s+)?([\w.\s]+?)\s*(\.\s*\*)?\s*;")


def _imports(node: Node, text: SourceText) -> Iterator[Import]:
    matched = _IMPORT.fullmatch(text.of(node))
    if matched is None:
        return
    path = "".join(matched.group(2).split())
    if matched.group(3):
        yield Import(path, "*", "", 0)
        return
    module, _, name = path.rpartition(".")
    yield Import(module, name, name, 0)


def _bindings(captures: Captures, text: SourceText) -> list[FoundBinding]:
    bindings: list[FoundBinding] = []
    for node in captures.get("var", ()):
        for declarator in node.children_by_field_name("declarator"):
            bindings.extend(_typed(node, declarator, text))
    for node in [*captures.get("each", ()), *captures.get("pattern", ())]:
        bindings.extend(_typed(node, node, text))
    for node in captures.get("caught", ()):
        name, types = node.child_by_field_name("name"), _first_of(node, "catch_type")
        if name is not None and types is not None:
            bindings.extend(
                FoundBinding(name.start_byte, text.of(name), text.of(each), "type")
                for each in types.named_children
            )
    for node in captures.get("bounded", ()):
        name, bounds = node.named_children[-2:]
        bindings.extend(
            FoundBinding(name.start_byte, text.of(name), collapse(text.of(each)), "type")
            for each in bounds.named_children
        )
    for node in captures.get("bind", ()):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            bindings.extend(_valued(left, right, "value", text))
    return bindings


def _typed(node: Node, declarator: Node, text: SourceText) -> Iterator[FoundBinding]:
    name = declarator.child_by_field_name("name")
    typed = node.child_by_field_name("type") or node.child_by_field_name("right")
    if name is None or typed is None:
        return
    written = collapse(text.of(typed))
    if written != "var":
        yield FoundBinding(name.start_byte, text.of(name), written, "type")
        return
    value = declarator.child_by_field_name("value")
    if value is not None:
        is_loop = node.type == "enhanced_for_statement"
        yield from _valued(name, value, "item" if is_loop else "value", text)


def _valued(target: Node, value: Node, how: str, text: SourceText) -> Iterator[FoundBinding]:
    chain = read_chain(value, text, _RULES)
    if not chain.startswith(UNKNOWN):
        found = FoundBinding(target.start_byte, text.of(target), chain, "value")
        yield found._replace(how="item") if how == "item" else found


def _more_calls(captures: Captures, text: SourceText) -> Iterator[tuple[Node, FoundCall]]:
    """Read `this(x)` and `super(x)`, constants of enums that are given something, and `A::f`."""
    for node in captures.get("constructing", ()):
        yield node, FoundCall(node.start_byte, text.of(node), "")
    for node in captures.get("constant", ()):
        around = node.parent.parent if node.parent is not None else None
        named = None if around is None else around.child_by_field_name("name")
        if named is not None:
            yield node, FoundCall(node.start_byte, text.of(named), "")
    for node in captures.get("reference", ()):
        yield from _reference(node, text)


def _reference(node: Node, text: SourceText) -> Iterator[tuple[Node, FoundCall]]:
    front, last = node.children[0], node.children[-1]
    receiver = read_chain(front, text, _RULES)
    if last.type != "new":
        yield node, FoundCall(last.start_byte, text.of(last), receiver)
    elif not receiver.startswith(UNKNOWN):
        owner, _, name = receiver.rpartition(".")
        yield node, FoundCall(front.start_byte, name, owner)


def _first_of(node: Node, kind: str) -> Node | None:
    return next((child for child in node.named_children if child.type == kind), None)


def _decorators(node: Node, text: SourceText) -> tuple[str, ...]:
    modifiers = _first_of(node, "modifiers")
    if modifiers is None:
        return ()
    return tuple(
        text.of(name) + ("()" if child.type == "annotation" else "")
        for child in modifiers.named_children
        if (name := child.child_by_field_name("name")) is not None
    )


def _is_exported(node: Node, _named: Named, text: SourceText) -> bool:
    modifiers = _first_of(node, "modifiers")
    return modifiers is None or "private" not in text.of(modifiers).split()


read_java: Final = reader_of(
    Table(
        rules=_RULES,
        bases=bases_in("superclass", "super_interfaces", "extends_interfaces", "type_list"),
        result_fields=("type",),
        imports=_imports,
        bindings=_bindings,
        is_exported=_is_exported,
        decorators=_decorators,
        has_overloads=True,
        more_calls=_more_calls,
    )
)
