"""Parameters, types and base classes as JavaScript and TypeScript write them."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.chains import read_chain
from zapomni_core.code.parsing.javascript_bindings import RULES, written_type
from zapomni_core.code.parsing.text import SourceText

__all__ = ["bases_of", "parameters_of", "written_type"]

_HERITAGE: Final = frozenset({"class_heritage", "extends_clause", "implements_clause"})
_NOT_BASES: Final = frozenset({"type_arguments", "comment"})


def bases_of(node: Node, text: SourceText) -> tuple[str, ...]:
    """Read what a class or an interface extends and implements."""
    clauses = [
        child
        for child in node.named_children
        if child.type in {"class_heritage", "extends_type_clause"}
    ]
    bases: list[str] = []
    while clauses:
        for child in clauses.pop(0).named_children:
            if child.type in _HERITAGE:
                clauses.append(child)
            elif child.type not in _NOT_BASES:
                bases.append(_base(child, text))
    return tuple(bases)


def _base(node: Node, text: SourceText) -> str:
    if node.type == "generic_type":
        node = node.child_by_field_name("name") or node
    return read_chain(node, text, RULES)


def parameters_of(node: Node, text: SourceText) -> tuple[tuple[str, str], ...]:
    """Read the parameters of a function."""
    single = node.child_by_field_name("parameter")
    if single is not None:
        return ((text.of(single), ""),)
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return ()
    return tuple(
        _parameter(child, text)
        for child in listed.named_children
        if child.type not in {"comment", "decorator", "ERROR"}
    )


def _parameter(node: Node, text: SourceText) -> tuple[str, str]:
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
    if pattern.type in {"object_pattern", "array_pattern"}:
        name = "{}" if pattern.type == "object_pattern" else "[]"
    else:
        name = text.of(pattern)
    return name, written_type(node.child_by_field_name("type"), text)
