"""Reading languages that differ only in the names of their nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from tree_sitter import Node

from zapomni_core.code.model import WRITTEN, Import, Kind
from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, follow, read_chain
from zapomni_core.code.parsing.reading import (
    Captures,
    Draft,
    FoundBinding,
    FoundCall,
    Reader,
    Reading,
    Region,
)
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = [
    "ARGUMENTS",
    "Named",
    "Table",
    "bases_in",
    "name_field",
    "name_in",
    "name_of",
    "reader_of",
]

_KINDS: Final[tuple[Kind, ...]] = (
    "function", "class", "method", "interface", "struct", "enum", "union", "type", "module",
    "macro", "property", "table", "view",
)  # fmt: skip
_SEPARATOR: Final = re.compile(r"::|[.:\\]")
# What stands in the angle brackets of a qualifier: `Box<T>::`.
ARGUMENTS: Final = re.compile(r"(?<=\w)<[^()]*>(?=::)")
_NAME_LENGTH: Final = 200
# The grammar of Java gives up at `Object @Nullable ... more`.
_OPEN_ENDED: Final = re.compile(r"(\w[\w.]*)\s*(?:<.*>\s*)?(?:@[\w.]+\s*)+\.\.\.\s*(\w+)\Z")
# Types of literals, and of what is compared.
_LITERALS: Final = {
    "character_literal": "Character()",
    "decimal_floating_point_literal": "Double()",
    "decimal_integer_literal": "Integer()",
    "false": "Boolean()",
    "true": "Boolean()",
}
_SUFFIXES: Final = {b"l": "Long()", b"f": "Float()"}
_WITH_TYPES: Final = frozenset({"array_creation_expression", "cast_expression"})
_COMPARED: Final = "Boolean()"
_OPERATIONS: Final = frozenset({"binary_expression", "unary_expression"})
_COMPARISONS: Final = frozenset({"!", "==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_TYPE_LENGTH: Final = 200
# Where `Token a(1);` and `Token a{1};` have what they give to the constructor.
_MADE_WITH: Final = {
    "field_declaration": "default_value",
    "function_declarator": "parameters",
    "init_declarator": "value",
}


class Named(NamedTuple):
    """The name of a definition, where it stands, and a qualifier written in front of it."""

    name: str
    at: int
    owner: str = ""


def name_field(node: Node, text: SourceText) -> Named | None:
    """Find a name in the field that most grammars have for it."""
    named = node.child_by_field_name("name")
    return None if named is None else name_of(named, text)


def name_in(*types: str) -> Callable[[Node, SourceText], Named | None]:
    """Find a name in a field, or in the first child of one of these types."""

    def find(node: Node, text: SourceText) -> Named | None:
        named = node.child_by_field_name("name") or next(
            (child for child in node.named_children if child.type in types), None
        )
        return None if named is None else name_of(named, text)

    return find


def name_of(node: Node, text: SourceText) -> Named:
    """Split `A::b`, `A.b` or `A:b` into the name and what is in front of it.

    A template that is specialised keeps its name: `hash<A::B>` is another `hash`.
    """
    written = text.of(node) if node.end_byte - node.start_byte < 400 else ""
    plain = _without_arguments(written)
    end = node.end_byte - len(written.encode()) + len(plain.encode())
    bare = ARGUMENTS.sub("", plain)
    *front, name = _SEPARATOR.split("".join(bare.split()).strip("'\"`"))
    return Named(name, end - len(name.encode()), ".".join(filter(None, front)))


def _without_arguments(name: str) -> str:
    """Take the last brackets off, with all that are inside of them."""
    depth = 0
    for place in range(len(name) - 1, 0, -1) if name.endswith(">") else ():
        depth += (name[place] == ">") - (name[place] == "<")
        if not depth:
            return name[:place].rstrip()
    return name


def bases_in(*clauses: str) -> Callable[[Node, SourceText, ChainRules], tuple[str, ...]]:
    """Read bases out of child nodes of these types; lists inside of them are opened."""

    def read(node: Node, text: SourceText, rules: ChainRules) -> tuple[str, ...]:
        waiting = [child for child in node.named_children if child.type in clauses]
        bases: list[str] = []
        while waiting:
            for child in waiting.pop(0).named_children:
                if child.type in clauses:
                    waiting.append(child)
                elif child.type not in {"type_arguments", "argument_list", "comment"}:
                    bases.append(read_chain(child, text, rules))
        return tuple(base for base in bases if base.strip("?"))

    return read


def _no_bases(_node: Node, _text: SourceText, _rules: ChainRules) -> tuple[str, ...]:
    return ()


def _no_imports(_node: Node, _text: SourceText) -> Iterable[Import]:
    return ()


def _no_bindings(_captures: Captures, _text: SourceText) -> list[FoundBinding]:
    return []


def _no_calls(_captures: Captures, _text: SourceText) -> Iterable[tuple[Node, FoundCall]]:
    return ()


def _same_kind(_node: Node, kind: Kind) -> Kind:
    return kind


def _all_exported(_node: Node, _named: Named, _text: SourceText) -> bool:
    return True


def _undecorated(_node: Node, _text: SourceText) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Table:
    """How a language writes what we look for."""

    rules: ChainRules
    name: Callable[[Node, SourceText], Named | None] = name_field
    kind: Callable[[Node, Kind], Kind] = _same_kind
    bases: Callable[[Node, SourceText, ChainRules], tuple[str, ...]] = _no_bases
    result_fields: tuple[str, ...] = ()
    # what a function returns, where that takes more than to read a field
    result: Callable[[Node, SourceText], str] | None = None
    imports: Callable[[Node, SourceText], Iterable[Import]] = _no_imports
    bindings: Callable[[Captures, SourceText], list[FoundBinding]] = _no_bindings
    is_exported: Callable[[Node, Named, SourceText], bool] = _all_exported
    decorators: Callable[[Node, SourceText], tuple[str, ...]] = _undecorated
    has_overloads: bool = False
    # calls that are written in another way
    more_calls: Callable[[Captures, SourceText], Iterable[tuple[Node, FoundCall]]] = _no_calls
    # what a package statement says beside the name
    package_words: tuple[str, ...] = ("package", "namespace", "module")


def reader_of(table: Table) -> Reader:
    """Make a reader of a table."""

    def read(captures: Captures, text: SourceText) -> Reading:
        drafts = list(_drafts(table, captures, text))
        # `f(x) = x` is no call of f.
        heads = {draft.at for draft in drafts}
        calls = [
            (node, call)
            for node in captures.get("call", ())
            if (call := _call(node, text, table.rules)) is not None and call[0] not in heads
        ]
        calls += table.more_calls(captures, text)
        return Reading(
            drafts=drafts,
            regions=list(_regions(table, captures, text)),
            calls=[call for _, call in calls],
            arguments=_arguments(calls, text, table.rules) if table.has_overloads else {},
            imports=[
                (node.start_byte, each)
                for node in captures.get("import", ())
                for each in table.imports(node, text)
            ],
            bindings=table.bindings(captures, text),
            package=_package(table, captures, text),
        )

    return read


def _drafts(table: Table, captures: Captures, text: SourceText) -> Iterable[Draft]:
    seen: set[int] = set()
    for kind in _KINDS:
        for node in captures.get(f"def.{kind}", ()):
            named = None if node.id in seen else table.name(node, text)
            if named is not None and 0 < len(named.name) <= _NAME_LENGTH:
                seen.add(node.id)
                if kind == "module" and named.owner:
                    named = Named(f"{named.owner}.{named.name}", named.at)
                yield _draft(table, node, table.kind(node, kind), named, text)


def _draft(table: Table, node: Node, kind: Kind, named: Named, text: SourceText) -> Draft:
    body = node.child_by_field_name("body")
    return Draft(
        name=named.name,
        kind=kind,
        at=named.at,
        start=node.start_byte,
        end=_end(node, text),
        inner=node.start_byte,
        owner=named.owner,
        signature=text.signature(
            node.start_byte, body.start_byte if body else _head_end(node, named, text)
        ),
        doc=text.comment_above(node.start_byte),
        bases=table.bases(node, text, table.rules),
        parameters=_parameters(node, text, table.rules) if kind in {"function", "method"} else (),
        returns=_result(table, node, text),
        decorators=table.decorators(node, text),
        exported=table.is_exported(node, named, text),
    )


def _head_end(node: Node, named: Named, text: SourceText) -> int:
    line_end = text.data.find(b"\n", named.at, node.end_byte)
    return node.end_byte if line_end < 0 else line_end


def _end(node: Node, text: SourceText) -> int:
    written = text.data[node.start_byte : node.end_byte].rstrip()
    return node.start_byte + max(len(written), 1)


def _regions(table: Table, captures: Captures, text: SourceText) -> Iterable[Region]:
    for node in captures.get("region", ()):
        typed = node.child_by_field_name("type") or node.child_by_field_name("name")
        if typed is not None:
            name = read_chain(typed, text, table.rules)
            yield Region(name.rpartition(".")[2], node.start_byte, node.end_byte)


def _call(node: Node, text: SourceText, rules: ChainRules) -> FoundCall | None:
    fields = rules.method_calls.get(node.type)
    if fields is not None:
        front, named = (follow(node, field) for field in fields)
        if named is None or named.is_missing:
            return None
        receiver = "" if front is None else read_chain(front, text, rules)
        return (named.start_byte, text.of(named)[:_NAME_LENGTH], receiver)
    receiver, _, name = read_chain(node, text, rules).rpartition(".")
    if not name.strip("?") or name.endswith((")", "]")):
        return None
    member = rules.members.get(node.type)
    last = follow(node, member[1]) if member else None
    return ((last or node).start_byte, name, receiver)


def _arguments(
    calls: Iterable[tuple[Node, FoundCall]], text: SourceText, rules: ChainRules
) -> dict[int, str | None]:
    """Read what calls are given; a literal is written as if its type had been called."""
    found: dict[int, str | None] = {}
    for node, (at, _, _) in calls:
        listed = _listed_arguments(node)
        given = None if listed is None else [e for e in listed if "comment" not in e.type]
        found[at] = None if given is None else ",".join(_given(e, text, rules) for e in given)
    return found


def _listed_arguments(called: Node) -> list[Node] | None:
    if called.type in _MADE_WITH:
        given = called.child_by_field_name(_MADE_WITH[called.type])
        return None if given is None else given.named_children
    # Somebody else calls what is only referred to.
    node = None if called.type == "method_reference" else called
    # The type behind `new` may stand in another node with its own arguments.
    for _ in range(3):
        listed = None if node is None else node.child_by_field_name("arguments")
        if listed is not None:
            return listed.named_children
        node = None if node is None else node.parent
    return None


def _given(node: Node, text: SourceText, rules: ChainRules) -> str:
    kind = _LITERALS.get(node.type)
    if kind is not None:
        return _SUFFIXES.get(text.data[node.end_byte - 1 : node.end_byte].lower(), kind)
    if node.type in _WITH_TYPES:
        written = _written_type(node, text)
        return f"{WRITTEN}{written}" if written and "," not in written else UNKNOWN
    operator = node.child_by_field_name("operator") if node.type in _OPERATIONS else None
    if operator is not None:
        return _COMPARED if operator.type in _COMPARISONS else UNKNOWN
    chain = read_chain(node, text, rules)
    return UNKNOWN if "," in chain else chain


def _written_type(node: Node, text: SourceText) -> str:
    typed = node.child_by_field_name("type")
    written = "" if typed is None else _one_line(typed, text)
    return f"{written}[]" if written and node.type == "array_creation_expression" else written


def _parameters(node: Node, text: SourceText, rules: ChainRules) -> tuple[tuple[str, str], ...]:
    listed = node.child_by_field_name("parameters") or _declared_parameters(node)
    if listed is None:
        return ()
    parameters: list[tuple[str, str]] = []
    for child in listed.named_children:
        if "comment" in child.type:
            continue
        typed = child.child_by_field_name("type")
        written = "" if typed is None else _one_line(typed, text)
        if child.type == "variadic_parameter_declaration":
            written = f"[]{written}"
        names = (
            child.children_by_field_name("name")
            or child.children_by_field_name("pattern")
            or child.children_by_field_name("declarator")
        )
        if names:
            plain = (_plain_name(name, text).lstrip(rules.sigils) for name in names)
            parameters.extend((name, written) for name in plain)
        elif child.type == "spread_parameter":
            last = child_at(child, child.named_child_count - 1)
            typed = child_at(child, child.named_child_count - 2)
            written = "" if typed is None else f"{_one_line(typed, text)}[]"
            parameters.append((f"...{_one_line(last or child, text)}", written))
        elif child.type == "ERROR" and (found := _OPEN_ENDED.search(_one_line(child, text))):
            parameters.append((f"...{found[2]}", f"{found[1]}[]"))
        elif child.named_child_count == 0 and typed is None:
            parameters.append((_one_line(child, text), ""))
    return tuple(parameters)


def _plain_name(node: Node, text: SourceText) -> str:
    # `Box & box` of C++ is read from `&` on.
    return _one_line(node, text).replace("& ", "&").replace("* ", "*")


def _declared_parameters(node: Node) -> Node | None:
    declarator = node.child_by_field_name("declarator")
    while declarator is not None:
        listed = declarator.child_by_field_name("parameters")
        if listed is not None:
            return listed
        declarator = declarator.child_by_field_name("declarator")
    return None


def _result(table: Table, node: Node, text: SourceText) -> str:
    if table.result is not None:
        return table.result(node, text)
    for field in table.result_fields:
        result = node.child_by_field_name(field)
        if result is not None:
            return _one_line(result, text)
    return ""


def _one_line(node: Node, text: SourceText) -> str:
    start = node.start_byte
    return collapse(text.between(start, min(node.end_byte, start + _TYPE_LENGTH)).lstrip(": "))


def _package(table: Table, captures: Captures, text: SourceText) -> str:
    for node in captures.get("package", ()):
        words = text.of(node).strip(" ;{\n").split()
        names = [word for word in words if word not in table.package_words]
        if names:
            return names[0].strip(";").replace("\\", ".")
    return ""
