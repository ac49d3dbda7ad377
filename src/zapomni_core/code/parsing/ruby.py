"""What stands in a Ruby file."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import EXTENDING, INCLUDING, STATIC
from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.import_lines import imports_by_call
from zapomni_core.code.parsing.reading import Captures, Draft, FoundBinding, Reading
from zapomni_core.code.parsing.tables import Table, bases_in, reader_of
from zapomni_core.code.parsing.text import SourceText

__all__ = ["read_ruby"]

_OUTSIDE: Final = -1
_SUPER: Final = "super"
_MIXED: Final = {"extend": EXTENDING, "include": INCLUDING, "prepend": INCLUDING}
_HOLDERS: Final = frozenset({"class", "module"})
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
    reading.calls = [
        (at, name, methods.above(at, receiver) if receiver.startswith(_SUPER) else receiver)
        for at, name, receiver in reading.calls
    ]
    for node in captures.get(_SUPER, ()):
        if name := methods.name(node.start_byte):
            reading.calls.append((node.start_byte, name, _SUPER))
    return reading


class _Methods:
    """The methods of a file, by where they begin."""

    def __init__(self, drafts: list[Draft]) -> None:
        found = sorted((e.start, e.end, e.name) for e in drafts if e.kind == "method")
        self._starts = [start for start, _, _ in found]
        self._ends = [end for _, end, _ in found]
        self._names = [name for _, _, name in found]

    def around(self, position: int) -> int:
        """Return which method a byte is in; those that stand in others count as one with them."""
        index = bisect_right(self._starts, position) - 1
        return index if index >= 0 and position < self._ends[index] else _OUTSIDE

    def name(self, position: int) -> str:
        """Return the name of the method a byte is in, or nothing."""
        index = self.around(position)
        return "" if index == _OUTSIDE else self._names[index]

    def above(self, position: int, chain: str) -> str:
        """Write what `super` gives, of which a chain is made: a method is called by the word."""
        first, *rest = chain.split(".")
        name = self.name(position) if first in {_SUPER, f"{_SUPER}()"} else ""
        return ".".join([_SUPER, f"{name}()", *rest]) if name else chain


def _static(node: Node, _text: SourceText) -> tuple[str, ...]:
    return (STATIC,) if node.type == "singleton_method" else ()


_superclass: Final = bases_in("superclass")


def _bases(node: Node, text: SourceText, rules: ChainRules) -> tuple[str, ...]:
    """Read the superclass, then the modules, of which the last one comes first."""
    body = node.child_by_field_name("body") if node.type in _HOLDERS else None
    bases = _superclass(node, text, rules)
    for each in reversed(body.named_children) if body is not None else ():
        named, given = (each.child_by_field_name(field) for field in ("method", "arguments"))
        word = "" if named is None or each.child_by_field_name("receiver") else text.of(named)
        if word in _MIXED and given is not None:
            modules = [e for e in given.named_children if e.type in _OF_CLASSES]
            bases += tuple(f"{_MIXED[word]}{read_chain(e, text, rules)}" for e in modules)
    return bases


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
        bases=_bases,
        imports=imports_by_call("require_relative", "require", "load"),
        bindings=_constants,
        decorators=_static,
    )
)
