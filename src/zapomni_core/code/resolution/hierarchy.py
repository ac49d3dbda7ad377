"""Classes, their bases in the order in which methods are looked for, and their subclasses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import External

__all__ = ["Hierarchy"]

# What a class inherits from beyond so many is not looked at.
_LONGEST: Final = 100
# Languages in which what a class has from traits or modules comes before what it inherits.
_MIXING: Final = frozenset({"php", "ruby"})


class Hierarchy:
    """The class hierarchy, worked out as far as it is asked for."""

    def __init__(
        self,
        bases_of: Callable[[Symbol], tuple[Symbol | External | None, ...]],
        derived_of: Callable[[Symbol], Iterable[Symbol]],
        extending: Callable[[Symbol], tuple[Symbol, ...]],
    ) -> None:
        self._bases_of = bases_of
        self._derived_of = derived_of
        self._look_for_extending = extending
        self._extending: dict[Symbol, tuple[Symbol, ...]] = {}
        self._bases: dict[Symbol, tuple[Symbol | External | None, ...]] = {}
        self._orders: dict[Symbol, tuple[Symbol, ...]] = {}
        self._directly_below: dict[Symbol, list[Symbol]] = {}
        self._below: dict[Symbol, tuple[Symbol, ...]] = {}
        self._outside: dict[Symbol, External | None] = {}

    def bases(self, of: Symbol) -> tuple[Symbol | External | None, ...]:
        """Return the bases as they are written; None stands for one nobody knows."""
        found = self._bases.get(of)
        if found is None:
            # A class that is asked for its bases while they are looked for has none yet.
            self._bases[of] = ()
            found = self._bases[of] = self._bases_of(of)
        return found

    def extending(self, of: Symbol) -> tuple[Symbol, ...]:
        """Return the modules of Ruby whose methods a class itself has, the nearest one last."""
        found = self._extending.get(of)
        if found is None:
            self._extending[of] = ()
            found = self._extending[of] = self._look_for_extending(of)
        return found

    def order(self, of: Symbol) -> tuple[Symbol, ...]:
        """Return the class and everything it inherits from, nearest first."""
        found = self._orders.get(of)
        if found is None:
            self._put_in_order(of)
            found = self._orders[of]
        return found

    def outside(self, of: Symbol) -> External | None:
        """Return the first base that is not in the repository, or OUTSIDE if one is unknown."""
        if of not in self._outside:
            above = (base for each in self.order(of) for base in self.bases(each))
            self._outside[of] = next((base for base in above if isinstance(base, External)), None)
        return self._outside[of]

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

    def _put_in_order(self, of: Symbol) -> None:
        """Work out a class after all above it; where they form a circle, it is cut."""
        waiting, opened = [of], {of}
        while waiting:
            at = waiting[-1]
            bases = self._known_bases(at)
            above = [each for each in bases if each not in self._orders and each not in opened]
            if above:
                waiting.append(above[0])
                opened.add(above[0])
                continue
            waiting.pop()
            rows = [self._orders.get(each, (each,)) for each in bases]
            self._orders[at] = tuple(_linear(at, bases, rows))[:_LONGEST]

    def _known_bases(self, of: Symbol) -> list[Symbol]:
        known = [base for base in self.bases(of) if isinstance(base, Symbol)]
        is_mixed = len(known) > 1 and of.source.language in _MIXING
        return sorted(known, key=_comes_late) if is_mixed else known


def _comes_late(base: Symbol) -> bool:
    return not (base.is_trait or base.is_module)


def _linear(
    of: Symbol, bases: Sequence[Symbol], orders: Sequence[Sequence[Symbol]]
) -> list[Symbol]:
    if len(bases) <= 1:
        return [of, *(each for row in orders for each in row if each is not of)]
    rows = [list(row) for row in orders] + [list(bases)]
    order = [of]
    while rows := [row for row in rows if row]:
        head = next((row[0] for row in rows if not _is_later(row[0], rows)), rows[0][0])
        order.append(head)
        rows = [[each for each in row if each is not head] for row in rows]
    return list(dict.fromkeys(order))


def _is_later(symbol: Symbol, rows: list[list[Symbol]]) -> bool:
    return any(symbol in row[1:] for row in rows)
