"""The edges of a file with the ids of symbols at their ends, as they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from zapomni_core.code.model import MODULE, CallEdge, FileEdges, FileFacts, symbol_id

__all__ = ["FileLinks", "links_of"]


class FileLinks(NamedTuple):
    """The rows of everything that one file refers to; the source of each goes first."""

    calls: list[tuple[object, ...]]
    unresolved: list[tuple[object, ...]]
    inherits: list[tuple[object, ...]]
    overrides: list[tuple[object, ...]]
    imports: list[tuple[object, ...]]


def links_of(path: str, facts: FileFacts, edges: FileEdges) -> FileLinks:
    """Name the ends of edges by the ids of symbols; calls of one by another become one."""
    ids: Mapping[int, str] = {
        MODULE: "",
        **{i: symbol_id(path, each.qname) for i, each in enumerate(facts.definitions)},
    }
    return FileLinks(
        [*_calls(edges.calls, ids)],
        [(ids[source], *rest) for source, *rest in edges.unresolved],
        [(ids[source], *rest) for source, *rest in edges.inherits],
        [(ids[source], target) for source, target in edges.overrides],
        [*map(tuple, edges.imports)],
    )


def _calls(calls: Iterable[CallEdge], ids: Mapping[int, str]) -> Iterator[tuple[object, ...]]:
    sites: dict[tuple[int, str, str, float, bool], list[int]] = {}
    for source, target, line, how, confidence, is_external in calls:
        together = (source, target, how, confidence, is_external)
        lines = sites.get(together)
        if lines is None:
            sites[together] = [line]
        else:
            lines.append(line)
    for (start, end, kind, sure, is_outside), lines in sites.items():
        yield ids[start], end, lines, kind, sure, is_outside
