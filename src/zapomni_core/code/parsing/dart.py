"""What stands in a Dart file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules
from zapomni_core.code.parsing.import_lines import read_dart_import
from zapomni_core.code.parsing.reading import Captures, Draft, FoundCall, Reading
from zapomni_core.code.parsing.tables import (
    Named,
    Table,
    bases_in,
    name_in,
    name_of,
    reader_of,
)
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["read_dart"]

_CONSTRUCTORS: Final = frozenset({"constructor_signature", "factory_constructor_signature"})
_HEADS: Final = frozenset({"identifier", "type_identifier", "this", "super"})
_SELECTORS: Final = frozenset(
    {"unconditional_assignable_selector", "conditional_assignable_selector"}
)
_LINKS: Final = 40


def read_dart(captures: Captures, text: SourceText) -> Reading:
    """Read a Dart file: bodies stand behind functions, and arguments behind what is called."""
    reading = _read_heads(captures, text)
    ends = {}
    for body in captures.get("body", ()):
        head = body.prev_named_sibling
        if head is not None:
            ends[head.end_byte] = body.end_byte
    made = {node.start_byte: _class_of(node, text) for node in captures.get("def.method", ())}
    reading.drafts = [_completed(draft, ends, made) for draft in reading.drafts]
    for node in captures.get("called", ()):
        reading.calls.extend(_calls(node, text))
    return reading


def _completed(draft: Draft, ends: dict[int, int], made: dict[int, str]) -> Draft:
    returns = made.get(draft.start, "") if draft.kind == "method" else ""
    return draft._replace(end=ends.get(draft.end, draft.end), returns=draft.returns or returns)


def _class_of(node: Node, text: SourceText) -> str:
    first = next((child for child in node.named_children if child.type == "identifier"), None)
    return text.of(first) if first is not None and node.type in _CONSTRUCTORS else ""


def _calls(arguments: Node, text: SourceText) -> Iterator[FoundCall]:
    """Read what stands in front of arguments, which is not around them but beside them."""
    called = arguments.prev_named_sibling
    if called is None or called.is_missing:
        return
    if called.type == "identifier":
        yield (called.start_byte, text.of(called), "")
        return
    member = child_at(called, 0) if called.type == "selector" else called
    named = child_at(member, 0) if member is not None and member.type in _SELECTORS else None
    if named is not None and named.type == "identifier" and not named.is_missing:
        yield (named.start_byte, text.of(named), _chain_before(called, text))


def _chain_before(node: Node, text: SourceText) -> str:
    links: list[str] = []
    at = node.prev_named_sibling
    for _ in range(_LINKS):
        if at is None:
            break
        if at.type in _HEADS:
            return text.of(at) + "".join(reversed(links))
        link = _link(at, text)
        if not link and text.of(at) != "!":
            break
        links.append(link)
        at = at.prev_named_sibling
    return UNKNOWN + "".join(reversed(links))


def _link(node: Node, text: SourceText) -> str:
    inner = child_at(node, 0) if node.type == "selector" else node
    if inner is None:
        return ""
    if inner.type == "argument_part":
        return "()"
    last = child_at(inner, 0) if inner.type in _SELECTORS else None
    if last is None:
        return ""
    return f".{text.of(last)}" if last.type == "identifier" else "[]"


def _name(node: Node, text: SourceText) -> Named | None:
    if node.type in _CONSTRUCTORS:
        # `App.named()` is a member of its own.
        names = [child for child in node.named_children if child.type == "identifier"]
        return name_of(names[-1], text) if names else None
    return name_in("identifier", "type_identifier")(node, text)


_read_heads: Final = reader_of(
    Table(
        rules=ChainRules(names=frozenset({"identifier", "type_identifier"}), members={}, calls={}),
        name=_name,
        bases=bases_in("superclass", "interfaces", "mixins"),
        imports=read_dart_import,
    )
)
