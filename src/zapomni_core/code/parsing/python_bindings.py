"""What names hold in Python: annotations, assignments, loops and `with`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.reading import Captures, FoundBinding
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = ["RULES", "annotation", "read_bindings"]

RULES: Final = ChainRules(
    names=frozenset({"identifier"}),
    members={"attribute": ("object", "attribute")},
    calls={"call": "function"},
    subscripts={"subscript": "value"},
    wrappers={"parenthesized_expression": "", "await": "", "assignment": "right"},
    literals={
        "concatenated_string": "str()",
        "dictionary": "dict()",
        "dictionary_comprehension": "dict()",
        "float": "float()",
        "integer": "int()",
        "list": "list()",
        "list_comprehension": "list()",
        "set": "set()",
        "set_comprehension": "set()",
        "string": "str()",
        "tuple": "tuple()",
    },
)
_ALTERNATIVES: Final = 4


def annotation(node: Node, text: SourceText) -> str:
    """Read a type in one line, without the quotes of a forward reference."""
    return collapse(text.of(node).replace('"', "").replace("'", ""))


def read_bindings(captures: Captures, text: SourceText) -> list[FoundBinding]:
    """Read everything that gives a name a value."""
    bindings: list[FoundBinding] = []
    for node in captures.get("bind", ()):
        bindings.extend(_assigned(node, text))
    for node in captures.get("walrus", ()):
        bindings.extend(_valued(node.child_by_field_name("name"), node, "value", text))
    for node in captures.get("each", ()):
        bindings.extend(_looped(node, text))
    for node in captures.get("enter", ()):
        bindings.extend(_entered(node, text))
    for node in captures.get("caught", ()):
        bindings.extend(_caught(node, text))
    return bindings


def _assigned(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    target = node.child_by_field_name("left")
    if target is None:
        return
    if target.type == "pattern_list":
        yield from _unpacked(target, node.child_by_field_name("right"), text)
        return
    written = _target(target, text)
    if written is None:
        return
    typed = node.child_by_field_name("type")
    if typed is not None:
        yield FoundBinding(target.start_byte, written, annotation(typed, text), "type")
    else:
        yield from _valued(target, node, "right", text)


def _target(node: Node, text: SourceText) -> str | None:
    written = text.of(node)
    if node.type == "attribute" and not written.startswith(("self.", "cls.")):
        return None
    return written if written.count(".") <= 1 and len(written) < 200 else None


def _unpacked(targets: Node, values: Node | None, text: SourceText) -> Iterator[FoundBinding]:
    if values is None or values.type not in {"expression_list", "tuple"}:
        return
    if targets.named_child_count != values.named_child_count:
        return
    for target, value in zip(targets.named_children, values.named_children, strict=True):
        written = _target(target, text) if target.type in {"identifier", "attribute"} else None
        chain = read_chain(value, text, RULES)
        if written is not None and _says_something(chain):
            yield FoundBinding(target.start_byte, written, chain, "value")


def _valued(
    target: Node | None, node: Node, field: str, text: SourceText
) -> Iterator[FoundBinding]:
    value = node.child_by_field_name(field)
    if target is None or value is None:
        return
    written = text.of(target)
    for each in _alternatives(value):
        chain = read_chain(each, text, RULES)
        if _says_something(chain):
            yield FoundBinding(target.start_byte, written, chain, "value")


def _alternatives(value: Node) -> list[Node]:
    """Split `a or b` and `a if c else b`."""
    waiting: list[Node] = [value]
    found: list[Node] = []
    while waiting and len(found) < _ALTERNATIVES:
        node = waiting.pop(0)
        children = node.named_children if node.type in _CHOICES else []
        if len(children) >= 2:
            waiting[:0] = [children[0], children[-1]]
        else:
            found.append(node)
    return found


_CHOICES: Final = frozenset({"boolean_operator", "conditional_expression"})


def _says_something(chain: str) -> bool:
    return not chain.startswith(UNKNOWN) and chain != "None"


def _looped(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    target, items = node.child_by_field_name("left"), node.child_by_field_name("right")
    if target is None or items is None:
        return
    if target.type == "pattern_list":
        target, items = _numbered(target, items, text)
    if target is None or items is None or target.type != "identifier":
        return
    chain = read_chain(items, text, RULES)
    if _says_something(chain):
        yield FoundBinding(target.start_byte, text.of(target), chain, "item")


def _numbered(target: Node, items: Node, text: SourceText) -> tuple[Node | None, Node | None]:
    """See through `for i, x in enumerate(xs)`."""
    function, arguments = items.child_by_field_name("function"), None
    if function is not None and text.of(function) == "enumerate":
        arguments = items.child_by_field_name("arguments")
    if arguments is None or target.named_child_count != 2:
        return None, None
    return child_at(target, 1), child_at(arguments, 0)


def _entered(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    value, target = child_at(node, 0), node.child_by_field_name("alias")
    if value is None or target is None:
        return
    chain = read_chain(value, text, RULES)
    if _says_something(chain):
        yield FoundBinding(target.start_byte, text.of(target), chain, "enter")


def _caught(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    caught, target = child_at(node, 0), node.child_by_field_name("alias")
    if caught is None or target is None:
        return
    types = caught.named_children if caught.type == "tuple" else [caught]
    for each in types[:_ALTERNATIVES]:
        chain = read_chain(each, text, RULES)
        if _says_something(chain):
            yield FoundBinding(target.start_byte, text.of(target), chain, "type")
