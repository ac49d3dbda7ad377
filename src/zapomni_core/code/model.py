"""What is read out of one source file, and what becomes of it among the others.

Expressions are written as chains: names joined by dots, `()` behind what is called and `[]`
behind what is subscripted, `?` for anything else. `self.app.views[name](x).run()` is a call of
`run` on the receiver `self.app.views[]()`.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import orjson
from isal import isal_zlib

from zapomni_db.code.records import records_of

__all__ = [
    "ABSTRACT",
    "ADDITIONS",
    "ELEMENT",
    "EXTENDING",
    "INCLUDING",
    "MODULE",
    "OF_OBJECT",
    "OF_TRAIT",
    "PARTIAL",
    "RAISED",
    "STATIC",
    "THIS",
    "TRAIT",
    "WRITTEN",
    "Binding",
    "Call",
    "CallEdge",
    "Definition",
    "FileEdges",
    "FileFacts",
    "Import",
    "ImportEdge",
    "InheritEdge",
    "Kind",
    "OverrideEdge",
    "UnresolvedCall",
    "symbol_id",
]

type Kind = Literal[
    "function",
    "method",
    "class",
    "interface",
    "struct",
    "enum",
    "union",
    "type",
    "module",
    "macro",
    "property",
    "table",
    "view",
]
type How = Literal["local", "import", "self", "typed", "dispatch", "unique"]

# The scope of what stands outside of every definition.
MODULE = -1
# What a function of Python raises that is there to be overridden, and the target of the binding
# that says so.
ABSTRACT = "NotImplementedError"
RAISED = "raise?"
# The target of a binding that says which component an element of JSX stands for.
ELEMENT = "<>"
# Words that stand among the decorators where they tell definitions of one name apart: a method
# of the class itself, and what adds to a class or accompanies it.
STATIC = "static"
# The same for a function of JavaScript that is a property of an object: its name is not in scope.
OF_OBJECT = "of object"
# The same for a method of Rust that a type has for a trait: one of its own comes before it.
OF_TRAIT = "of trait"
# The same for a trait of PHP: what classes have from it comes before what they inherit.
TRAIT = "trait"
PARTIAL = "partial"
ADDITIONS: Final = frozenset({"extension", "object", PARTIAL})


# What an argument begins with that is known by a type which is written with it.
WRITTEN: Final = ":"


# The name of a parameter that nobody gives: what a function of Kotlin extends.
THIS: Final = "this"


class Definition(NamedTuple):
    """A definition; `qname` is dotted and unique in its file (`Flask.run`, the second `run#2`).

    `line` is that of the definition itself. `scope` is the index of the definition around it. A
    parameter without a type has an empty one.

    From `end_line` on it is what the definition looks like, which does not matter to others:
    `start` and `end` are the bytes of the whole with its decorators, `doc` is a docstring or the
    comment above.
    """

    qname: str
    name: str
    kind: Kind
    line: int
    scope: int = MODULE
    bases: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    returns: str = ""
    decorators: tuple[str, ...] = ()
    end_line: int = 0
    start: int = 0
    end: int = 0
    signature: str = ""
    doc: str = ""
    exported: bool = True


# What stands in front of a module of Ruby among the bases of a class or another module: its
# methods are those of objects, or of the class itself.
INCLUDING: Final = "include "
EXTENDING: Final = "extend "

# How much of a definition others may refer to.
_LOOKS: Final = Definition._fields.index("end_line")


class Call(NamedTuple):
    """A call: the last name of what is called, and the chain in front of it, if any.

    `arguments` are chains, or types after a colon, with commas between them, where they tell
    functions of one name apart.
    """

    name: str
    receiver: str
    line: int
    scope: int
    arguments: str | None = None


class Import(NamedTuple):
    """An import as it is written.

    `name` is empty if the module itself is imported, `*` if everything in it is; `alias` is the
    local name (`os` of `import os.path`). `is_export` says that others may import it from here.
    """

    module: str
    name: str
    alias: str
    line: int
    scope: int = MODULE
    is_export: bool = False


class Binding(NamedTuple):
    """What a name holds: `target` is `x` or `self.x`, `value` a chain.

    `how` says what the value is: the type, the value itself, a collection whose items the name
    takes one after another, or something entered by `with`. `until` is the last line of the block
    with which the name ends, or 0.
    """

    target: str
    value: str
    how: Literal["type", "value", "item", "enter"]
    line: int
    scope: int
    until: int = 0


class FileFacts(NamedTuple):
    """Everything read out of one file, in the order of the text."""

    language: str
    definitions: tuple[Definition, ...] = ()
    calls: tuple[Call, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    package: str = ""
    errors: int = 0

    def abstract(self) -> set[int]:
        """Return the indices of the functions that are there to be overridden."""
        return {each.scope for each in self.bindings if each.target == RAISED}

    def packed(self) -> bytes:
        """Write down what others may refer to, in columns: half of the time of rows."""
        rows = ([each[:_LOOKS] for each in self.definitions], *self[2:5])
        columns = [[*zip(*some, strict=True)] for some in rows]
        return isal_zlib.compress(
            orjson.dumps([self.language, *columns, self.package, self.errors]), 1
        )

    @classmethod
    def unpacked(cls, packed: bytes) -> FileFacts:
        """Read facts that were written down."""
        language, definitions, calls, imports, bindings, package, errors = orjson.loads(
            isal_zlib.decompress(packed)
        )
        return cls(
            language,
            _definitions(definitions),
            records_of(Call, zip(*calls, strict=True)),
            records_of(Import, zip(*imports, strict=True)),
            records_of(Binding, zip(*bindings, strict=True)),
            package,
            errors,
        )


class CallEdge(NamedTuple):
    """A call that is bound: `target` is a symbol id, or `language:dotted.name` outside.

    `source` is the index of the calling definition.
    """

    source: int
    target: str
    line: int
    how: How
    confidence: float
    is_external: bool = False


class UnresolvedCall(NamedTuple):
    """A call that is not bound; `candidates` are the symbols between which nothing decides."""

    source: int
    name: str
    receiver: str
    line: int
    candidates: tuple[str, ...] = ()


class InheritEdge(NamedTuple):
    """A class and one of its bases."""

    source: int
    target: str
    order: int
    is_external: bool = False


class OverrideEdge(NamedTuple):
    """A method and the one of a base class that it replaces."""

    source: int
    target: str


class ImportEdge(NamedTuple):
    """An import: `target` is the path of a file here, or `language:dotted.name` outside."""

    target: str
    name: str
    alias: str
    line: int
    is_external: bool = False


class FileEdges(NamedTuple):
    """What one file refers to."""

    calls: tuple[CallEdge, ...] = ()
    unresolved: tuple[UnresolvedCall, ...] = ()
    inherits: tuple[InheritEdge, ...] = ()
    overrides: tuple[OverrideEdge, ...] = ()
    imports: tuple[ImportEdge, ...] = ()


def symbol_id(path: str, qname: str) -> str:
    """Name a symbol; it keeps its id while lines move."""
    return f"{path}::{qname}"


def _definitions(columns: list[list[Any]]) -> tuple[Definition, ...]:
    if not columns:
        return ()
    columns[5] = [tuple(bases) for bases in columns[5]]
    columns[6] = [tuple([(name, kind) for name, kind in each]) for each in columns[6]]
    columns[8] = [tuple(decorators) for decorators in columns[8]]
    return tuple(map(Definition, *columns))
