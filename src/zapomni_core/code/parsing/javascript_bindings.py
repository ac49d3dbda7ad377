"""What names hold in JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.javascript_comments import documented_type
from zapomni_core.code.parsing.reading import Captures, FoundBinding
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = ["RULES", "alternatives", "read_bindings", "written_type"]

RULES: Final = ChainRules(
    names=frozenset(
        {
            "identifier",
            "property_identifier",
            "private_property_identifier",
            "super",
            "this",
            "type_identifier",
        }
    ),
    members={
        "member_expression": ("object", "property"),
        "nested_identifier": ("object", "property"),
        "nested_type_identifier": ("module", "name"),
    },
    calls={"call_expression": "function", "new_expression": "constructor"},
    subscripts={"subscript_expression": "object"},
    wrappers={
        "as_expression": "",
        "assignment_expression": "right",
        "await_expression": "",
        "generic_type": "name",
        "non_null_expression": "",
        "parenthesized_expression": "",
        "satisfies_expression": "",
    },
    casts=frozenset({"as_expression", "satisfies_expression"}),
    literals={
        "array": "Array()",
        "number": "Number()",
        "regex": "RegExp()",
        "string": "String()",
        "template_string": "String()",
    },
)
_CHOICES: Final = {
    "ternary_expression": ("consequence", "alternative"),
    "binary_expression": ("left", "right"),
}
_ALTERNATIVES: Final = 4
_TARGETS: Final = frozenset({"identifier", "shorthand_property_identifier_pattern"})
# Objects that stand in the arguments are read by themselves.
_NOTHING: Final = frozenset({"undefined", "null", "require()", "Object.freeze()", "Object.seal()"})


def written_type(node: Node | None, text: SourceText) -> str:
    """Read a type annotation in one line, without its colon."""
    return "" if node is None else collapse(text.of(node).removeprefix(":"))


def read_bindings(captures: Captures, text: SourceText) -> list[FoundBinding]:
    """Read everything that gives a name a value."""
    bindings: list[FoundBinding] = []
    has_documented = b"@type" in text.data
    for node in captures.get("bind", ()):
        documented = _documented(node, text) if has_documented else ""
        bindings.extend(_bound(node, documented, text))
    for node in captures.get("field", ()):
        bindings.extend(_field(node, text))
    for node in captures.get("promoted", ()):
        bindings.extend(_field(node, text))
    for node in captures.get("default", ()):
        chain = read_chain(node, text, RULES)
        if not chain.startswith(UNKNOWN):
            bindings.append(FoundBinding(node.start_byte, "default", chain, "value"))
    for node in captures.get("each", ()):
        bindings.extend(_looped(node, text))
    for node in captures.get("bounded", ()):
        bindings.extend(_bounded(node, text))
    for node in captures.get("unpacked", ()):
        bindings.extend(_unpacked(node, text))
    return bindings


def _bound(node: Node, documented: str, text: SourceText) -> Iterator[FoundBinding]:
    target = node.child_by_field_name("name") or node.child_by_field_name("left")
    typed = list(_typed(node, target, "", text))
    if typed:
        yield from typed
        return
    if target is not None and documented:
        yield FoundBinding(target.start_byte, text.of(target), documented, "type")
        return
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    yield from _valued(target, value, "", text)


def _field(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    fields = (node.child_by_field_name(field) for field in ("name", "property", "pattern"))
    target = next((each for each in fields if each is not None), None)
    typed = list(_typed(node, target, "this.", text))
    yield from typed or _valued(target, node.child_by_field_name("value"), "this.", text)


def _typed(
    node: Node, target: Node | None, prefix: str, text: SourceText
) -> Iterator[FoundBinding]:
    written = written_type(node.child_by_field_name("type"), text)
    if target is not None and written:
        yield FoundBinding(target.start_byte, prefix + text.of(target), written, "type")


def _documented(node: Node, text: SourceText) -> str:
    """Read `/** @type {T} */` above `x = y` and `this.x = y`."""
    around = node.parent if node.type == "variable_declarator" else node
    return documented_type(text.comment_above((around or node).start_byte))


def _valued(
    target: Node | None, value: Node | None, prefix: str, text: SourceText
) -> Iterator[FoundBinding]:
    if target is None or value is None:
        return
    for each in alternatives(value, text):
        # What satisfies a type stays what it is.
        own = child_at(each, 0) if each.type == "satisfies_expression" else each
        chain = UNKNOWN if own is None else read_chain(own, text, RULES)
        if not chain.startswith(UNKNOWN) and chain not in _NOTHING:
            yield FoundBinding(target.start_byte, prefix + text.of(target), chain, "value")


def alternatives(value: Node, text: SourceText) -> list[Node]:
    """Split `a || b`, `a ?? b` and `c ? a : b`."""
    waiting: list[Node] = [value]
    found: list[Node] = []
    while waiting and len(found) < _ALTERNATIVES:
        node = waiting.pop(0)
        fields = _CHOICES.get(node.type)
        operator = node.child_by_field_name("operator") if fields else None
        if fields is None or (operator is not None and text.of(operator) not in {"||", "??"}):
            found.append(node)
            continue
        sides = (node.child_by_field_name(field) for field in fields)
        waiting[:0] = [side for side in sides if side is not None]
    return found


def _bounded(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read what a type parameter must be."""
    name, bound = node.child_by_field_name("name"), node.child_by_field_name("constraint")
    if name is not None and bound is not None:
        written = collapse(text.of(bound).removeprefix("extends"))
        yield FoundBinding(name.start_byte, text.of(name), written, "type")


def _unpacked(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read `const {a, b: c} = f()` as `a = f().a` and `c = f().b`; `[a, b]` goes by places."""
    targets, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if targets is None or value is None:
        return
    chain = read_chain(value, text, RULES)
    if chain.startswith(UNKNOWN) or chain in _NOTHING:
        return
    for place, each in _placed(targets):
        key = each.child_by_field_name("key") or each
        target = each.child_by_field_name("value") or each
        if target.type in _TARGETS:
            step = f"[{place}]" if targets.type == "array_pattern" else f".{text.of(key)}"
            yield FoundBinding(target.start_byte, text.of(target), chain + step, "value")


def _placed(targets: Node) -> Iterator[tuple[int, Node]]:
    """Count the commas in front of each target: `[, b]` leaves a place out."""
    place = 0
    for each in targets.children:
        if each.type == ",":
            place += 1
        elif each.is_named:
            yield place, each


def _looped(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    target, items = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if target is None or items is None or operator is None or operator.type != "of":
        return
    chain = read_chain(items, text, RULES)
    if not chain.startswith(UNKNOWN):
        yield FoundBinding(target.start_byte, text.of(target), chain, "item")
