"""Expressions written as chains: `self.app.views[name](x).run` is `self.app.views[]().run`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = [
    "NOT_PLAIN",
    "UNKNOWN",
    "ChainRules",
    "follow",
    "plain_chain",
    "plain_parts",
    "read_chain",
]

UNKNOWN: Final = "?"
NOT_PLAIN: Final = ("", "", "")
_PLAIN: Final = re.compile(rb"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
# Longer expressions are read link by link, and no further than so many links: a file may hold
# one chain of 100,000 calls, and each of them asks for everything in front of it.
_PLAIN_BYTES: Final = 160
_LINKS: Final = 40
_CACHE_ENTRIES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class ChainRules:
    """The node types of a language that make up chains, with the fields to follow."""

    names: frozenset[str]
    # type -> (field of what is in front, field of the name)
    members: Mapping[str, tuple[str, str]]
    # type -> field of what is called, empty for the first named child
    calls: Mapping[str, str]
    # type -> the same as for members, of a node that is the member and its call at once
    method_calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    subscripts: Mapping[str, str] = field(default_factory=dict)
    # type -> field of what is inside, empty for the first named child
    wrappers: Mapping[str, str] = field(default_factory=dict)
    # types of nodes that say what type something is of, in their last child
    casts: frozenset[str] = frozenset()
    # how a wrapper begins whose inside is a member of a type that is told elsewhere
    implied: bytes = b""
    # what names may begin with that is not part of them
    sigils: str = ""
    # how a call begins that gives the class of what it is handed
    class_of: bytes = b""
    # how a call begins that makes an object of the type it is handed
    maker: bytes = b""
    # literals, written as if their type had been called
    literals: Mapping[str, str] = field(default_factory=dict)


def read_chain(node: Node, text: SourceText, rules: ChainRules) -> str:
    """Write an expression as a chain."""
    return _as_it_stands(node, node.type, text, rules) or _linked(node, text, rules)


def _as_it_stands(node: Node, kind: str, text: SourceText, rules: ChainRules) -> str:
    if kind in rules.names or kind in rules.members:
        return plain_parts(node, text)[0]
    return rules.literals.get(kind, "")


def plain_chain(start: int, end: int, text: SourceText) -> str:
    """Read names joined by dots as they stand; anything else is an empty chain."""
    return _known(text.data[start:end])[0] if end - start <= _PLAIN_BYTES else ""


def plain_parts(node: Node, text: SourceText) -> tuple[str, str, str]:
    """Give names joined by dots, what stands in front of the last one, and the last one."""
    start, end = node.start_byte, node.end_byte
    return _known(text.data[start:end]) if end - start <= _PLAIN_BYTES else NOT_PLAIN


class _Known(dict[bytes, tuple[str, str, str]]):
    """The plain chains met so far: a few thousand make up most of a repository."""

    def __missing__(self, written: bytes) -> tuple[str, str, str]:
        if not _PLAIN.fullmatch(written):
            return NOT_PLAIN
        if len(self) >= _CACHE_ENTRIES:
            self.clear()
        chain = written.decode("ascii")
        receiver, _, name = chain.rpartition(".")
        parts = self[written] = (chain, receiver, name)
        return parts


# A method of a dictionary is asked in half of the time of a function.
_known: Final = _Known().__getitem__


def _linked(node: Node | None, text: SourceText, rules: ChainRules) -> str:
    links: list[str] = []
    suffix = ""
    for _ in range(_LINKS):
        if node is None:
            break
        kind = node.type
        # The whole was tried already; what is called in it may well be plain.
        if suffix and (plain := _as_it_stands(node, kind, text, rules)):
            links.append(plain + suffix)
            return _joined(links)
        if kind in rules.names:
            links.append(_name(node, text, rules) + suffix)
            return _joined(links)
        if kind in rules.literals:
            links.append(rules.literals[kind] + suffix)
            return _joined(links)
        if kind in rules.casts and (typed := _cast(node, text, rules)):
            links.append(typed + suffix)
            return _joined(links)
        if kind in rules.calls and (inner := _asked_for_class(node, text, rules)):
            links.append(f"__class__{suffix}")
            node, suffix = inner, ""
            continue
        fields = rules.members.get(kind) or rules.method_calls.get(kind)
        if fields is None:
            node, behind = _step(node, kind, text, rules)
            suffix = behind + suffix
            continue
        behind = "()" if kind in rules.method_calls else ""
        links.append(_name(follow(node, fields[1]), text, rules) + behind + suffix)
        suffix = ""
        node = follow(node, fields[0])
        if node is None:
            return _joined(links)
    links.append(UNKNOWN + suffix)
    return _joined(links)


def _asked_for_class(node: Node, text: SourceText, rules: ChainRules) -> Node | None:
    """See `self` in `type(self)`; `type(self).f` and `type(self)()` begin in the same way."""
    if not (rules.class_of and text.data.startswith(rules.class_of, node.start_byte)):
        return None
    function = follow(node, rules.calls[node.type])
    if function is None or function.end_byte - node.start_byte != len(rules.class_of) - 1:
        return None
    arguments = child_at(node, 1)
    return child_at(arguments, 0) if arguments and arguments.named_child_count == 1 else None


def _made(node: Node, text: SourceText, rules: ChainRules) -> Node | None:
    """See T in `new(T)`."""
    if not (rules.maker and text.data.startswith(rules.maker, node.start_byte)):
        return None
    arguments = node.child_by_field_name("arguments")
    is_maker = arguments and arguments.start_byte == node.start_byte + len(rules.maker) - 1
    return child_at(arguments, 0) if arguments and is_maker else None


def _cast(node: Node, text: SourceText, rules: ChainRules) -> str:
    """Write `x as T` as if a T was made, and `x as typeof T` as T."""
    typed = child_at(node, node.named_child_count - 1)
    is_query = typed is not None and typed.type == "type_query"
    if is_query and typed is not None:
        typed = child_at(typed, 0)
    if typed is None or typed.type not in {*rules.names, *rules.members, *rules.wrappers}:
        return ""
    chain = read_chain(typed, text, rules)
    return "" if chain.startswith(UNKNOWN) or not chain else chain + ("" if is_query else "()")


def _step(node: Node, kind: str, text: SourceText, rules: ChainRules) -> tuple[Node | None, str]:
    """Go one node in, and tell what that leaves behind."""
    if kind in rules.calls:
        return _made(node, text, rules) or follow(node, rules.calls[kind]), "()"
    if kind in rules.subscripts:
        # A part of a list is a list.
        place = node.child_by_field_name("subscript")
        is_part = place is not None and place.type == "slice"
        return follow(node, rules.subscripts[kind]), "" if is_part else "[]"
    is_implied = rules.implied and text.data.startswith(rules.implied, node.start_byte)
    if kind not in rules.wrappers or is_implied:
        return None, ""
    return follow(node, rules.wrappers[kind]), ""


def follow(node: Node, field: str) -> Node | None:
    """Go to a field; `""` is the first named child and `"-1"` the last one."""
    if field == "":
        return child_at(node, 0)
    if field == "-1":
        return child_at(node, node.named_child_count - 1)
    return node.child_by_field_name(field)


def _name(node: Node | None, text: SourceText, rules: ChainRules) -> str:
    while node is not None and node.type in rules.wrappers:
        node = follow(node, rules.wrappers[node.type])
    if node is None or node.end_byte - node.start_byte > _PLAIN_BYTES:
        return UNKNOWN
    if plain := plain_parts(node, text)[0]:
        return plain
    name = text.of(node).lstrip(rules.sigils).replace("::", ".").replace("\\", ".").lstrip(".")
    return name if name and " " not in name and "\n" not in name else UNKNOWN


def _joined(links: list[str]) -> str:
    return ".".join(reversed(links))
