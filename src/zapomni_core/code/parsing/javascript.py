"""What stands in a JavaScript or TypeScript file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import ELEMENT, OF_OBJECT, STATIC, Kind
from zapomni_core.code.parsing.chains import read_chain
from zapomni_core.code.parsing.javascript_bindings import RULES, read_bindings
from zapomni_core.code.parsing.javascript_comments import (
    documented_parameters,
    documented_result,
)
from zapomni_core.code.parsing.javascript_functions import (
    read_handed,
    read_returned,
    read_unpacked,
)
from zapomni_core.code.parsing.javascript_imports import read_exports, read_imports
from zapomni_core.code.parsing.javascript_types import bases_of, parameters_of, written_type
from zapomni_core.code.parsing.reading import (
    Captures,
    Draft,
    FoundBinding,
    FoundCall,
    Reading,
    Region,
)
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["read_javascript"]

# What is handed an object and gives it back.
_GIVING_BACK: Final = frozenset({"Object.freeze", "Object.seal"})
# How a parameter is called that is unpacked at once.
_UNPACKED: Final = frozenset({"{}", "[]"})
_KINDS: Final[tuple[Kind, ...]] = (
    "function", "class", "method", "interface", "type", "enum", "module",
)  # fmt: skip
_IN_FRONT: Final = re.compile(
    rb"(?:\b(?:export|default|declare|const|let|var|abstract|async)[ \t]+)+\Z"
)
_LONGEST_FRONT: Final = 60
_LONGEST_TYPE: Final = 300
_BLANK: Final = re.compile(rb"\s*")
# What is written in front of a name without saying whose it is.
_NOT_OWNERS: Final = frozenset({"this", "exports", "module", "self", "window", "globalThis"})


@dataclass(frozen=True, slots=True)
class _Decorators:
    """Decorators by where they start, and by where what they decorate goes on."""

    by_start: dict[int, tuple[Node, int]]
    by_next: dict[int, Node]

    def behind(self, position: int) -> int:
        while position in self.by_start:
            position = self.by_start[position][1]
        return position

    def in_front(self, position: int) -> list[Node]:
        found = []
        while (node := self.by_next.get(position)) is not None:
            found.append(node)
            position = node.start_byte
        return found[::-1]


def read_javascript(captures: Captures, text: SourceText) -> Reading:
    """Read a JavaScript or TypeScript file."""
    reading = Reading(tells_methods=True)
    decorators = _decorators(captures, text)
    exports = read_exports(captures, text)
    names = frozenset(each.name for _, each in exports)
    unpacked: list[FoundBinding] = []
    for kind in _KINDS:
        for node in captures.get(f"def.{kind}", ()):
            draft = _draft(node, kind, decorators, names, text)
            if draft is not None:
                reading.drafts.append(draft)
            if draft is not None and any(name in _UNPACKED for name, _ in draft.parameters):
                unpacked += read_unpacked(_value(node), text)
    for node in captures.get("object", ()):
        named, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        function = None if value is None else value.child_by_field_name("function")
        if named is not None and (function is None or text.of(function) in _GIVING_BACK):
            reading.regions.append(
                Region(text.of(named), node.start_byte, node.end_byte, holds_methods=False)
            )
    reading.calls = [_call(node, text) for node in captures.get("call", ())]
    reading.imports = read_imports(captures, text) + exports
    reading.bindings = read_bindings(captures, text)
    reading.bindings += [*read_handed(captures, text), *read_returned(captures, text), *unpacked]
    for node in captures.get("element", ()):
        chain = read_chain(node, text, RULES)
        # Names in small letters are tags of HTML.
        if "." in chain or not chain[:1].islower():
            reading.bindings.append(FoundBinding(node.start_byte, ELEMENT, chain, "value"))
    return reading


def _decorators(captures: Captures, text: SourceText) -> _Decorators:
    found = _Decorators({}, {})
    for node in captures.get("decorator", ()):
        blank = _BLANK.match(text.data, node.end_byte)
        following = node.end_byte if blank is None else blank.end()
        found.by_start[node.start_byte] = (node, following)
        found.by_next[following] = node
    return found


def _call(node: Node, text: SourceText) -> FoundCall:
    receiver, _, name = read_chain(node, text, RULES).rpartition(".")
    return (node.end_byte - len(name.encode()), name, receiver)


def _draft(
    node: Node, kind: Kind, decorators: _Decorators, exports: frozenset[str], text: SourceText
) -> Draft | None:
    owner, name = _names(node, text)
    if not name:
        return None
    value = _value(node)
    at = decorators.behind(node.start_byte)
    front = _IN_FRONT.search(text.data, max(0, at - _LONGEST_FRONT), at)
    start = at if front is None else front.start()
    decorating = decorators.in_front(start) or decorators.in_front(at)
    start = min([start, *(each.start_byte for each in decorating)])
    body = value.child_by_field_name("body")
    signature = text.signature(start if front else at, body.start_byte if body else node.end_byte)
    doc = text.comment_above(start)
    parameters = parameters_of(value, text) if kind in {"function", "method"} else ()
    return Draft(
        name=name,
        kind=kind,
        at=at,
        start=start,
        end=node.end_byte,
        inner=at,
        owner=owner,
        signature=signature,
        doc=doc,
        bases=bases_of(value, text) if kind in {"class", "interface"} else (),
        parameters=documented_parameters(parameters, doc),
        returns=_said(value, text) or documented_result(doc),
        decorators=(*(_decorator(each, text) for each in decorating), *_place(node, kind)),
        exported=_is_exported(node, name, kind, front, exports, text),
    )


def _said(node: Node, text: SourceText) -> str:
    """Read what a function says that it returns, and what a type stands for."""
    if node.type != "type_alias_declaration":
        return written_type(node.child_by_field_name("return_type"), text)
    written = written_type(node.child_by_field_name("value"), text)
    return written if len(written) <= _LONGEST_TYPE else ""


def _place(node: Node, kind: Kind) -> tuple[str, ...]:
    """Tell a function of a class itself and one of an object from those that are in scope."""
    if node.type == "pair":
        return (OF_OBJECT,)
    if kind != "method":
        return ()
    if node.parent is not None and node.parent.type == "object":
        return (OF_OBJECT,)
    return (STATIC,) if any(each.type == STATIC for each in node.children[:4]) else ()


def _decorator(node: Node, text: SourceText) -> str:
    expression = child_at(node, 0)
    return "" if expression is None else read_chain(expression, text, RULES)


def _value(node: Node) -> Node:
    if node.type in _HOLDERS:
        return node.child_by_field_name(_HOLDERS[node.type]) or node
    return node


_HOLDERS: Final = {
    "variable_declarator": "value",
    "assignment_expression": "right",
    "pair": "value",
    "public_field_definition": "value",
    "field_definition": "value",
    "export_statement": "value",
}


def _names(node: Node, text: SourceText) -> tuple[str, str]:
    """Tell what is written in front of the name of a definition, and the name."""
    if node.type == "assignment_expression":
        left = node.child_by_field_name("left")
        return ("", "") if left is None else _assigned_names(node, left, text)
    if node.type == "export_statement":
        named = _value(node).child_by_field_name("name")
        return "", "default" if named is None else text.of(named)
    named = (
        node.child_by_field_name("name")
        or node.child_by_field_name("key")
        or node.child_by_field_name("property")
    )
    return "", "" if named is None else text.of(named).strip("'\"`")


def _assigned_names(node: Node, left: Node, text: SourceText) -> tuple[str, str]:
    front, _, name = read_chain(left, text, RULES).rpartition(".")
    if front == "module" and name == "exports":
        named = _value(node).child_by_field_name("name")
        return "", "exports" if named is None else text.of(named)
    links = [link for link in front.split(".") if link not in {"prototype", "exports"}]
    if not all(link.isidentifier() for link in links) or (links and links[0] in _NOT_OWNERS):
        links = []
    return ".".join(links), name


def _is_exported(
    node: Node,
    name: str,
    kind: Kind,
    front: re.Match[bytes] | None,
    exports: frozenset[str],
    text: SourceText,
) -> bool:
    if kind == "method" or node.type in {"pair", "method_signature"}:
        head = text.data[node.start_byte : node.start_byte + 10]
        return not name.startswith("#") and not head.startswith((b"private ", b"protected "))
    if node.type in {"assignment_expression", "export_statement"}:
        return True
    return (front is not None and b"export" in front.group()) or name in exports
