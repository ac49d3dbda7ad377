"""Elixir, Erlang, Haskell and OCaml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.model import Import, Kind
from zapomni_core.code.parsing.chains import ChainRules
from zapomni_core.code.parsing.import_lines import (
    read_elixir_alias,
    read_haskell_import,
    read_module,
)
from zapomni_core.code.parsing.reading import Captures, Draft, Reading
from zapomni_core.code.parsing.tables import Named, Table, name_field, name_in, name_of, reader_of
from zapomni_core.code.parsing.text import SourceText, child_at

__all__ = ["read_elixir", "read_erlang", "read_haskell", "read_ocaml"]

_ELIXIR_KINDS: Final[dict[str, Kind]] = {
    "def": "function",
    "defdelegate": "function",
    "defguard": "function",
    "defguardp": "function",
    "defimpl": "module",
    "defmacro": "macro",
    "defmacrop": "macro",
    "defmodule": "module",
    "defp": "function",
    "defprotocol": "interface",
}
_ELIXIR_PRIVATE: Final = frozenset({"defp", "defmacrop", "defguardp"})
_ELIXIR_IMPORTS: Final = frozenset({"alias", "import", "require", "use"})
_ELIXIR_RULES: Final = ChainRules(
    names=frozenset({"identifier", "alias"}),
    members={"dot": ("left", "right")},
    calls={"call": "target"},
)


def read_elixir(captures: Captures, text: SourceText) -> Reading:
    """Read an Elixir file, in which everything is a call."""
    sorted_out: dict[str, list[Node]] = {"import": []}
    for node in captures.get("keyword", ()):
        word = _elixir_word(node, text)
        if word in _ELIXIR_KINDS:
            sorted_out.setdefault(f"def.{_ELIXIR_KINDS[word]}", []).append(node)
        elif word in _ELIXIR_IMPORTS:
            sorted_out["import"].append(node)
    reading = _read_sorted_elixir({**captures, **sorted_out}, text)
    heads = {draft.at for draft in reading.drafts}
    words = _ELIXIR_KINDS.keys() | _ELIXIR_IMPORTS
    reading.calls = [
        (at, name, receiver)
        for at, name, receiver in reading.calls
        if name not in words and at not in heads
    ]
    return reading


def _elixir_word(node: Node, text: SourceText) -> str:
    target = node.child_by_field_name("target")
    return "" if target is None else text.of(target)


def _elixir_name(node: Node, text: SourceText) -> Named | None:
    arguments = child_at(node, 1)
    named = None if arguments is None else child_at(arguments, 0)
    for _ in range(4):
        if named is None or named.type in {"identifier", "alias", "atom"}:
            break
        named = named.child_by_field_name("left") or named.child_by_field_name("target")
    if named is None:
        return None
    if named.type == "identifier":
        return Named(text.of(named), named.start_byte)
    return name_of(named, text)


def _elixir_is_exported(node: Node, _named: Named, text: SourceText) -> bool:
    return _elixir_word(node, text) not in _ELIXIR_PRIVATE


_read_sorted_elixir: Final = reader_of(
    Table(
        rules=_ELIXIR_RULES,
        name=_elixir_name,
        imports=read_elixir_alias,
        is_exported=_elixir_is_exported,
    )
)


def _erlang_name(node: Node, text: SourceText) -> Named | None:
    clause = node.child_by_field_name("clause")
    return name_field(node if clause is None else clause, text)


def _erlang_import(node: Node, text: SourceText) -> Iterator[Import]:
    module = node.child_by_field_name("module")
    for listed in node.children_by_field_name("funs"):
        function = listed.child_by_field_name("fun")
        if module is not None and function is not None:
            name = text.of(function)
            yield Import(text.of(module), name, name, 0)


def read_erlang(captures: Captures, text: SourceText) -> Reading:
    """Read an Erlang file; `m:f()` is a call of f on m."""
    return _join_clauses(_read_erlang_clauses(captures, text))


_read_erlang_clauses: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"atom", "var", "remote_module"}),
            members={},
            calls={"call": "expr"},
            method_calls={"remote": ("module", "fun")},
        ),
        name=_erlang_name,
        imports=_erlang_import,
    )
)


def read_haskell(captures: Captures, text: SourceText) -> Reading:
    """Read a Haskell file; the equations of a function are one definition."""
    return _join_clauses(_read_equations(captures, text))


def _join_clauses(reading: Reading) -> Reading:
    joined: list[Draft] = []
    for draft in sorted(reading.drafts, key=lambda each: (each.start, -each.end)):
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.end <= draft.start
            and (last.name, last.kind) == (draft.name, draft.kind)
        ):
            joined[-1] = last._replace(end=draft.end)
        else:
            joined.append(draft)
    reading.drafts = joined
    return reading


_read_equations: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"variable", "constructor", "name"}),
            members={"qualified": ("module", "id")},
            calls={"apply": "function"},
        ),
        imports=read_haskell_import,
    )
)


def _ocaml_name(node: Node, text: SourceText) -> Named | None:
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        return name_of(pattern, text) if pattern.type == "value_name" else None
    return name_in("module_name", "class_name", "method_name")(node, text)


read_ocaml: Final = reader_of(
    Table(
        rules=ChainRules(
            names=frozenset({"value_path", "value_name"}),
            members={},
            calls={"application_expression": "function"},
        ),
        name=_ocaml_name,
        imports=read_module,
    )
)
