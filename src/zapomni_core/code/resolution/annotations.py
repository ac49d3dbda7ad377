"""Types as they are written, taken apart."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

__all__ = ["BRACKETS", "Annotation", "function_parameters", "is_plain", "read_annotation"]

# Types without a name of their own, as nobody can call one, and what they are.
BRACKETS: Final = {"[]": "list", "()": "tuple"}

_TOKEN: Final = re.compile(r"[\w$]+(?:(?:\.|::)[\w$]+)*|[\[\](){}<>,|?&*]|=>|->")
# Which way a channel of Go goes, and lifetimes of Rust: `&'a T`, `Of<'a, T>`, `dyn T + 'a`.
_NOISE: Final = re.compile(
    r"<-(?=chan\b)|(?<=\bchan)<-|(?<=[&<,+ ])'\w+\b(?!')\s*(?:[,+](?=\s*[\w']))?"
)
_OPEN: Final = {"[": "]", "<": ">", "(": ")", "{": "}"}
_CLOSE: Final = frozenset(_OPEN.values())
_NOTHING: Final = frozenset({"None", "null", "undefined", "void", "nil"})
# Words in front of a type that do not change which class it is.
_MODIFIERS: Final = frozenset(
    {"const", "mut", "dyn", "impl", "readonly", "final", "ref", "extends", "super", "chan", "box"}
)
_TRANSPARENT: Final = frozenset(
    {
        "Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly",
        "Union", "Awaitable", "Coroutine", "Promise", "Box", "Rc", "Arc", "Ref", "RefMut",
        "Readonly", "Partial", "Nullable", "InitVar", "unique_ptr", "shared_ptr", "weak_ptr",
        "Task", "ValueTask", "Lazy",
    }
)  # fmt: skip
_PLAIN: Final = frozenset({"None", "bool", "bytes", "float", "int", "str"})
# Each may stand in another one, and a type is read by functions that call themselves.
_MOST_BRACKETS: Final = 60
_LAST: Final = frozenset({"Coroutine"})


class Annotation(NamedTuple):
    """A type: its name with dots, and the alternatives of each place in its brackets."""

    name: str
    arguments: tuple[tuple[Annotation, ...], ...] = ()


_UNKNOWN: Final = Annotation("")


def is_plain(text: str) -> bool:
    """Tell whether a type is one of those that never lead back into the repository."""
    return text in _PLAIN


@lru_cache(maxsize=32768)
def read_annotation(text: str) -> tuple[Annotation, ...]:
    """Return the alternatives that a type allows, without the empty ones."""
    tokens = _TOKEN.findall(_NOISE.sub("", text).replace('"', "").replace("'", ""))
    if sum(token in _OPEN for token in tokens) > _MOST_BRACKETS:
        return ()
    return _alternatives(_Tokens(tokens))


@lru_cache(maxsize=4096)
def function_parameters(text: str) -> tuple[str, ...] | None:
    """Return the types of what `(a: A, b?: B) => C` takes; None if it is no such function."""
    start = text.find("(")
    if start < 0 or text[:start].strip(" (") or "=>" not in text:
        return None
    start = len(text) - len(text.lstrip(" ("))
    parts, depth, first = [], 0, start
    for at in range(start, len(text)):
        letter = text[at]
        if depth == 0 and letter in ",)":
            parts.append(text[first:at])
            first = at + 1
            if letter == ")":
                break
        elif letter in "([{<":
            depth += 1
        elif letter in ")]}" or (letter == ">" and text[at - 1] != "="):
            depth -= 1
    named = (part.partition(":") for part in parts if part.strip())
    return tuple(kind.strip() for name, _, kind in named if name.strip() != "this")


class _Tokens:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def is_empty_list(self) -> bool:
        return self.tokens[self.at : self.at + 2] == ["[", "]"]

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token


def _alternatives(tokens: _Tokens) -> tuple[Annotation, ...]:
    found: list[Annotation] = []
    while True:
        found += _one(tokens)
        if tokens.peek() != "|":
            return tuple(found)
        tokens.next()


def _one(tokens: _Tokens) -> list[Annotation]:
    while tokens.peek() in {"*", "&", "?"} or tokens.peek() in _MODIFIERS:
        tokens.next()
    if tokens.peek() in _OPEN:
        return _listed(tokens, _bracketed(tokens))
    if not tokens.peek() or tokens.peek() in _CLOSE or tokens.peek() in {",", "|"}:
        return []
    if tokens.peek() == "typeof":
        tokens.next()
        return [Annotation("type", (tuple(_one(tokens)),))]
    name = tokens.next().replace("::", ".")
    arguments: tuple[tuple[Annotation, ...], ...] = ()
    while tokens.peek() in _OPEN and not tokens.is_empty_list():
        arguments += _arguments(tokens)
    if name == "map" and len(arguments) == 1:
        # Go writes what a map holds behind the brackets of its keys.
        arguments += (tuple(_one(tokens)),)
    while tokens.peek() in {"?", "&", "*"}:
        tokens.next()
    return _listed(tokens, _named(name, arguments))


def _listed(tokens: _Tokens, of: list[Annotation]) -> list[Annotation]:
    """Read `T[]`, and `T[][]`."""
    while tokens.is_empty_list():
        tokens.at += 2
        of = [Annotation("[]", (tuple(of),))]
    return of


def _bracketed(tokens: _Tokens) -> list[Annotation]:
    opening = tokens.peek()
    inside = _arguments(tokens)
    if tokens.peek() in {"=>", "->"}:
        tokens.next()
        _one(tokens)
        return [_UNKNOWN]
    if opening == "[" and tokens.peek() and tokens.peek() not in _CLOSE | {",", "|"}:
        # Go writes the brackets of a list in front of what is in it.
        return [Annotation("[]", (tuple(_one(tokens)),))]
    if opening == "(" and len(inside) == 1:
        return list(inside[0])
    if opening == "{":
        return [_UNKNOWN]
    return [Annotation("()", inside)]


def _arguments(tokens: _Tokens) -> tuple[tuple[Annotation, ...], ...]:
    closing = _OPEN[tokens.next()]
    found: list[tuple[Annotation, ...]] = []
    while tokens.peek() and tokens.peek() != closing:
        before = tokens.at
        alternatives = _alternatives(tokens)
        if alternatives:
            found.append(alternatives)
        if tokens.peek() == "," or tokens.at == before:
            tokens.next()
    tokens.next()
    return tuple(found)


def _named(name: str, arguments: tuple[tuple[Annotation, ...], ...]) -> list[Annotation]:
    last = name.rpartition(".")[2]
    if last in _NOTHING:
        return []
    if last in _TRANSPARENT and arguments:
        if last == "Annotated":
            return list(arguments[0])
        if last in _LAST:
            return list(arguments[-1])
        return [each for alternatives in arguments for each in alternatives]
    return [Annotation(name, arguments)]
