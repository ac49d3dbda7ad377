"""What `isinstance` says about a name, and for how long."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.chains import read_chain
from zapomni_core.code.parsing.python_expressions import RULES, annotation
from zapomni_core.code.parsing.reading import FoundBinding
from zapomni_core.code.parsing.text import SourceText

__all__ = ["narrowed"]

_LONGEST_TYPE: Final = 200
_DEEPEST: Final = 20
_LEAVING: Final = frozenset(
    {"break_statement", "continue_statement", "raise_statement", "return_statement"}
)
_TRANSPARENT: Final = frozenset(
    {"boolean_operator", "named_expression", "not_operator", "parenthesized_expression"}
)
_BRANCHES: Final = frozenset({"elif_clause", "if_statement", "while_statement"})


def narrowed(function: Node, text: SourceText) -> FoundBinding | None:
    """Read what `isinstance(x, C)` asks about, the types it asks for, and where they hold."""
    arguments = function.next_named_sibling
    if arguments is None or arguments.type != "argument_list" or arguments.named_child_count != 2:
        return None
    asked, kinds = arguments.named_children
    chain = read_chain(asked, text, RULES)
    listed = kinds.named_children if kinds.type == "tuple" else [kinds]
    types = " | ".join(annotation(each, text) for each in listed)
    if "?" in chain or len(types) > _LONGEST_TYPE:
        return None
    reach = _reach(function, text)
    return None if reach is None else FoundBinding(reach[0], f"{chain}?", types, "type", reach[1])


def _reach(function: Node, text: SourceText) -> tuple[int, int] | None:
    """Tell from which byte to which the answer is known to be yes; 0 is the end of the scope."""
    at = function.start_byte
    node, is_not = function.parent, False
    for _ in range(_DEEPEST):
        around = None if node is None else node.parent
        if node is None or around is None:
            return at, 0
        kind = around.type
        if kind in _BRANCHES:
            return _of_branch(around, at, text, is_not=is_not)
        if kind in {"if_clause", "conditional_expression"}:
            whole = around.parent if kind == "if_clause" else around
            return None if whole is None or is_not else (whole.start_byte, whole.end_byte)
        if kind not in _TRANSPARENT:
            return (at, 0) if kind == "assert_statement" else (at, node.end_byte)
        if kind == "boolean_operator" and _leaves_open(around, is_not=is_not):
            return (at, around.end_byte) if is_not else None
        is_not = is_not != (kind == "not_operator")
        node = around
    return at, 0


def _leaves_open(condition: Node, *, is_not: bool) -> bool:
    """Tell whether `a or b` may hold without a, and `a and b` may fail although a holds."""
    operator = condition.child_by_field_name("operator")
    return operator is not None and operator.type == ("and" if is_not else "or")


def _of_branch(branch: Node, at: int, text: SourceText, *, is_not: bool) -> tuple[int, int] | None:
    block = branch.child_by_field_name("consequence") or branch.child_by_field_name("body")
    if block is None or not is_not:
        return at, 0 if block is None else block.end_byte
    behind = text.data.find(b"\n", block.end_byte) + 1 or block.end_byte
    whole = branch.parent if branch.type == "elif_clause" else branch
    last = block.named_children[-1] if block.named_child_count else None
    is_left = branch.type == "while_statement" or (last is not None and last.type in _LEAVING)
    if whole is None or is_left:
        return behind, 0
    return (behind, whole.end_byte) if behind < whole.end_byte else None
