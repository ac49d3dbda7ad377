"""What names hold that stand in patterns and closures of Rust."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.blocks import handed_to, inside_of
from zapomni_core.code.parsing.chains import UNKNOWN, ChainRules, read_chain
from zapomni_core.code.parsing.reading import FoundBinding
from zapomni_core.code.parsing.text import SourceText, child_at, collapse

__all__ = ["VARIANT", "handed", "passed_on", "taken_apart"]

# Stands between a variant of an enum and the place of something in it: `Shape.Round@0`.
VARIANT: Final = "@"
_HOLDING: Final = frozenset({"Some", "Ok"})
_NAMES: Final = frozenset({"field_identifier", "identifier", "shorthand_field_identifier"})
_DECORATED: Final = frozenset({"ref_pattern", "mut_pattern", "reference_pattern"})
_CONDITIONS: Final = frozenset({"let_chain", "binary_expression"})
_WHOLE: Final = frozenset({"match_pattern", "or_pattern"})
_DEEPEST: Final = 60


def taken_apart(pattern: Node, text: SourceText, rules: ChainRules) -> Iterator[FoundBinding]:
    """Read what the names in `Some(x)`, `Shape::Round(x)` and `Point { x, y: z }` hold."""
    typed = pattern.child_by_field_name("type")
    if typed is None:
        return
    kind = read_chain(typed, text, rules)
    matched, until = _matched(pattern)
    if pattern.type == "struct_pattern":
        named = _named_fields(pattern, kind, text)
    else:
        inside = [each for each in pattern.named_children if each.id != typed.id]
        chain = UNKNOWN if matched is None else read_chain(matched, text, rules)
        named = ((each, _held(kind, place, chain)) for place, each in enumerate(inside))
    for each, value in named:
        name = _plain(each)
        if name is not None and not value.startswith(UNKNOWN):
            yield FoundBinding(name.start_byte, text.of(name), value, "value", until)


def _named_fields(pattern: Node, kind: str, text: SourceText) -> Iterator[tuple[Node, str]]:
    # Fields of a variant are bound in its enum.
    owner = kind.rpartition(".")[0] or kind
    for each in pattern.named_children:
        field = each.child_by_field_name("name") if each.type == "field_pattern" else None
        if field is not None:
            yield each.child_by_field_name("pattern") or field, f"{owner}.{text.of(field)}"


def _held(kind: str, place: int, matched: str) -> str:
    if kind in _HOLDING:
        return f"{matched}[]"
    if kind == "Err":
        return UNKNOWN
    return f"{kind}{VARIANT}{place}" if "." in kind else f"{kind}.{place}"


def passed_on(match: Node, text: SourceText, rules: ChainRules) -> str:
    """Read `match f() { Ok(x) => x, .. }` as `f()?`, if it gives what it takes out."""
    value, body = match.child_by_field_name("value"), match.child_by_field_name("body")
    for arm in [] if body is None else body.named_children:
        pattern, given = arm.child_by_field_name("pattern"), arm.child_by_field_name("value")
        taken = None if pattern is None else child_at(pattern, 0)
        if value is None or given is None or taken is None or taken.named_child_count != 2:
            continue
        kind, inner = taken.named_children
        if text.of(kind) in _HOLDING and text.of(inner) == text.of(given):
            return f"{read_chain(value, text, rules)}[]"
    return UNKNOWN


def handed(closure: Node, text: SourceText, rules: ChainRules) -> Iterator[FoundBinding]:
    """Read the parameters of a closure: what they are is up to who takes it."""
    listed = closure.child_by_field_name("parameters")
    taker = _taker(closure, text, rules)
    for place, each in enumerate([] if listed is None else listed.named_children):
        typed = each.child_by_field_name("type")
        name = _plain(each.child_by_field_name("pattern") or each)
        if name is None:
            continue
        at, end = inside_of(closure, name.start_byte, text), closure.end_byte
        if typed is not None:
            yield FoundBinding(at, text.of(name), collapse(text.of(typed)), "type", end)
        else:
            value = f"{taker},{place}}}" if taker else UNKNOWN
            yield FoundBinding(at, text.of(name), value, "value", end)


def _taker(closure: Node, text: SourceText, rules: ChainRules) -> str:
    """Write what a closure is handed to, and at which place."""
    found = handed_to(closure)
    function = None if found is None else found[0].child_by_field_name("function")
    if found is None or function is None:
        return ""
    chain = read_chain(function, text, rules)
    return "" if UNKNOWN in chain else f"{chain}{{{found[1]}"


def _plain(pattern: Node) -> Node | None:
    """Return the name in `ref mut x`."""
    at: Node | None = pattern
    while at is not None and at.type in _DECORATED:
        at = child_at(at, at.named_child_count - 1)
    return at if at is not None and at.type in _NAMES else None


def _matched(pattern: Node) -> tuple[Node | None, int]:
    """Return what is matched with a pattern as a whole, and where the names in it end."""
    at, is_whole = pattern.parent, True
    for _ in range(_DEEPEST):
        if at is None or at.type.endswith(("block", "expression")) or at.type == "parameters":
            return None, 0
        if at.type in {"let_declaration", "let_condition"}:
            return (at.child_by_field_name("value") if is_whole else None), _end_of_let(at)
        if at.type == "match_arm":
            block = at.parent
            match = block.parent if block is not None and is_whole else None
            return (None if match is None else match.child_by_field_name("value")), at.end_byte
        is_whole = is_whole and at.type in _WHOLE
        at = at.parent
    return None, 0


def _end_of_let(let: Node) -> int:
    """Tell where the block ends for which a condition binds names."""
    around = let.parent if let.type == "let_condition" else None
    while around is not None and around.type in _CONDITIONS:
        around = around.parent
    if around is None:
        return 0
    block = around.child_by_field_name("consequence") or around.child_by_field_name("body")
    return 0 if block is None else block.end_byte
