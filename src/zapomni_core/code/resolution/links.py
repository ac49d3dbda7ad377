"""The edges of files with the ids of symbols at their ends, as they are sent to be stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zapomni_core.code.model import MODULE, CallEdge, FileEdges, FileFacts, symbol_id
from zapomni_db.code.records import Columns, EdgeColumns

__all__ = ["Numbered", "links_of"]


class Numbered(dict[str, int]):
    """Names by the order in which they came up: most of them do a dozen times."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


def links_of(path: str, facts: FileFacts, edges: FileEdges, names: Numbered) -> EdgeColumns:
    """Name the ends of edges by the ids of symbols; calls of one by another become one."""
    ids = [names[symbol_id(path, each.qname)] for each in facts.definitions]
    ids.append(names[""])
    # What belongs to no definition belongs to the file: the last of the ids.
    assert MODULE == -1
    return EdgeColumns(
        _columns(_calls(edges.calls, ids, names)),
        _columns(
            (ids[source], names[name], receiver, line, candidates)
            for source, name, receiver, line, candidates in edges.unresolved
        ),
        _columns((ids[source], names[target], *rest) for source, target, *rest in edges.inherits),
        _columns((ids[source], names[target]) for source, target in edges.overrides),
        _columns((names[target], *rest) for target, *rest in edges.imports),
    )


def _columns(rows: Iterable[tuple[object, ...]]) -> Columns:
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
