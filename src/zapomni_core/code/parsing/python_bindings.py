"""What names hold in Python: annotations, assignments, loops and `with`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import ABSTRACT, RAISED
from zapomni_core.code.parsing.chains import NOT_PLAIN, UNKNOWN, plain_parts, read_chain
from zapomni_core.code.parsing.python_expressions import (
    RULES,
    SPECIAL,
    SPECIAL_NAMES,
    annotation,
    read_special,
)
from zapomni_core.code.parsing.python_lists import LISTED, WAYS_THROUGH, gone_through, listed
from zapomni_core.code.parsing.reading import Captures, FoundBinding
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["read_bindings"]

_ALTERNATIVES: Final = 4
_CHOICES: Final = frozenset({"boolean_operator", "conditional_expression"})
# Values that may say more than the type in front of them, as in `kind: type = Flask`.
_TELLING: Final = frozenset({"identifier", "attribute", "call"})
# A target, the sign, and a value or a type.
_UNTYPED: Final = 3
# What may stand in front of a name that belongs to the function or the object around it.
_OWN: Final = frozenset({"", "self", "cls"})
# Functions whose calls are read for what they are given, and words that are no functions.
_NOT_PLAIN: Final = WAYS_THROUGH | SPECIAL_NAMES | {"type", "None", "True", "False"}
_ABSTRACT: Final = ABSTRACT.encode()
# A name in front of what is called, or of a point.
_CALLED_NAME: Final = re.compile(r"(?<![\w.])([^\W\d]\w*)\s*[.(]")
_PATTERNS: Final = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "tuple"})


def read_bindings(captures: Captures, text: SourceText) -> list[FoundBinding]:
    """Read everything that gives a name a value."""
    bindings: list[FoundBinding] = []
    for name, read in _READ.items():
        for node in captures.get(name, ()):
            bindings += read(node, text)
    return bindings


def _assigned(node: Node, text: SourceText) -> Iterable[FoundBinding]:
    target, typed, value = _sides(node)
    if target is None:
        return ()
    if target.type in _PATTERNS:
        return _unpacked(target, value, text)
    if value is not None and typed is None:
        return _valued(target, value, text)
    return _annotated(target, typed, value, text)


def _sides(assignment: Node) -> tuple[Node | None, Node | None, Node | None]:
    """Give what is assigned to, its type and its value."""
    # Most are `x = y`, where children are found faster by their places than by their fields.
    if assignment.child_count == _UNTYPED and (value := assignment.child(2)).type != "type":
        return assignment.child(0), None, value
    field = assignment.child_by_field_name
    return field("left"), field("type"), field("right")


def _annotated(
    target: Node, typed: Node | None, value: Node | None, text: SourceText
) -> Iterator[FoundBinding]:
    written = _target(target, text)
    if written is None:
        return
    if typed is not None:
        yield FoundBinding(target.start_byte, written, annotation(typed, text), "type")
    if value is not None and (typed is None or value.type in _TELLING):
        yield from _valued(target, value, text)


def _named(node: Node, text: SourceText) -> Iterable[FoundBinding]:
    target, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    return () if target is None or value is None else _valued(target, value, text)


def _target(node: Node, text: SourceText) -> str | None:
    plain, receiver, _ = plain_parts(node, text)
    if plain:
        return plain if receiver in _OWN else None
    written = text.of(node)
    if node.type == "attribute" and not written.startswith(("self.", "cls.")):
        return None
    return written if written.count(".") <= 1 and len(written) < 200 else None


def _unpacked(targets: Node, values: Node | None, text: SourceText) -> Iterator[FoundBinding]:
    if values is None:
        return
    if values.type in {"expression_list", "tuple"}:
        if targets.named_child_count == values.named_child_count:
            for target, value in zip(targets.named_children, values.named_children, strict=True):
                yield from _held(target, read_chain(value, text, RULES), text)
        else:
            yield from _parts(targets, UNKNOWN, text)
        return
    yield from _parts(targets, read_chain(values, text, RULES), text)


def _parts(targets: Node, chain: str, text: SourceText) -> Iterator[FoundBinding]:
    """Read `a, b = f()` as `a = f()[0]` and so on, up to a star."""
    is_known = _says_something(chain)
    for index, target in enumerate(targets.named_children):
        is_known = is_known and target.type != "list_splat_pattern"
        if target.type in _PATTERNS:
            yield from _parts(target, f"{chain}[{index}]" if is_known else UNKNOWN, text)
        else:
            yield from _held(target, f"{chain}[{index}]" if is_known else UNKNOWN, text)


def _held(target: Node, chain: str, text: SourceText) -> Iterator[FoundBinding]:
    """Read a target that holds a chain; a name does even if nobody knows what."""
    if target.type not in {"identifier", "attribute"}:
        return
    written = _target(target, text)
    if written is None:
        return
    if _says_something(chain):
        yield FoundBinding(target.start_byte, written, chain, "value")
    elif target.type == "identifier":
        yield FoundBinding(target.start_byte, written, UNKNOWN, "value")


def _valued(target: Node, value: Node, text: SourceText) -> list[FoundBinding]:
    written = _target(target, text)
    if written is None:
        return []
    at, kind = target.start_byte, value.type
    if kind == "parenthesized_expression":
        value = _unwrapped(value)
        kind = value.type
    if kind == "call" and (chain := _plain_call(value, text)):
        return [FoundBinding(at, written, chain, "value")]
    chain = (kind in LISTED and listed(value, text)) or read_chain(value, text, RULES)
    if _says_something(chain):
        special = read_special(value, text) if chain.endswith(SPECIAL) else None
        return [FoundBinding(at, written, *(special or (chain, "value")))]
    values = _alternatives(value) if kind in _CHOICES else ()
    chains = [read_chain(each, text, RULES) for each in values]
    found = [FoundBinding(at, written, each, "value") for each in chains if _says_something(each)]
    return found or [*_held(target, UNKNOWN, text)]


def _plain_call(call: Node, text: SourceText) -> str:
    """Write `a.f(x)` as `a.f()` if that is all there is to say; else it is an empty chain."""
    function = call.child(0)
    chain, _, name = NOT_PLAIN if function is None else plain_parts(function, text)
    return f"{chain}()" if chain and name not in _NOT_PLAIN else ""


def _unwrapped(value: Node) -> Node:
    while value.type == "parenthesized_expression" and (inner := child_at(value, 0)) is not None:
        value = inner
    return value


def _alternatives(value: Node) -> list[Node]:
    """Split `a or b` and `a if c else b`."""
    if value.type not in _CHOICES:
        return [value]
    waiting: list[Node] = [value]
    found: list[Node] = []
    while waiting and len(found) < _ALTERNATIVES:
        node = waiting.pop(0)
        children = node.named_children if node.type in _CHOICES else []
        if len(children) >= 2:
            waiting[:0] = [children[0], children[-1]]
        else:
            found.append(node)
    return found


def _says_something(chain: str) -> bool:
    return not chain.startswith(UNKNOWN) and chain != "None"


def _captured(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Note a name that a case of `match` binds."""
    around: Node | None = node
    while around is not None and around.type != "case_clause":
        around = around.parent
    if around is not None:
        yield FoundBinding(node.start_byte, text.of(node), UNKNOWN, "value", around.end_byte)


def _hidden_by_lambda(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Note the parameters of a lambda that it calls, or calls something of."""
    parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    if parameters is None or body is None:
        return
    called = set(_CALLED_NAME.findall(text.of(body)))
    for each in parameters.named_children:
        name = text.of(each.child_by_field_name("name") or each).lstrip("*")
        default = each.child_by_field_name("value")
        # In `lambda x, run=run: run(x)` it is what it hides.
        if name in called and (default is None or text.of(default) != name):
            yield FoundBinding(body.start_byte, name, UNKNOWN, "value", body.end_byte)


def _looped(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    around = node.parent
    if node.type == "for_statement" or around is None:
        yield from _gone_through(node, text)
        return
    # The names of a comprehension hold from its beginning to its end.
    for each in _gone_through(node, text):
        yield each._replace(at=around.start_byte, until=around.end_byte)


def _gone_through(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    target, items = node.child_by_field_name("left"), node.child_by_field_name("right")
    if target is None or items is None:
        return
    items = gone_through(items, text)
    if target.type in _PATTERNS:
        yield from _looped_together(node, target, items, text)
        return
    chain = read_chain(items, text, RULES)
    if target.type == "identifier" and _says_something(chain):
        yield FoundBinding(target.start_byte, text.of(target), chain, "item")
    elif node.type == "for_statement":
        yield from _held(target, UNKNOWN, text)


def _looped_together(
    node: Node, targets: Node, items: Node, text: SourceText
) -> Iterator[FoundBinding]:
    """See through `for i, x in enumerate(xs)` and `zip(xs, ys)`, and into `d.items()`."""
    function = items.child_by_field_name("function")
    called = "" if function is None else text.of(function)
    arguments = items.child_by_field_name("arguments") if called in {"enumerate", "zip"} else None
    if arguments is None:
        chain = read_chain(items, text, RULES)
        # The names of a comprehension do not hide any outside of it.
        if node.type == "for_statement" or _says_something(chain):
            yield from _parts(targets, f"{chain}[]", text)
        return
    taken = [None] * (called == "enumerate") + list(arguments.named_children)
    for target, each in zip(targets.named_children, taken, strict=False):
        chain = UNKNOWN if each is None else read_chain(each, text, RULES)
        if target.type == "identifier" and _says_something(chain):
            yield FoundBinding(target.start_byte, text.of(target), chain, "item")


def _entered(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    value, alias = child_at(node, 0), node.child_by_field_name("alias")
    target = None if alias is None else child_at(alias, 0)
    if value is None or target is None:
        return
    if target.type in _PATTERNS:
        yield from _parts(target, UNKNOWN, text)
        return
    chain = read_chain(value, text, RULES)
    if _says_something(chain):
        yield FoundBinding(target.start_byte, text.of(target), chain, "enter")
    else:
        yield from _held(target, UNKNOWN, text)


def _given(name: str, node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read what a function returns or yields; literals say nothing about the repository."""
    if text.data.endswith(b"from", 0, node.start_byte - 1):
        return
    for each in _alternatives(node):
        kind = each.type
        if kind in RULES.literals:
            continue
        chain = (kind == "call" and _plain_call(each, text)) or read_chain(each, text, RULES)
        if _says_something(chain):
            yield FoundBinding(node.start_byte, name, chain, "value")


def _called(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Read what is called again, as in `f()(x)`: nothing there has the name of a call."""
    chain = read_chain(node, text, RULES)
    if _says_something(chain):
        yield FoundBinding(node.end_byte, "()", chain, "value")


def _abstract(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    """Note what every way through a function ends in, if that says: override me."""
    at = node.start_byte
    # A query that asks for the function around it takes a quarter longer for the whole file.
    if text.data.startswith(_ABSTRACT, at) and _stands_in_function(node):
        name = node.child_by_field_name("function") or node
        if text.of(name) == ABSTRACT:
            yield FoundBinding(at, RAISED, ABSTRACT, "value")


def _stands_in_function(raised: Node) -> bool:
    """Tell whether a statement stands at the top of the body of a function."""
    statement = raised.parent
    block = None if statement is None else statement.parent
    around = None if block is None else block.parent
    return around is not None and around.type == "function_definition"


def _caught(node: Node, text: SourceText) -> Iterator[FoundBinding]:
    caught, target = child_at(node, 0), node.child_by_field_name("alias")
    if caught is None or target is None:
        return
    types = caught.named_children if caught.type == "tuple" else [caught]
    for each in types[:_ALTERNATIVES]:
        chain = read_chain(each, text, RULES)
        if _says_something(chain):
            yield FoundBinding(target.start_byte, text.of(target), chain, "type")


_READ: Final[Mapping[str, Callable[[Node, SourceText], Iterable[FoundBinding]]]] = {
    "bind": _assigned,
    "walrus": _named,
    "each": _looped,
    "lambda": _hidden_by_lambda,
    "captured": _captured,
    "enter": _entered,
    "caught": _caught,
    "called": _called,
    "raised": _abstract,
    "return": partial(_given, "return"),
    "yield": partial(_given, "yield"),
}
