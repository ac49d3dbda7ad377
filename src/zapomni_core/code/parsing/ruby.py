"""What stands in a Ruby file."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import STATIC
from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.import_lines import imports_by_call
from zapomni_core.code.parsing.reading import Captures, Draft, FoundBinding, Reading
from zapomni_core.code.parsing.tables import Table, bases_in, reader_of
from zapomni_core.code.parsing.text import SourceText

__all__ = ["read_ruby"]

_OUTSIDE: Final = -1
_OF_CLASSES: Final = frozenset({"constant", "scope_resolution"})
_RULES: Final = ChainRules(
    names=frozenset(
        {"identifier", "constant", "instance_variable", "class_variable", "self", "super"}
    ),
    members={"scope_resolution": ("scope", "name")},
    calls={},
    method_calls={"call": ("receiver", "method")},
    subscripts={"element_reference": "object"},
    wrappers={"parenthesized_statements": ""},
    sigils="@",
    literals={"array": "Array()", "hash": "Hash()", "string": "String()"},
)


def read_ruby(captures: Captures, text: SourceText) -> Reading:
    """Read a Ruby file; a bare name that is no variable is a call."""
    reading = _read_written_calls(captures, text)
    methods = _Methods(reading.drafts)
    variables = {
        (methods.around(node.start_byte), text.of(node)) for node in captures.get("variable", ())
    }
    for node in captures.get("bare", ()):
        at, name = node.start_byte, text.of(node)
        if not node.is_missing and (methods.around(at), name) not in variables:
            reading.calls.append((at, name, ""))
    return reading


class _Methods:
    """The methods of a file, by where they begin."""

    def __init__(self, drafts: list[Draft]) -> None:
        found = sorted((each.start, each.end) for each in drafts if each.kind == "method")
        self._starts = [start for start, _ in found]
        self._ends = [end for _, end in found]

    def around(self, position: int) -> int:
        """Return which method a byte is in; those that stand in others count as one with them."""
        index = bisect_right(self._starts, position) - 1
        return index if index >= 0 and position < self._ends[index] else _OUTSIDE


def _static(node: Node, _text: SourceText) -> tuple[str, ...]:
    return (STATIC,) if node.type == "singleton_method" else ()


def _constants(captures: Captures, text: SourceText) -> list[FoundBinding]:
    """Read constants: one may be another name of a class, and any hides those outside."""
    found = []
    for node in captures.get("constant", ()):
        target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        # What is defined in `Base = Class.new do` is read as a part of what is around it.
        if target is None or value is None or value.child_by_field_name("block") is not None:
            continue
        name = text.of(target)
        means = read_chain(value, text, _RULES) if value.type in _OF_CLASSES else UNKNOWN
        # `Store = ::Store` says nothing new.
        if means != name:
            found.append(FoundBinding(target.start_byte, name, means, "value"))
    return found


_read_written_calls: Final = reader_of(
    Table(
        rules=_RULES,
        bases=bases_in("superclass"),
        imports=imports_by_call("require_relative", "require", "load"),
        bindings=_constants,
        decorators=_static,
    )
)
