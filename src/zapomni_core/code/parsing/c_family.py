"""C, C++, Objective-C and C#."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import PARTIAL, Kind
from zapomni_core.code.parsing.chains import ChainRules, read_chain
from zapomni_core.code.parsing.declared import declared_in_cpp, declared_in_csharp
from zapomni_core.code.parsing.import_lines import read_csharp_using, read_include
from zapomni_core.code.parsing.reading import Captures, Draft, FoundCall, Reading
from zapomni_core.code.parsing.recovery import lost_in_c, lost_in_objc, recovering
from zapomni_core.code.parsing.tables import (
    ARGUMENTS,
    Named,
    Table,
    bases_in,
    name_field,
    name_of,
    reader_of,
)
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["read_c", "read_cpp", "read_csharp", "read_objc"]

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
_MADE_TYPES: Final = frozenset({"qualified_identifier", "template_type", "type_identifier"})
_DEPTH: Final = 20


def _c_name(node: Node, text: SourceText) -> Named | None:
    """Go down from a declarator to the name: `static Foo *(*f(int a))[3]` is called f."""
    named = node.child_by_field_name("name")
    if named is not None:
        return name_of(named, text)
    declarator = node.child_by_field_name("declarator")
    return None if declarator is None else _declared_name(declarator, text)


def _declared_name(given: Node, text: SourceText) -> Named | None:
    declarator = given
    for _ in range(_DEPTH):
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
        declarator = _behind_macro(declarator) or inside
    return None


def _behind_macro(declarator: Node) -> Node | None:
    """See the name in `LUA_API T f(int a)`, where the grammar takes T for it and gives up f."""
    if declarator.type != "function_declarator" or not declarator.has_error:
        return None
    given_up = child_at(declarator, 1)
    if given_up is None or not given_up.is_error or given_up.named_child_count != 1:
        return None
    name = child_at(given_up, 0)
    return name if name is not None and name.type == "identifier" else None


def _with_operator(declarator: Node, text: SourceText) -> Named | None:
    written = text.of(declarator)
    front, operator, symbol = written.rpartition("operator")
    if operator and not symbol[:1].isalnum() and symbol[:1] != "_":
        owner = ARGUMENTS.sub("", front).strip().removesuffix("::").replace("::", ".")
        return Named("operator" + "".join(symbol.split()), declarator.start_byte, owner)
    # `typedef VOID (CALLBACK *P)(int a)` loses its name where CALLBACK is a macro.
    return None if declarator.has_error else name_of(declarator, text)


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


def _made_by_declarations(
    captures: Captures, text: SourceText
) -> Iterator[tuple[Node, FoundCall]]:
    """Read `Token a(1);` and `Token a{1};`, which call the constructor of their type."""
    for node in captures.get("made", ()):
        declaration = node.parent if node.type.endswith("_declarator") else node
        typed = None if declaration is None else declaration.child_by_field_name("type")
        if typed is None or typed.type not in _MADE_TYPES or _declares_function(node):
            continue
        receiver, _, name = read_chain(typed, text, _C_RULES).rpartition(".")
        # What the library makes would be taken for own methods of such names.
        if name.strip("?") and receiver.partition(".")[0] != "std":
            yield node, (node.start_byte, name, receiver)


def _declares_function(node: Node) -> bool:
    """Tell whether `Token a(b, int c)` names a type among what it is given."""
    given = node.child_by_field_name("parameters")
    return given is not None and any(
        each.named_child_count != 1 or each.named_children[0].type != "type_identifier"
        for each in given.named_children
    )


_read_one_each: Final = reader_of(
    Table(
        rules=_C_RULES,
        name=_c_name,
        kind=_c_kind,
        bases=bases_in("base_class_clause"),
        result_fields=("type",),
        imports=read_include,
        bindings=declared_in_cpp(_C_RULES),
        is_exported=_c_is_exported,
        has_overloads=True,
        more_calls=_made_by_declarations,
    )
)


def read_cpp(captures: Captures, text: SourceText) -> Reading:
    """Read C or C++ that a grammar can parse."""
    reading = _read_one_each(captures, text)
    reading.drafts = list(_with_other_types(reading.drafts, captures, text))
    return reading


def _with_other_types(
    drafts: list[Draft], captures: Captures, text: SourceText
) -> Iterator[Draft]:
    """Add `B` of `typedef struct {...} A, *B;`, beside A and not in it."""
    others = {
        node.start_byte: declarators[1:]
        for node in captures.get("def.type", ())
        if len(declarators := node.children_by_field_name("declarator")) > 1
    }
    for draft in drafts:
        more = others.get(draft.start, []) if draft.kind == "type" else []
        beside = draft._replace(inner=draft.end) if more else draft
        yield beside
        for declarator in more:
            named = _declared_name(declarator, text)
            if named is not None:
                yield beside._replace(name=named.name, at=named.at)


read_c: Final = recovering(read_cpp, lost_in_c)


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


_read_first_words: Final = reader_of(
    Table(rules=_C_RULES, name=_objc_name, result_fields=("type",), imports=read_include)
)


def _read_messages(captures: Captures, text: SourceText) -> Reading:
    """Read Objective-C; `[a send:b to:c]` is a call of `send:to:`."""
    reading = _read_first_words(captures, text)
    whole = {}
    for node in captures.get("call", ()):
        words = node.children_by_field_name("method")
        if words and any(child.type == ":" for child in node.children):
            whole[words[0].start_byte] = "".join(f"{text.of(word)}:" for word in words)
    reading.calls = [(at, whole.get(at, name), receiver) for at, name, receiver in reading.calls]
    return reading


read_objc: Final = recovering(_read_messages, lost_in_objc)

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
        "postfix_unary_expression": "",
        "primary_constructor_base_type": "type",
    },
    literals={"string_literal": "string()"},
)


def _csharp_name(node: Node, text: SourceText) -> Named | None:
    operator = node.child_by_field_name("operator")
    if operator is not None and node.type == "operator_declaration":
        return Named(f"operator{text.of(operator)}", operator.start_byte)
    named = name_field(node, text)
    if named is not None and node.type == "destructor_declaration":
        return named._replace(name=f"~{named.name}")
    return named


def _has_modifier(node: Node, word: str, text: SourceText) -> bool:
    return any(
        child.type == "modifier" and text.of(child) == word for child in node.named_children
    )


def _csharp_is_exported(node: Node, _named: Named, text: SourceText) -> bool:
    return not _has_modifier(node, "private", text)


def _partial(node: Node, text: SourceText) -> tuple[str, ...]:
    return (PARTIAL,) if _has_modifier(node, PARTIAL, text) else ()


_read_csharp_blocks: Final = reader_of(
    Table(
        rules=_CSHARP_RULES,
        name=_csharp_name,
        bases=bases_in("base_list"),
        result_fields=("returns", "type"),
        imports=read_csharp_using,
        bindings=declared_in_csharp(_CSHARP_RULES),
        is_exported=_csharp_is_exported,
        decorators=_partial,
        has_overloads=True,
    )
)


def read_csharp(captures: Captures, text: SourceText) -> Reading:
    """Read C#; `namespace A;` holds all that follows in the file."""
    reading = _read_csharp_blocks(captures, text)
    open_ended = {
        node.start_byte
        for node in captures.get("def.module", ())
        if node.type == "file_scoped_namespace_declaration"
    }
    reading.drafts = [
        draft._replace(end=len(text.data)) if draft.start in open_ended else draft
        for draft in reading.drafts
    ]
    return reading
