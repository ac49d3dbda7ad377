"""Python expressions as chains, and the few calls that say what type comes out of them."""

from __future__ import annotations

from typing import Final, Literal

from tree_sitter import Node

from zapomni_core.code.parsing.chains import ChainRules, read_chain
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = ["RULES", "SPECIAL", "SPECIAL_NAMES", "annotation", "read_special"]

RULES: Final = ChainRules(
    names=frozenset({"identifier"}),
    members={"attribute": ("object", "attribute")},
    calls={"call": "function"},
    subscripts={"subscript": "value"},
    wrappers={"parenthesized_expression": "", "await": "", "assignment": "right"},
    class_of=b"type(",
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
SPECIAL_NAMES: Final = frozenset({"cast", "TypeVar", "partial"})
# How the chains end that may be calls of them.
SPECIAL: Final = tuple(f"{name}()" for name in sorted(SPECIAL_NAMES))


def annotation(node: Node, text: SourceText) -> str:
    """Read a type in one line, without the quotes of a forward reference."""
    return collapse(text.of(node).replace('"', "").replace("'", ""))


def read_special(call: Node, text: SourceText) -> tuple[str, Literal["type", "value"]] | None:
    """Read `cast(T, x)`, `TypeVar("T", bound=C)` and `partial(f, x)` for what they stand for."""
    function = call.child_by_field_name("function")
    if function is None:
        return None
    name = text.of(function).rpartition(".")[2]
    arguments = call.child_by_field_name("arguments") if name in SPECIAL_NAMES else None
    first = None if arguments is None else child_at(arguments, 0)
    if arguments is None or first is None:
        return None
    if name == "partial":
        return read_chain(first, text, RULES), "value"
    written = first if name == "cast" else _keyword(arguments, "bound", text)
    return None if written is None else (annotation(written, text), "type")


def _keyword(arguments: Node, name: str, text: SourceText) -> Node | None:
    for each in arguments.named_children:
        named = each.child_by_field_name("name") if each.type == "keyword_argument" else None
        if named is not None and text.of(named) == name:
            return each.child_by_field_name("value")
    return None
