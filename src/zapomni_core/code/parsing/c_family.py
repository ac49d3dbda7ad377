"""C, C++, Objective-C and C#."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import Kind
from zapomni_core.code.parsing.chains import ChainRules
from zapomni_core.code.parsing.import_lines import read_csharp_using, read_include
from zapomni_core.code.parsing.tables import (
    Named,
    Table,
    bases_in,
    name_field,
    name_of,
    reader_of,
)
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["read_c", "read_csharp", "read_objc"]

_NAMES: Final = frozenset(
    {
        "identifier",
        "field_identifier",
        "namespace_identifier",
        "primitive_type",
        "this",
        "type_identifier",
    }
)
_C_RULES: Final = ChainRules(
    names=_NAMES,
    members={
        "field_expression": ("argument", "field"),
        "qualified_identifier": ("scope", "name"),
    },
    calls={"call_expression": "function", "new_expression": "type"},
    method_calls={"message_expression": ("receiver", "method")},
    subscripts={"subscript_expression": "argument"},
    wrappers={
        "dependent_name": "",
        "parenthesized_expression": "",
        "pointer_expression": "argument",
        "template_function": "name",
        "template_method": "name",
        "template_type": "name",
        "type_descriptor": "type",
    },
)
_DEPTH: Final = 20


def _c_name(node: Node, text: SourceText) -> Named | None:
    """Go down from a declarator to the name: `static Foo *(*f(int a))[3]` is called f."""
    named = node.child_by_field_name("name")
    if named is not None:
        return name_of(named, text)
    declarator = node.child_by_field_name("declarator")
    for _ in range(_DEPTH):
        if declarator is None:
            break
        if declarator.type == "operator_cast":
            head = text.of(declarator).partition("(")[0]
            return Named(" ".join(head.split()), declarator.start_byte)
        inside = declarator.child_by_field_name("declarator")
        if inside is None and declarator.type in {
            "parenthesized_declarator",
            "reference_declarator",
            "attributed_declarator",
        }:
            inside = child_at(declarator, 0)
        if inside is None:
            return _with_operator(declarator, text)
        declarator = inside
    return None


def _with_operator(declarator: Node, text: SourceText) -> Named:
    written = text.of(declarator)
    front, operator, symbol = written.rpartition("operator")
    if operator and not symbol[:1].isalnum() and symbol[:1] != "_":
        owner = front.strip().removesuffix("::").replace("::", ".")
        return Named("operator" + "".join(symbol.split()), declarator.start_byte, owner)
    return name_of(declarator, text)


def _c_is_exported(node: Node, _named: Named, text: SourceText) -> bool:
    return not text.data.startswith(b"static ", node.start_byte)


def _c_kind(node: Node, kind: Kind) -> Kind:
    if kind != "function":
        return kind
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    inside = None if declarator is None else declarator.child_by_field_name("declarator")
    is_member = inside is not None and inside.type in {"qualified_identifier", "destructor_name"}
    return "method" if is_member else kind


read_c: Final = reader_of(
    Table(
        rules=_C_RULES,
        name=_c_name,
        kind=_c_kind,
        bases=bases_in("base_class_clause"),
        result_fields=("type",),
        imports=read_include,
        is_exported=_c_is_exported,
    )
)


def _objc_name(node: Node, text: SourceText) -> Named | None:
    if node.type not in {"method_definition", "method_declaration"}:
        first = child_at(node, 0)
        if node.type.startswith(("class_", "protocol_", "category_")):
            return None if first is None else name_of(first, text)
        return _c_name(node, text)
    parts = [child for child in node.named_children if child.type == "identifier"]
    if not parts:
        return None
    colon = ":" if any(child.type == "method_parameter" for child in node.named_children) else ""
    return Named(colon.join(text.of(part) for part in parts) + colon, parts[0].start_byte)


read_objc: Final = reader_of(
    Table(rules=_C_RULES, name=_objc_name, result_fields=("type",), imports=read_include)
)

_CSHARP_RULES: Final = ChainRules(
    names=frozenset({"identifier", "predefined_type", "this", "base"}),
    members={
        "member_access_expression": ("expression", "name"),
        "member_binding_expression": ("none", "name"),
        "conditional_access_expression": ("condition", "-1"),
        "qualified_name": ("qualifier", "name"),
        "alias_qualified_name": ("alias", "name"),
    },
    calls={"invocation_expression": "function", "object_creation_expression": "type"},
    subscripts={"element_access_expression": "expression"},
    wrappers={
        "await_expression": "",
        "generic_name": "",
        "parenthesized_expression": "",
        "primary_constructor_base_type": "type",
    },
    literals={"string_literal": "string()"},
)


def _csharp_name(node: Node, text: SourceText) -> Named | None:
    named = name_field(node, text)
    if named is not None and node.type == "destructor_declaration":
        return named._replace(name=f"~{named.name}")
    return named


def _csharp_is_exported(node: Node, _named: Named, text: SourceText) -> bool:
    return not any(
        child.type == "modifier" and text.of(child) == "private" for child in node.named_children
    )


read_csharp: Final = reader_of(
    Table(
        rules=_CSHARP_RULES,
        name=_csharp_name,
        bases=bases_in("base_list"),
        result_fields=("returns", "type"),
        imports=read_csharp_using,
        is_exported=_csharp_is_exported,
    )
)
