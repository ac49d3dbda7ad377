"""Classes, their bases in the order in which methods are looked for, and their subclasses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import External

__all__ = ["Hierarchy"]

_DEPTH: Final = 40


class Hierarchy:
    """The class hierarchy, worked out as far as it is asked for."""

    def __init__(
        self,
        bases_of: Callable[[Symbol], tuple[Symbol | External | None, ...]],
        derived_of: Callable[[Symbol], Iterable[Symbol]],
    ) -> None:
        self._bases_of = bases_of
        self._derived_of = derived_of
        self._bases: dict[Symbol, tuple[Symbol | External | None, ...]] = {}
        self._orders: dict[Symbol, tuple[Symbol, ...]] = {}
        self._directly_below: dict[Symbol, list[Symbol]] = {}
        self._below: dict[Symbol, tuple[Symbol, ...]] = {}

    def bases(self, of: Symbol) -> tuple[Symbol | External | None, ...]:
        """Return the bases as they are written; None stands for one nobody knows."""
        found = self._bases.get(of)
        if found is None:
            # A class that is asked for its bases while they are looked for has none yet.
            self._bases[of] = ()
            found = self._bases[of] = self._bases_of(of)
        return found

    def order(self, of: Symbol) -> tuple[Symbol, ...]:
        """Return the class and everything it inherits from, nearest first."""
        found = self._orders.get(of)
        if found is None:
            found = self._orders[of] = tuple(_linear(of, self._known_bases, _DEPTH))
        return found

    def outside(self, of: Symbol) -> External | None:
        """Return the first base that is not in the repository, or OUTSIDE if one is unknown."""
        for each in self.order(of):
            for base in self.bases(each):
                if isinstance(base, External):
                    return base
        return None

    def is_closed(self, of: Symbol) -> bool:
        """Tell whether every base is known and in the repository."""
        return all(
            isinstance(base, Symbol) for each in self.order(of) for base in self.bases(each)
        )

    def below(self, of: Symbol) -> tuple[Symbol, ...]:
        """Return all classes that inherit from one, by their ids."""
        found = self._below.get(of)
        if found is None:
            seen: dict[Symbol, None] = {}
            waiting = [of]
            while waiting:
                for each in self._derived(waiting.pop()):
                    if each not in seen and each is not of:
                        seen[each] = None
                        waiting.append(each)
            found = self._below[of] = tuple(sorted(seen, key=lambda symbol: symbol.id))
        return found

    def _derived(self, of: Symbol) -> list[Symbol]:
        found = self._directly_below.get(of)
        if found is None:
            found = self._directly_below[of] = list(self._derived_of(of))
        return found

    def _known_bases(self, of: Symbol) -> list[Symbol]:
        return [base for base in self.bases(of) if isinstance(base, Symbol)]


def _linear(of: Symbol, bases_of: Callable[[Symbol], list[Symbol]], depth: int) -> list[Symbol]:
    bases = bases_of(of) if depth else []
    if not bases:
        return [of]
    if len(bases) == 1:
        return [of, *(e for e in _linear(bases[0], bases_of, depth - 1) if e is not of)]
    rows = [_linear(base, bases_of, depth - 1) for base in bases] + [bases]
    order = [of]
    while rows := [row for row in rows if row]:
        head = next((row[0] for row in rows if not _is_later(row[0], rows)), rows[0][0])
        order.append(head)
        rows = [[each for each in row if each is not head] for row in rows]
    return [each for index, each in enumerate(order) if each not in order[:index]]


def _is_later(symbol: Symbol, rows: list[list[Symbol]]) -> bool:
    return any(symbol in row[1:] for row in rows)
