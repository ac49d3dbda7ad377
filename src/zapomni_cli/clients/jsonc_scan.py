"""Read JSON with comments and trailing commas, and know where each part stands in the text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from zapomni_cli.clients.errors import Unparsable

__all__ = ["Item", "Member", "Node", "is_blank", "items_of", "scan"]

_TRIVIA = re.compile(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?s:.*?)\*/)*+")
_STRING = re.compile(r'"[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+"')
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_DEEPEST = 200
# Only the servers and what is beside them have to be taken apart.
_SHALLOW = 2


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


# A tab in a string is a mistake that clients forgive, unlike NaN.
_PLAIN = json.JSONDecoder(strict=False, parse_constant=_refuse)


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place; `members` is None unless it is an object."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] | None = None

    def member(self, key: str) -> Member | None:
        """Return the member of that key."""
        found = [member for member in self.members or () if member.key == key]
        if len(found) > 1:
            raise Unparsable(f'"{key}" is there twice')
        return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Member:
    """A key with its value; `comma` is the place of the comma after it."""

    key: str
    start: int
    node: Node
    comma: int | None


@dataclass(frozen=True, slots=True)
class Item:
    """A value in an array; `comma` is the place of the comma after it."""

    node: Node
    comma: int | None


def is_blank(text: str) -> bool:
    """Tell whether there is nothing but space and comments."""
    return _after_trivia(text, 0) == len(text)


def scan(text: str) -> Node:
    """Read a whole document."""
    root = _value(text, _after_trivia(text, 0), 0)
    end = _after_trivia(text, root.end)
    if end != len(text):
        _fail(text, end, "nothing more")
    return root


def items_of(text: str, array: Node) -> list[Item]:
    """Tell where the values of an array stand."""
    return _items(text, array.start, _SHALLOW)[0]


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        _fail(text, at, "fewer levels")
    if depth >= _SHALLOW and (plain := _plain(text, at)):
        return plain
    match text[at : at + 1]:
        case "{":
            return _object(text, at, depth)
        case "[":
            return _array(text, at, depth)
        case '"':
            return _string(text, at)
    found = _SCALAR.match(text, at)
    if not found:
        _fail(text, at, "a value")
    return Node(at, found.end(), _decoded(text, at, found[0]))


def _plain(text: str, at: int) -> Node | None:
    """Read what has no comments with the reader in C: 5 MB of it took 17 s without."""
    try:
        value, end = _PLAIN.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return Node(at, end, value)


def _object(text: str, start: int, depth: int) -> Node:
    members: list[Member] = []
    at = _after_trivia(text, start + 1)
    while text[at : at + 1] != "}":
        if members and members[-1].comma is None:
            _fail(text, at, "a comma or }")
        key = _string(text, at)
        colon = _after_trivia(text, key.end)
        if text[colon : colon + 1] != ":":
            _fail(text, colon, "a colon")
        node = _value(text, _after_trivia(text, colon + 1), depth + 1)
        comma = _comma(text, node.end)
        members.append(Member(key.value, key.start, node, comma))
        at = _after_trivia(text, node.end if comma is None else comma + 1)
    value = {member.key: member.node.value for member in members}
    return Node(start, at + 1, value, tuple(members))


def _array(text: str, start: int, depth: int) -> Node:
    items, end = _items(text, start, depth)
    return Node(start, end, [item.node.value for item in items])


def _items(text: str, start: int, depth: int) -> tuple[list[Item], int]:
    items: list[Item] = []
    at = _after_trivia(text, start + 1)
    while text[at : at + 1] != "]":
        if items and items[-1].comma is None:
            _fail(text, at, "a comma or ]")
        node = _value(text, at, depth + 1)
        comma = _comma(text, node.end)
        items.append(Item(node, comma))
        at = _after_trivia(text, node.end if comma is None else comma + 1)
    return items, at + 1


def _string(text: str, at: int) -> Node:
    found = _STRING.match(text, at)
    if not found:
        _fail(text, at, "a string in double quotes")
    return Node(at, found.end(), _decoded(text, at, found[0]))


def _comma(text: str, at: int) -> int | None:
    place = _after_trivia(text, at)
    return place if text[place : place + 1] == "," else None


def _after_trivia(text: str, at: int) -> int:
    found = _TRIVIA.match(text, at)
    assert found
    return found.end()


def _decoded(text: str, at: int, token: str) -> Any:
    try:
        return _PLAIN.decode(token)
    except ValueError:
        _fail(text, at, "a valid value")


def _fail(text: str, at: int, expected: str) -> NoReturn:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    raise Unparsable(f"line {line}, column {column}: expected {expected}")
