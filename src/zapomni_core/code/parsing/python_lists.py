"""Lists of Python that are written out, or made of something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.chains import UNKNOWN, read_chain
from zapomni_core.code.parsing.python_expressions import RULES
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["LISTED", "WAYS_THROUGH", "gone_through", "listed"]

# The field of an element of each, empty for the first one.
_WRITTEN: Final[Mapping[str, str]] = {
    "list": "",
    "list_comprehension": "body",
    "set": "",
    "set_comprehension": "body",
}
LISTED: Final = frozenset({"call", *_WRITTEN})
_COPIES: Final = frozenset({"frozenset", "list", "set", "sorted", "tuple"})
WAYS_THROUGH: Final = _COPIES | {"iter", "reversed"}
_LONGEST_NAME: Final = 9


def listed(value: Node, text: SourceText) -> str:
    """Write `[A()]` as `A()[+]` and `list(xs)` as `xs[*]`; anything else is an empty chain."""
    if value.type != "call":
        return _written(value, text)
    copied = gone_through(value, text)
    if copied.id == value.id or _argument(value, _COPIES, text) is None:
        return ""
    chain = _written(copied, text) or read_chain(copied, text, RULES)
    return "" if chain.startswith(UNKNOWN) else f"{chain}[*]"


def _written(value: Node, text: SourceText) -> str:
    field = _WRITTEN.get(value.type)
    if field is None:
        return ""
    first = value.child_by_field_name(field) if field else child_at(value, 0)
    if first is None or first.type in RULES.literals:
        return ""
    chain = read_chain(first, text, RULES)
    return "" if chain.startswith(UNKNOWN) or chain == "None" else f"{chain}[+]"


def gone_through(items: Node, text: SourceText) -> Node:
    """See `xs` in `for x in reversed(xs)`."""
    while items.type == "call" and (first := _argument(items, WAYS_THROUGH, text)) is not None:
        items = first
    return items


def _argument(call: Node, functions: frozenset[str], text: SourceText) -> Node | None:
    """Return what one of some functions is given first."""
    function = call.child_by_field_name("function")
    if function is None or function.end_byte - function.start_byte > _LONGEST_NAME:
        return None
    arguments = call.child_by_field_name("arguments") if text.of(function) in functions else None
    return None if arguments is None else child_at(arguments, 0)
