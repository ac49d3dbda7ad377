"""What stands in a Python file."""

from __future__ import annotations

import inspect
import re
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from tree_sitter import Node

from zapomni_core.code.model import Kind
from zapomni_core.code.parsing.chains import (
    plain_chain,
    plain_parts,
    read_chain,
)
from zapomni_core.code.parsing.python_bindings import read_bindings
from zapomni_core.code.parsing.python_expressions import RULES, annotation
from zapomni_core.code.parsing.python_imports import read_imports
from zapomni_core.code.parsing.python_narrowing import narrowed
from zapomni_core.code.parsing.python_recovery import lost_in_python
from zapomni_core.code.parsing.reading import Captures, Draft, FoundCall, Reading
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["read_python"]

_KINDS: Final[tuple[Kind, ...]] = ("function", "class")
_DOC_LENGTH: Final = 1_000
# Quotes, what may stand in front of them, and comments.
_BEFORE_DOCSTRING: Final = frozenset(b"\"'bBfFrRuU#")
_QUOTED: Final = re.compile(r"""[a-zA-Z]*("{3}|'{3}|"|')(.*)\1""", re.DOTALL)
_END_OF_STATEMENT: Final = re.compile(rb"[ \t]*(?:\r?\n|\Z)")
_CALL_OF_TYPE: Final = re.compile(rb"type\s*\(")
_HEADS: Final = ([b"def"], [b"class"])
_LONGEST_HEAD: Final = 16
_CACHE_ENTRIES: Final = 1 << 12
_PLAIN_PARAMETERS: Final = re.compile(r"\([\w\s,*]*\)", re.ASCII)


def read_python(captures: Captures, text: SourceText) -> Reading:
    """Read a Python file."""
    decorated = {
        inner.id: node
        for node in captures.get("decorated", ())
        if (inner := node.child_by_field_name("definition")) is not None
    }
    reading = Reading()
    for kind in _KINDS:
        for node in captures.get(f"def.{kind}", ()):
            draft = _draft(node, kind, decorated.get(node.id), text)
            if draft is not None:
                reading.drafts.append(draft)
    if captures.get("error"):
        reading.drafts += lost_in_python(text, {draft.at for draft in reading.drafts})
    for node in captures.get("import", ()):
        at = node.start_byte
        reading.imports.extend((at, each) for each in read_imports(text.of(node)))
    reading.bindings = read_bindings(captures, text)
    _read_calls(reading, captures, text)
    return reading


def _read_calls(reading: Reading, captures: Captures, text: SourceText) -> None:
    calls = captures.get("call", ())
    if captures.get("error"):
        calls = [node for node in calls if not _is_head(node, text)]
    add = reading.calls.append
    for node in calls:
        chain, receiver, name = plain_parts(node, text)
        at = node.end_byte - len(name)
        if not chain:
            at, name, receiver = _strange_call(node, text)
        add((at, name, receiver))
        if name == "isinstance" and not receiver:
            asked = narrowed(node, text)
            if asked is not None:
                reading.bindings.append(asked)
    for node in captures.get("alias", ()):
        # Only a name can stand behind the word: the grammar takes `type(x).y = z` for an alias.
        at = node.start_byte
        if _CALL_OF_TYPE.match(text.data, at):
            reading.calls.append((at, "type", ""))


def _draft(node: Node, kind: Kind, decorated: Node | None, text: SourceText) -> Draft | None:
    named = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if named is None or body is None or named.is_missing:
        return None
    name = _identifier(text.of(named))
    at = node.start_byte
    start = at if decorated is None else decorated.start_byte
    end = _end_of_code(node, text)
    returns = node.child_by_field_name("return_type") if kind == "function" else None
    opening = body.start_byte
    # In their order, which is faster than by their names.
    return Draft(
        name,
        kind,
        at,
        start,
        end,
        min(opening, end - 1),
        "",
        text.signature(at, opening),
        _docstring(body, opening, text) or text.comment_above(start),
        _bases(node, text) if kind == "class" else (),
        _parameters(node, text) if kind == "function" else (),
        "" if returns is None else annotation(returns, text),
        () if decorated is None else _decorators(decorated, text),
        not name.startswith("_") or name.endswith("__"),
    )


def _is_head(node: Node, text: SourceText) -> bool:
    """Tell whether `f(x)` is the rest of `def f(x)`, where the grammar has given up."""
    at = node.start_byte
    return text.data[max(0, at - _LONGEST_HEAD) : at].split()[-1:] in _HEADS


def _strange_call(node: Node, text: SourceText) -> FoundCall:
    """Read a call of something that is not only names joined by dots."""
    if node.type == "parenthesized_expression":
        node = next(each for each in node.named_children if each.type != "comment")
    end = node.end_byte
    # In `[*a.f()]` the star belongs to the name for the grammar.
    star = text.data.startswith(b"*", node.start_byte)
    plain = plain_chain(node.start_byte + 1, end, text) if star else ""
    receiver, _, name = (plain or read_chain(node, text, RULES)).rpartition(".")
    return end - len(name.encode()), _identifier(name), receiver


def _identifier(name: str) -> str:
    return name if name.isascii() else normalize("NFKC", name)


def _end_of_code(node: Node, text: SourceText) -> int:
    # The grammar puts comments behind the last statement into the block.
    end = node.end_byte
    last_line = text.data.rfind(b"\n", node.start_byte, end) + 1
    # Few lines have the sign at all.
    sign = text.data.find(b"#", last_line, end)
    if sign < 0 or text.data[last_line:sign].strip():
        return end
    last = node
    while (child := _last_but_comments(last)) is not None:
        last = child
    return max(last.end_byte, node.start_byte + 1)


def _last_but_comments(node: Node) -> Node | None:
    for index in reversed(range(node.child_count)):
        child = node.child(index)
        if child is not None and child.type != "comment":
            return child
    return None


def _docstring(body: Node, opening: int, text: SourceText) -> str:
    if text.data[opening] not in _BEFORE_DOCSTRING:
        return ""
    if text.data.startswith(b'"""', opening) and not body.has_error:
        doc = _plain_docstring(opening + 3, body, text)
        if doc is not None:
            return doc
    first = child_at(body, 0)
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    if first is None or first.type != "expression_statement" or first.named_child_count != 1:
        return ""
    string = child_at(first, 0)
    if string is None or string.type not in {"string", "concatenated_string"}:
        return ""
    quoted = _QUOTED.fullmatch(text.of(string))
    if quoted is None:
        return ""
    return _cleaned(quoted.group(2))


def _plain_docstring(start: int, body: Node, text: SourceText) -> str | None:
    """Read a docstring without a look at the nodes; None if it is not sure where it ends."""
    end = text.data.find(b'"""', start, body.end_byte)
    if end < 0 or not _END_OF_STATEMENT.match(text.data, end + 3):
        return None
    doc = text.between(start, end)
    return None if "\\" in doc else _cleaned(doc)


def _cleaned(doc: str) -> str:
    # Most have one line, which needs no look at margins.
    clean = inspect.cleandoc(doc) if "\n" in doc else doc.expandtabs()
    return clean.strip()[:_DOC_LENGTH]


def _bases(node: Node, text: SourceText) -> tuple[str, ...]:
    arguments = node.child_by_field_name("superclasses")
    if arguments is None:
        return ()
    return tuple(
        read_chain(child, text, RULES)
        for child in arguments.named_children
        if child.type not in {"keyword_argument", "comment", "dictionary_splat"}
    )


def _decorators(decorated: Node, text: SourceText) -> tuple[str, ...]:
    return tuple(
        read_chain(expression, text, RULES)
        for child in decorated.named_children
        if child.type == "decorator" and (expression := child_at(child, 0)) is not None
    )


def _parameters(node: Node, text: SourceText) -> tuple[tuple[str, str], ...]:
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return ()
    plain = _plain_parameters(text.of(listed))
    if plain is not None:
        return plain
    return tuple(
        [each for child in listed.named_children if (each := _parameter(child, text)) is not None]
    )


# Most functions of a repository have the parameters of another one.
@lru_cache(_CACHE_ENTRIES)
def _plain_parameters(listed: str) -> tuple[tuple[str, str], ...] | None:
    """Read parameters that are only names; None if there is more to them."""
    if not _PLAIN_PARAMETERS.fullmatch(listed):
        return None
    names = map(str.strip, listed[1:-1].split(","))
    return tuple([(name, "") for name in names if name not in {"", "*"}])


def _parameter(node: Node, text: SourceText) -> tuple[str, str] | None:
    if node.type in {"comment", "keyword_separator", "positional_separator", "ERROR"}:
        return None
    typed = node.child_by_field_name("type")
    if node.type in {"default_parameter", "typed_default_parameter"}:
        named = node.child_by_field_name("name")
    else:
        named = child_at(node, 0) if node.type == "typed_parameter" else node
    if named is None:
        return None
    return text.of(named), "" if typed is None else annotation(typed, text)
