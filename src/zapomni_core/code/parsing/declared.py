"""What declarations say that names hold, in languages that write types beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.reading import Captures, FoundBinding
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = [
    "declared_in_cpp",
    "declared_in_csharp",
    "declared_in_kotlin",
    "declared_in_php",
    "declared_in_scala",
    "declared_in_swift",
]

type Declared = Callable[[Captures, SourceText], list[FoundBinding]]

# Types that leave it to the value.
_INFERRED: Final = frozenset({"implicit_type", "placeholder_type_specifier"})
_DECLARATORS: Final = frozenset(
    {"init_declarator", "pointer_declarator", "reference_declarator", "array_declarator"}
)
_LONGEST_TYPE: Final = 200


def declared_in_csharp(rules: ChainRules) -> Declared:
    """Read `Repo a = b, c;`, `var a = new Repo();` and `foreach (Repo a in b)`."""

    def read(captures: Captures, text: SourceText) -> list[FoundBinding]:
        found: list[FoundBinding] = []
        for node in captures.get("var", ()):
            typed = node.child_by_field_name("type")
            for each in node.named_children:
                if each.type == "variable_declarator":
                    name, value = each.child_by_field_name("name"), _last(each, 2)
                    found.extend(_held(name, typed, value, text, rules))
        for node in captures.get("each", ()):
            name, typed = node.child_by_field_name("left"), node.child_by_field_name("type")
            found.extend(_each(name, typed, node.child_by_field_name("right"), text, rules))
        return found

    return read


def declared_in_kotlin(rules: ChainRules) -> Declared:
    """Read `val a: Repo`, `val a = Repo()` and parameters of functions and classes."""

    def read(captures: Captures, text: SourceText) -> list[FoundBinding]:
        found: list[FoundBinding] = []
        for node in captures.get("var", ()):
            around, value = node.parent, None
            if around is not None and around.type == "property_declaration":
                last = _last(around, 2)
                value = None if last == node else last
            names = [each for each in node.named_children if each.type == "identifier"]
            types = [each for each in node.named_children if each.type.endswith("_type")]
            found.extend(_held(_first(names), _first(types), value, text, rules))
        return found

    return read


def declared_in_scala(rules: ChainRules) -> Declared:
    """Read `val a: Repo = b`, `var a = new Repo()` and parameters of classes."""

    def read(captures: Captures, text: SourceText) -> list[FoundBinding]:
        found: list[FoundBinding] = []
        for node in captures.get("var", ()):
            name = node.child_by_field_name("pattern") or node.child_by_field_name("name")
            typed, value = (node.child_by_field_name(field) for field in ("type", "value"))
            found.extend(_held(name, typed, value, text, rules))
        return found

    return read


def declared_in_swift(rules: ChainRules) -> Declared:
    """Read `let a: Repo`, `var a = Repo()` and parameters of functions."""

    def read(captures: Captures, text: SourceText) -> list[FoundBinding]:
        found: list[FoundBinding] = []
        for node in captures.get("var", ()):
            pattern, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            name = None if pattern is None else pattern.child_by_field_name("bound_identifier")
            noted = [each for each in node.named_children if each.type == "type_annotation"]
            typed = noted[0].child_by_field_name("name") if noted else None
            found.extend(_held(name, typed, value, text, rules))
        for node in captures.get("parameter", ()):
            # The type goes by the field of the name, too.
            name, *types = node.children_by_field_name("name")
            found.extend(_held(name, _first(types), None, text, rules))
        return found

    return read


def declared_in_cpp(rules: ChainRules) -> Declared:
    """Read `Repo a, *b = c;`, `auto a = new Repo();` and `for (Repo& a : b)`."""

    def read(captures: Captures, text: SourceText) -> list[FoundBinding]:
        found: list[FoundBinding] = []
        for node in captures.get("var", ()):
            typed = node.child_by_field_name("type")
            for each in node.children_by_field_name("declarator"):
                value = each.child_by_field_name("value")
                found.extend(_held(_declared_name(each), typed, value, text, rules))
        for node in captures.get("each", ()):
            declarator, typed = (node.child_by_field_name(f) for f in ("declarator", "type"))
            name = None if declarator is None else _declared_name(declarator)
            found.extend(_each(name, typed, node.child_by_field_name("right"), text, rules))
        return found

    return read


def declared_in_php(rules: ChainRules) -> Declared:
    """Read `private Repo $a;`, promoted parameters, `$a = new Repo();` and `use A {b as c;}`."""

    def read(captures: Captures, text: SourceText) -> list[FoundBinding]:
        found: list[FoundBinding] = []
        for node in captures.get("field", ()):
            typed, own = node.child_by_field_name("type"), node.child_by_field_name("name")
            elements = [each for each in node.named_children if each.type == "property_element"]
            names = [own, *(each.child_by_field_name("name") for each in elements)]
            for name in names:
                held = _held(name, typed, None, text, rules)
                found.extend(each._replace(target=f"this.{each.target}") for each in held)
        for node in captures.get("bind", ()):
            left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            found.extend(_held(left, None, value, text, rules))
        for node in captures.get("alias", ()):
            found.extend(_renamed_method(node, text, rules))
        return found

    return read


def _renamed_method(node: Node, text: SourceText, rules: ChainRules) -> Iterator[FoundBinding]:
    """Read `A::b as c`, and `b as c` as one of any trait that is used there."""
    method, name = child_at(node, 0), _last(node, 2)
    used = node.parent and node.parent.parent
    if method is None or name is None or name.type != "name" or used is None:
        return
    written, new = read_chain(method, text, rules), text.of(name)
    traits = [e for e in used.named_children if e.type != "use_list"] if "." not in written else []
    for front in [f"{read_chain(each, text, rules)}." for each in traits] or [""]:
        yield FoundBinding(name.start_byte, new, f"{front}{written}", "value")


def _held(
    name: Node | None, typed: Node | None, value: Node | None, text: SourceText, rules: ChainRules
) -> Iterator[FoundBinding]:
    if name is None:
        return
    target = read_chain(name, text, rules).lstrip(rules.sigils)
    if UNKNOWN in target:
        return
    if typed is not None and typed.type not in _INFERRED:
        written = collapse(text.of(typed)).strip("?")
        if len(written) < _LONGEST_TYPE:
            yield FoundBinding(name.start_byte, target, written, "type")
    elif value is not None:
        chain = read_chain(value, text, rules)
        known = UNKNOWN if chain.startswith(UNKNOWN) else chain
        yield FoundBinding(name.start_byte, target, known, "value")


def _each(
    name: Node | None, typed: Node | None, items: Node | None, text: SourceText, rules: ChainRules
) -> Iterator[FoundBinding]:
    for each in _held(name, typed, items, text, rules):
        yield each._replace(how="item") if each.how == "value" else each


def _declared_name(declarator: Node) -> Node | None:
    at: Node | None = declarator
    while at is not None and at.type in _DECLARATORS:
        at = at.child_by_field_name("declarator") or child_at(at, 0)
    # `Repo make();` declares a function.
    return None if at is None or at.type == "function_declarator" else at


def _last(node: Node, least: int) -> Node | None:
    """Return the last of at least so many children."""
    count = node.named_child_count
    return child_at(node, count - 1) if count >= least else None


def _first(nodes: Sequence[Node]) -> Node | None:
    return nodes[0] if nodes else None
