"""How far names reach that are bound inside of a block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tree_sitter import Node

from zapomni_core.code.parsing.reading import FoundBinding
from zapomni_core.code.parsing.text import SourceText

__all__ = ["handed_to", "inside_of", "with_ends"]

# Nobody says of so many arguments what they are.
_MOST_ARGUMENTS: Final = 20


def with_ends(bindings: Iterable[FoundBinding], blocks: Sequence[Node]) -> list[FoundBinding]:
    """Let every name end with the innermost of the blocks in which it is bound."""
    spans = sorted((block.start_byte, -block.end_byte) for block in blocks)
    ended: list[FoundBinding] = []
    around: list[int] = []
    at = 0
    for each in sorted(bindings, key=lambda binding: binding.at):
        while at < len(spans) and spans[at][0] <= each.at:
            around.append(-spans[at][1])
            at += 1
        while around and around[-1] <= each.at:
            around.pop()
        ended.append(each._replace(until=around[-1]) if around else each)
    return ended


def inside_of(function: Node, place: int, text: SourceText) -> int:
    """Tell from where on a parameter is meant: not by what the function itself is handed to."""
    body = function.child_by_field_name("body")
    if body is None or not text.data.startswith(b"{", body.start_byte):
        return place
    line_end = text.data.find(b"\n", place, function.end_byte)
    return place if line_end < 0 else line_end + 1


def handed_to(function: Node) -> tuple[Node, int] | None:
    """Return the call to which a function is handed, and at which place among its arguments."""
    listed = function.parent
    if listed is None or listed.parent is None or listed.named_child_count > _MOST_ARGUMENTS:
        return None
    others = (each for each in listed.named_children if "comment" not in each.type)
    place = next((at for at, each in enumerate(others) if each.id == function.id), None)
    return None if place is None else (listed.parent, place)
