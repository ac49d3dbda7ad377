"""What the readers of the languages find in a file, by the bytes where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from tree_sitter import Node

from zapomni_core.code.model import Import, Kind
from zapomni_core.code.parsing.text import SourceText

__all__ = ["Captures", "Draft", "FoundBinding", "FoundCall", "Reader", "Reading", "Region"]

type Captures = Mapping[str, Sequence[Node]]
# The byte of the name that is called, the name, and what it is called on: plain, because there
# are more calls than anything else, and plain tuples are sorted in half of the time.
type FoundCall = tuple[int, str, str]
type Reader = Callable[[Captures, SourceText], Reading]


class Draft(NamedTuple):
    """A definition that does not know yet what is around it.

    `at` is the byte of the definition itself, `start` that of its decorators, `inner` the one
    from which on names and calls belong to it. `owner` is a qualifier written in front of it.
    """

    name: str
    kind: Kind
    at: int
    start: int
    end: int
    inner: int
    owner: str = ""
    signature: str = ""
    doc: str = ""
    bases: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    returns: str = ""
    decorators: tuple[str, ...] = ()
    exported: bool = True


class Region(NamedTuple):
    """A stretch that qualifies names without being a definition (`impl T { ... }`)."""

    name: str
    start: int
    end: int
    holds_methods: bool = True


class FoundBinding(NamedTuple):
    """A binding by the byte of its target, and that behind the block with which it ends."""

    at: int
    target: str
    value: str
    how: Literal["type", "value", "item", "enter"]
    until: int = 0


@dataclass(slots=True)
class Reading:
    """Everything found in one file; imports stand beside the byte where they are written.

    A function that stands in a class is a method, unless the reader `tells_methods` by itself.
    """

    drafts: list[Draft] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    calls: list[FoundCall] = field(default_factory=list)
    # What calls are given, by the bytes of these.
    arguments: dict[int, str | None] = field(default_factory=dict)
    imports: list[tuple[int, Import]] = field(default_factory=list)
    bindings: list[FoundBinding] = field(default_factory=list)
    package: str = ""
    tells_methods: bool = False
