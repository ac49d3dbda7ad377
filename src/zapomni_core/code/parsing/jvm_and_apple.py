"""Kotlin, Scala, Groovy and Swift."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import THIS, Kind
from zapomni_core.code.parsing.chains import ChainRules
from zapomni_core.code.parsing.declared import (
    declared_in_kotlin,
    declared_in_scala,
    declared_in_swift,
)
from zapomni_core.code.parsing.import_lines import (
    read_kotlin_import,
    read_module,
    read_scala_import,
)
from zapomni_core.code.parsing.reading import Captures, Reading
from zapomni_core.code.parsing.tables import (
    Named,
    Table,
    bases_in,
    name_field,
    name_in,
    name_of,
    reader_of,
)
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = ["read_groovy", "read_kotlin", "read_scala", "read_swift"]


def _is_not_private(node: Node, _named: Named, text: SourceText) -> bool:
    first = child_at(node, 0)
    return first is None or first.type != "modifiers" or "private" not in text.of(first).split()


def _kotlin_name(node: Node, text: SourceText) -> Named | None:
    named = name_in("identifier")(node, text)
    if named is None and node.type == "companion_object":
        return Named("Companion", node.start_byte)
    return named


def _kotlin_kind(node: Node, kind: Kind) -> Kind:
    words = {child.type for child in node.children[:3]}
    if "interface" in words:
        return "interface"
    return kind


_KOTLIN_RULES: Final = ChainRules(
    names=frozenset({"identifier", "this_expression", "super_expression"}),
    members={"navigation_expression": ("", "-1")},
    calls={"call_expression": ""},
    subscripts={"indexing_expression": "", "index_expression": ""},
    wrappers={
        "constructor_invocation": "",
        "delegation_specifier": "",
        "parenthesized_expression": "",
        "unary_expression": "argument",
        "user_type": "",
    },
    literals={"string_literal": "String()"},
)
_read_plain_kotlin: Final = reader_of(
    Table(
        rules=_KOTLIN_RULES,
        kind=_kotlin_kind,
        name=_kotlin_name,
        bases=bases_in("delegation_specifiers"),
        imports=read_kotlin_import,
        bindings=declared_in_kotlin(_KOTLIN_RULES),
        is_exported=_is_not_private,
    )
)


def read_kotlin(captures: Captures, text: SourceText) -> Reading:
    """Read a Kotlin file; what a function extends is the type of its `this`."""
    reading = _read_plain_kotlin(captures, text)
    extended: dict[int, str] = {}
    for node in captures.get("def.function", ()):
        name = node.child_by_field_name("name")
        at = node.start_byte if name is None else name.start_byte
        front = [e for e in node.named_children if e.end_byte < at and e.type.endswith("_type")]
        if front and text.data[front[-1].end_byte : at].strip() == b".":
            extended[at] = collapse(text.of(front[-1])).rstrip("?")
    reading.drafts = [
        each._replace(parameters=((THIS, extended[each.at]),)) if each.at in extended else each
        for each in reading.drafts
    ]
    return reading


def _companion(node: Node, _text: SourceText) -> tuple[str, ...]:
    return ("object",) if node.type == "object_definition" else ()


_SCALA_RULES: Final = ChainRules(
    names=frozenset({"identifier", "type_identifier", "operator_identifier"}),
    members={
        "field_expression": ("value", "field"),
        "stable_identifier": ("", "-1"),
        "stable_type_identifier": ("", "-1"),
    },
    calls={"call_expression": "function", "instance_expression": ""},
    wrappers={
        "generic_function": "function",
        "generic_type": "type",
        "parenthesized_expression": "",
    },
    literals={"string": "String()"},
)

read_scala: Final = reader_of(
    Table(
        rules=_SCALA_RULES,
        bindings=declared_in_scala(_SCALA_RULES),
        bases=bases_in("extends_clause"),
        decorators=_companion,
        has_overloads=True,
        result_fields=("return_type",),
        imports=read_scala_import,
        is_exported=_is_not_private,
    )
)


def _groovy_name(node: Node, text: SourceText) -> Named | None:
    function = node.child_by_field_name("function")
    return name_field(node, text) if function is None else name_of(function, text)


read_groovy: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"identifier", "dotted_identifier", "qualified_name"}),
            members={},
            calls={"function_call": "function"},
        ),
        name=_groovy_name,
        imports=read_kotlin_import,
    )
)

_SWIFT_FUNCTIONS: Final = frozenset({"function_declaration", "protocol_function_declaration"})
_LONGEST_TYPE: Final = 200
_SWIFT_KINDS: Final[dict[str, Kind]] = {"struct": "struct", "enum": "enum"}


def _swift_kind(node: Node, kind: Kind) -> Kind:
    declared = node.child_by_field_name("declaration_kind")
    return kind if declared is None else _SWIFT_KINDS.get(declared.type, kind)


def _extension(node: Node, _text: SourceText) -> tuple[str, ...]:
    declared = node.child_by_field_name("declaration_kind")
    return ("extension",) if declared is not None and declared.type == "extension" else ()


def _swift_result(node: Node, text: SourceText) -> str:
    # The type that a function returns goes by the field of the name, too.
    named = node.children_by_field_name("name") if node.type in _SWIFT_FUNCTIONS else []
    if len(named) < 2 or named[1].end_byte - named[1].start_byte > _LONGEST_TYPE:
        return ""
    return collapse(text.of(named[1])).removeprefix("some ").removeprefix("any ").strip("!?")


_SWIFT_RULES: Final = ChainRules(
    names=frozenset(
        {"simple_identifier", "type_identifier", "self_expression", "super_expression"}
    ),
    members={"navigation_expression": ("target", "suffix")},
    calls={"call_expression": ""},
    wrappers={
        "await_expression": "",
        "inheritance_specifier": "inherits_from",
        "postfix_expression": "target",
        "prefix_expression": "target",
        "try_expression": "-1",
        "tuple_expression": "",
        "user_type": "",
    },
    literals={"line_string_literal": "String()"},
    implied=b".",
)

read_swift: Final = reader_of(
    Table(
        rules=_SWIFT_RULES,
        bindings=declared_in_swift(_SWIFT_RULES),
        kind=_swift_kind,
        result=_swift_result,
        decorators=_extension,
        bases=bases_in("inheritance_specifier"),
        imports=read_module,
        is_exported=_is_not_private,
    )
)
