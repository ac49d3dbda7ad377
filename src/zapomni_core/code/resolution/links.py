"""The edges of files with the ids of symbols at their ends, as they are sent to be stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from zapomni_core.code.model import MODULE, CallEdge, FileEdges, FileFacts, symbol_id

__all__ = ["FileLinks", "Numbered", "links_of"]

type _Columns = list[tuple[object, ...]]


class Numbered(dict[str, int]):
    """Names by the order in which they came up: most of them do a dozen times."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


class FileLinks(NamedTuple):
    """The columns of everything that one file refers to, empty if there is nothing.

    Names that come up again and again have numbers: those of the source, which goes first, of
    the target behind it, and of a call that is bound to nothing.
    """

    calls: _Columns
    unresolved: _Columns
    inherits: _Columns
    overrides: _Columns
    imports: _Columns


def links_of(path: str, facts: FileFacts, edges: FileEdges, names: Numbered) -> FileLinks:
    """Name the ends of edges by the ids of symbols; calls of one by another become one."""
    ids = [names[symbol_id(path, each.qname)] for each in facts.definitions]
    ids.append(names[""])
    # What belongs to no definition belongs to the file: the last of the ids.
    assert MODULE == -1
    return FileLinks(
        _columns(_calls(edges.calls, ids, names)),
        _columns(
            (ids[source], names[name], receiver, line, candidates)
            for source, name, receiver, line, candidates in edges.unresolved
        ),
        _columns((ids[source], names[target], *rest) for source, target, *rest in edges.inherits),
        _columns((ids[source], names[target]) for source, target in edges.overrides),
        _columns((names[target], *rest) for target, *rest in edges.imports),
    )


def _columns(rows: Iterable[tuple[object, ...]]) -> _Columns:
    return [*zip(*rows, strict=True)]


def _calls(
    calls: Iterable[CallEdge], ids: list[int], names: Numbered
) -> Iterator[tuple[object, ...]]:
    sites: dict[tuple[int, str, str, float, bool], list[int]] = {}
    for source, target, line, how, confidence, is_external in calls:
        together = (source, target, how, confidence, is_external)
        lines = sites.get(together)
        if lines is None:
            sites[together] = [line]
        else:
            lines.append(line)
    for (start, end, kind, sure, is_outside), lines in sites.items():
        yield ids[start], names[end], lines, kind, sure, is_outside
