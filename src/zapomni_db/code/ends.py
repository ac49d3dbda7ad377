"""The nodes at both ends of edges, by the numbers that the database has given them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from operator import not_
from typing import Any, NamedTuple

from zapomni_db.code.records import Columns, EdgeColumns
from zapomni_db.cypher import Value

__all__ = ["Ends", "Places", "places_in"]


class Places(NamedTuple):
    """Which names stand for what, by their places."""

    symbols: set[int]
    files: set[int]
    externals: set[int]


class Ends(NamedTuple):
    """The nodes that names stand for, as far as they are there, by the places of the names.

    `own` is the place of the empty name, which stands for the file itself.
    """

    symbols: Sequence[int | None]
    files: Sequence[int | None]
    externals: Sequence[int | None]
    own: int

    def of_calls(self, calls: Columns, file: int) -> list[Value]:
        """Give the rows of calls in a file; those of which an end is not there are left out."""
        if not calls:
            return []
        sources, targets, lines, how, confidence, outside = calls
        starts = [file if one == self.own else self.symbols[one] for one in sources]
        ends = self._targets(self.symbols, targets, outside)
        return _there(starts, ends, lines, how, confidence)

    def of_inherits(self, inherits: Columns) -> list[Value]:
        """Give the rows of classes and their bases."""
        if not inherits:
            return []
        sources, targets, orders, outside = inherits
        ends = self._targets(self.symbols, targets, outside)
        return _there([self.symbols[one] for one in sources], ends, orders)

    def of_overrides(self, overrides: Columns) -> list[Value]:
        """Give the rows of methods and those that they replace."""
        return _there(*([self.symbols[one] for one in some] for some in overrides))

    def of_imports(self, imports: Columns, file: int) -> list[Value]:
        """Give the rows of what a file imports."""
        if not imports:
            return []
        targets, names, aliases, lines, outside = imports
        ends = self._targets(self.files, targets, outside)
        return _there([file] * len(targets), ends, names, aliases, lines)

    def _targets(
        self, inside: Sequence[int | None], targets: Sequence[int], outside: Sequence[bool]
    ) -> list[int | None]:
        externals = self.externals
        return [
            externals[one] if is_external else inside[one]
            for one, is_external in zip(targets, outside, strict=True)
        ]


def places_in(edges: Iterable[EdgeColumns]) -> Places:
    """Tell which names edges begin at and lead to."""
    symbols, files, externals = set[int](), set[int](), set[int]()
    for calls, _, inherits, overrides, imports in edges:
        for found, some in ((symbols, calls), (symbols, inherits), (files, imports)):
            if some:
                targets, outside = some[0 if found is files else 1], some[-1]
                externals.update(compress(targets, outside))
                found.update(compress(targets, map(not_, outside)))
        symbols.update(*calls[:1], *inherits[:1], *overrides)
    return Places(symbols, files, externals)


def _there(*columns: Sequence[Any]) -> list[Value]:
    return [row for row in zip(*columns, strict=True) if row[0] is not None and row[1] is not None]
