"""Putting what was found in a file in its place: scopes, lines and names that are unique."""

from __future__ import annotations

from bisect import bisect_left as left
from bisect import bisect_right as right
from operator import itemgetter
from typing import Final

from zapomni_core.code.model import ADDITIONS, MODULE, Binding, Call, Definition, FileFacts, Import
from zapomni_core.code.parsing.reading import Draft, Reading, Region
from zapomni_core.code.parsing.text import SourceText
from zapomni_db.code.records import records_of

__all__ = ["assemble"]

# Deeper ones are left out: their names would grow with the square of the depth.
_DEPTH: Final = 40
_OWNERS_OF_METHODS: Final = frozenset({"class", "interface", "struct", "enum", "union"})

# From which byte on which definition is the innermost one.
type _Borders = list[tuple[int, int]]


class _Level:
    """A definition or region that is open while the text is walked through."""

    __slots__ = ("end", "holds_methods", "index", "inner", "prefix")

    def __init__(self, index: int, inner: int, end: int, prefix: str, holds_methods: bool) -> None:
        self.index = index
        self.inner = inner
        self.end = end
        self.prefix = prefix
        self.holds_methods = holds_methods


def assemble(reading: Reading, text: SourceText, language: str, errors: int) -> FileFacts:
    """Turn what was found into the facts of the file."""
    borders: _Borders = [(0, MODULE)]
    definitions = _place_definitions(reading, text, borders)
    borders.sort(key=itemgetter(0))
    starts, scopes = [start for start, _ in borders], [scope for _, scope in borders]
    breaks = text.breaks
    reading.calls.sort()
    reading.imports.sort(key=itemgetter(0))
    reading.bindings.sort(key=itemgetter(0))
    arguments = reading.arguments
    # Lines and scopes are looked up in place: a function for it takes as long as the rest.
    calls = [
        (name, receiver, left(breaks, at), scopes[right(starts, at) - 1], arguments.get(at))
        for at, name, receiver in reading.calls
    ]
    imports = [
        (module, name, alias, left(breaks, at), scopes[right(starts, at) - 1], is_export)
        for at, (module, name, alias, _, _, is_export) in reading.imports
    ]
    bindings = [
        (
            target,
            value,
            how,
            left(breaks, at),
            scopes[right(starts, at) - 1],
            left(breaks, end - 1) if end else 0,
        )
        for at, target, value, how, end in reading.bindings
    ]
    return FileFacts(
        language,
        tuple(definitions),
        records_of(Call, calls),
        records_of(Import, imports),
        records_of(Binding, bindings),
        reading.package,
        errors,
    )


def _place_definitions(reading: Reading, text: SourceText, borders: _Borders) -> list[Definition]:
    definitions: list[Definition] = []
    times_seen: dict[str, int] = {}
    levels = [_Level(MODULE, 0, len(text.data) + 1, "", holds_methods=False)]
    for item in _in_order(reading):
        _close(levels, item.start, borders)
        if len(levels) > _DEPTH:
            continue
        around = _around(levels, item.start)
        if isinstance(item, Region):
            prefix = f"{around.prefix}{item.name}."
            levels.append(_Level(around.index, item.start, item.end, prefix, item.holds_methods))
            continue
        definition = _definition(item, around, times_seen, text)
        borders.append((item.inner, len(definitions)))
        holds_methods = item.kind in _OWNERS_OF_METHODS and not reading.tells_methods
        prefix = f"{_name_for_members(definition)}."
        levels.append(_Level(len(definitions), item.inner, item.end, prefix, holds_methods))
        definitions.append(definition)
    _close(levels, len(text.data), borders)
    return definitions


def _name_for_members(definition: Definition) -> str:
    """Leave out what tells an addition apart: its members are those of what it adds to."""
    if not definition.decorators or ADDITIONS.isdisjoint(definition.decorators):
        return definition.qname
    front, number, _ = definition.qname.rpartition("#")
    return front if number else definition.qname


def _in_order(reading: Reading) -> list[Draft | Region]:
    items: list[Draft | Region] = [*reading.regions, *reading.drafts]
    return sorted(items, key=lambda item: (item.start, -item.end))


def _close(levels: list[_Level], position: int, borders: _Borders) -> None:
    while levels[-1].end <= position:
        closed = levels.pop()
        borders.append((closed.end, levels[-1].index))


def _around(levels: list[_Level], position: int) -> _Level:
    for level in reversed(levels):
        if level.inner <= position:
            return level
    return levels[0]


def _unique(qname: str, times_seen: dict[str, int]) -> str:
    if qname not in times_seen:
        times_seen[qname] = 1
        return qname
    times = times_seen[qname] + 1
    # A language may let a name itself end in `#2`.
    while (numbered := f"{qname}#{times}") in times_seen:
        times += 1
    times_seen[qname] = times
    times_seen[numbered] = 1
    return numbered


def _definition(
    draft: Draft, around: _Level, times_seen: dict[str, int], text: SourceText
) -> Definition:
    name = f"{draft.owner}.{draft.name}" if draft.owner else draft.name
    is_method = draft.kind == "function" and around.holds_methods
    return Definition(
        _unique(around.prefix + name, times_seen),
        draft.name,
        "method" if is_method else draft.kind,
        left(text.breaks, draft.at),
        around.index,
        draft.bases,
        draft.parameters,
        draft.returns,
        draft.decorators,
        left(text.breaks, draft.end - 1),
        draft.start,
        draft.end,
        draft.signature,
        draft.doc,
        draft.exported,
    )
