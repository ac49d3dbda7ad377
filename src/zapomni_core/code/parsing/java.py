"""What stands in a Java file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import Import
from zapomni_core.code.parsing.blocks import handed_to, inside_of
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
    return [
        binding
        for name, read in _READERS.items()
        for node in captures.get(name, ())
        for binding in read(node, text)
    ]


def _declared(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    for declarator in node.children_by_field_name("declarator"):
        yield from _typed(node, declarator, text)


def _alone(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    yield from _typed(node, node, text)


def _caught(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    name, types = node.child_by_field_name("name"), _first_of(node, "catch_type")
    if name is not None and types is not None:
        for each in types.named_children:
            yield FoundBinding(name.start_byte, text.of(name), text.of(each), "type")


def _bounded(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    name, bounds = node.named_children[-2:]
    for each in bounds.named_children:
        yield FoundBinding(name.start_byte, text.of(name), collapse(text.of(each)), "type")


def _constant(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    name, kind = node.child_by_field_name("name"), _enum_around(node)
    if name is not None and kind is not None:
        yield FoundBinding(node.start_byte, text.of(name), text.of(kind), "type")


def _assigned(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None:
        yield from _valued(left, right, "value", text)


def _handed(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read the parameters of a lambda: what they are is up to the method that it is handed to."""
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return
    end = node.end_byte
    parameters = [listed] if listed.type == "identifier" else listed.named_children
    taker = _taker(node, text)
    for place, each in enumerate(parameters):
        name, typed = each.child_by_field_name("name") or each, each.child_by_field_name("type")
        at = inside_of(node, name.start_byte, text)
        if typed is not None and text.of(typed) != "var":
            yield FoundBinding(at, text.of(name), collapse(text.of(typed)), "type", end)
        elif taker and name.type == "identifier":
            yield FoundBinding(at, text.of(name), f"{taker},{place}}}", "value", end)


def _taker(node: Node, text: SourceText) -> str:
    """Write what a lambda is handed to, and at which place."""
    found = handed_to(node)
    if found is None or found[0].type != "method_invocation":
        return ""
    # The chain of a call without the parentheses of the call.
    chain = read_chain(found[0], text, _RULES).removesuffix("()")
    return "" if chain.startswith(UNKNOWN) else f"{chain}{{{found[1]}"


def _enum_around(constant: Node) -> Node | None:
    around = constant.parent.parent if constant.parent is not None else None
    return None if around is None else around.child_by_field_name("name")


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


_READERS: Final[Mapping[str, Callable[[Node, SourceText], Iterator[FoundBinding]]]] = {
    "var": _declared,
    "each": _alone,
    "pattern": _alone,
    "caught": _caught,
    "bounded": _bounded,
    "constant": _constant,
    "lambda": _handed,
    "bind": _assigned,
}


def _more_calls(captures: Captures, text: SourceText) -> Iterator[tuple[Node, FoundCall]]:
    """Read `this(x)` and `super(x)`, constants of enums that are given something, and `A::f`."""
    for node in captures.get("constructing", ()):
        yield node, (node.start_byte, text.of(node), "")
    for node in captures.get("constant", ()):
        named = _enum_around(node)
        if named is not None and node.child_by_field_name("arguments") is not None:
            yield node, (node.start_byte, text.of(named), "")
    for node in captures.get("reference", ()):
        yield from _reference(node, text)


def _reference(node: Node, text: SourceText) -> Iterator[tuple[Node, FoundCall]]:
    front, last = node.children[0], node.children[-1]
    receiver = read_chain(front, text, _RULES)
    if last.type != "new":
        yield node, (last.start_byte, text.of(last), receiver)
    elif not receiver.startswith(UNKNOWN):
        owner, _, name = receiver.rpartition(".")
        yield node, (front.start_byte, name, owner)


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
