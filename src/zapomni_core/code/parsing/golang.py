"""What stands in a Go file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import Import, Kind
from zapomni_core.code.parsing.blocks import inside_of, with_ends
from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.reading import Captures, FoundBinding
from zapomni_core.code.parsing.tables import Named, Table, name_field, reader_of
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = ["read_go"]

_RULES: Final = ChainRules(
    names=frozenset({"identifier", "field_identifier", "type_identifier", "package_identifier"}),
    members={
        "selector_expression": ("operand", "field"),
        "qualified_type": ("package", "name"),
    },
    calls={
        "call_expression": "function",
        "composite_literal": "type",
        "type_assertion_expression": "type",
    },
    maker=b"new(",
    subscripts={"index_expression": "operand"},
    wrappers={
        "generic_type": "type",
        "parenthesized_expression": "",
        "parenthesized_type": "",
        "pointer_type": "",
        "slice_expression": "operand",
        "unary_expression": "operand",
    },
)
_MAKERS: Final = frozenset({"make", "new"})
_TYPED: Final = frozenset(
    {"composite_literal", "type_assertion_expression", "type_conversion_expression"}
)
# What a type of many others holds is bound to this.
_ITEM: Final = "[]"
_VERSION: Final = re.compile(r"(?<=.)/v(?:[2-9]|\d{2,})\Z|\.v\d+\Z")


def _name(node: Node, text: SourceText) -> Named | None:
    named = name_field(node, text)
    receiver = node.child_by_field_name("receiver")
    if named is None or receiver is None:
        return named
    declared = child_at(receiver, 0)
    typed = None if declared is None else declared.child_by_field_name("type")
    owner = "" if typed is None else read_chain(typed, text, _RULES)
    return named._replace(owner=owner.strip(UNKNOWN))


def _kind(node: Node, kind: Kind) -> Kind:
    typed = node.child_by_field_name("type") if kind == "type" else None
    kinds: dict[str, Kind] = {"struct_type": "struct", "interface_type": "interface"}
    return kind if typed is None else kinds.get(typed.type, kind)


def _bases(node: Node, text: SourceText, rules: ChainRules) -> tuple[str, ...]:
    """Read what a struct or an interface embeds, and what another name was given to."""
    typed = node.child_by_field_name("type")
    if typed is not None and node.type == "type_alias":
        chain = read_chain(typed, text, rules)
        return () if UNKNOWN in chain else (chain,)
    if typed is None or typed.type not in {"struct_type", "interface_type"}:
        return ()
    listed = child_at(typed, 0) if typed.type == "struct_type" else typed
    embedded = []
    for child in listed.named_children if listed is not None else ():
        if child.type == "type_elem" and child.named_child_count == 1:
            embedded.append(child_at(child, 0))
        elif child.type == "field_declaration" and child.child_by_field_name("name") is None:
            embedded.append(child.child_by_field_name("type"))
    chains = (read_chain(each, text, rules) for each in embedded if each is not None)
    return tuple(chain for chain in chains if UNKNOWN not in chain)


def _imports(node: Node, text: SourceText) -> Iterator[Import]:
    path, named = node.child_by_field_name("path"), node.child_by_field_name("name")
    if path is None:
        return
    module = text.of(path).strip('"`')
    alias = _package_of(module) if named is None else text.of(named)
    if alias == ".":
        yield Import(module, "*", "", 0)
    else:
        yield Import(module, "", "" if alias == "_" else alias, 0)


def _package_of(module: str) -> str:
    """Guess the name of a package: the version behind its path is no part of it."""
    path = _VERSION.sub("", module)
    return path.rpartition("/")[2]


def _bindings(captures: Captures, text: SourceText) -> list[FoundBinding]:
    bindings: list[FoundBinding] = []
    for name in ("short", "receive"):
        for node in captures.get(name, ()):
            bindings.extend(_assigned(node, "left", "right", text))
    for node in captures.get("var", ()):
        typed = node.child_by_field_name("type")
        if typed is None:
            bindings.extend(_assigned(node, "name", "value", text))
            continue
        written = collapse(text.of(typed))
        bindings.extend(
            FoundBinding(name.start_byte, text.of(name), written, "type")
            for name in node.children_by_field_name("name")
        )
    for node in captures.get("range", ()):
        bindings.extend(_ranged(node, text))
    for node in captures.get("switch", ()):
        bindings.extend(_switched(node, text))
    for node in captures.get("embedded", ()):
        bindings.extend(_embedded(node, text))
    for node in captures.get("parameter", ()):
        bindings.extend(_parameter(node, text))
    bindings += [
        FoundBinding(node.start_byte, _ITEM, collapse(text.of(node)), "type")
        for node in captures.get("underlying", ())
    ]
    return with_ends(bindings, captures.get("block", ()))


def _parameter(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read a parameter of a function without a name."""
    typed = node.child_by_field_name("type")
    function = node.parent.parent if node.parent is not None else None
    if typed is None or function is None:
        return
    written = collapse(text.of(typed))
    if node.type == "variadic_parameter_declaration":
        written = f"[]{written}"
    for name in node.children_by_field_name("name"):
        at = inside_of(function, name.start_byte, text)
        yield FoundBinding(at, text.of(name), written, "type")


def _assigned(node: Node, left: str, right: str, text: SourceText) -> Iterator[FoundBinding]:
    names = [each for side in node.children_by_field_name(left) for each in _listed(side)]
    values = [each for side in node.children_by_field_name(right) for each in _listed(side)]
    if len(names) > len(values) == 1 and values[0].type == "call_expression":
        yield from _unpacked(names, read_chain(values[0], text, _RULES), text)
        return
    # `x, ok := m[k]` gives the first name what the map holds.
    for name, value in zip(names, values, strict=False):
        if name.type != "identifier" or text.of(name) == "_":
            continue
        typed = _type_of(value, text)
        if typed is not None:
            yield FoundBinding(name.start_byte, text.of(name), collapse(text.of(typed)), "type")
            continue
        chain = read_chain(value, text, _RULES)
        if not chain.startswith(UNKNOWN):
            yield FoundBinding(name.start_byte, text.of(name), chain, "value")
        elif value.type == "func_literal":
            # It hides a function of the package.
            yield FoundBinding(name.start_byte, text.of(name), UNKNOWN, "value")


def _unpacked(names: list[Node], chain: str, text: SourceText) -> Iterator[FoundBinding]:
    for place, name in enumerate(names):
        if not chain.startswith(UNKNOWN) and text.of(name) != "_":
            yield FoundBinding(name.start_byte, text.of(name), f"{chain}[{place}]", "value")


def _type_of(value: Node, text: SourceText) -> Node | None:
    """Read the type in `&T{}`, `T(x)`, `x.(T)`, `make(T)` and `new(T)`."""
    if value.type == "unary_expression":
        value = value.child_by_field_name("operand") or value
    if value.type in _TYPED:
        return value.child_by_field_name("type")
    function = value.child_by_field_name("function") if value.type == "call_expression" else None
    if function is None or text.of(function) not in _MAKERS:
        return None
    arguments = value.child_by_field_name("arguments")
    return None if arguments is None else child_at(arguments, 0)


def _result(node: Node, text: SourceText) -> str:
    """Read the types that a function returns, without the names that they may have."""
    result = node.child_by_field_name("result")
    if result is None:
        return ""
    if result.type != "parameter_list":
        return collapse(text.of(result))
    types: list[str] = []
    for child in result.named_children:
        typed = child.child_by_field_name("type")
        if typed is not None:
            names = child.children_by_field_name("name")
            types += [collapse(text.of(typed))] * max(1, len(names))
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def _listed(node: Node) -> list[Node]:
    return node.named_children if node.type == "expression_list" else [node]


def _ranged(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.named_child_count > 2:
        return
    target = child_at(left, left.named_child_count - 1)
    chain = read_chain(right, text, _RULES)
    if target is not None and not chain.startswith(UNKNOWN):
        # A channel is taken for what comes out of it.
        step = _ITEM if left.named_child_count == 2 else ""
        yield FoundBinding(target.start_byte, text.of(target), chain + step, "value")


def _switched(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read what a name is in each case of `switch x := y.(type)`."""
    alias = node.child_by_field_name("alias")
    if alias is None:
        return
    for case in node.named_children:
        if case.type in {"type_case", "default_case"}:
            types = [collapse(text.of(each)) for each in case.children_by_field_name("type")]
            written = " | ".join(types) or "interface{}"
            yield FoundBinding(case.start_byte, text.of(alias), written, "type")


def _embedded(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read a field that goes by the name of its type."""
    typed = node.child_by_field_name("type")
    chain = UNKNOWN if typed is None else read_chain(typed, text, _RULES)
    if typed is not None and UNKNOWN not in chain:
        name = chain.rpartition(".")[2]
        yield FoundBinding(typed.start_byte, name, collapse(text.of(typed)), "type")


def _is_exported(_node: Node, named: Named, _text: SourceText) -> bool:
    return named.name[0].isupper()


read_go: Final = reader_of(
    Table(
        rules=_RULES,
        name=_name,
        kind=_kind,
        bases=_bases,
        result=_result,
        imports=_imports,
        bindings=_bindings,
        is_exported=_is_exported,
    )
)
