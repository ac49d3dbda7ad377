"""Compare what was found with what an oracle knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Agreement", "Figure", "Row", "show"]

# The file first, so that a mismatch can be looked up.
type Row = tuple[str | int, ...]


@dataclass(slots=True)
class Agreement:
    """Counts of rows that both sides have, and the rows that only one of them has."""

    right: int = 0
    missed: list[Row] = field(default_factory=list)
    wrong: list[Row] = field(default_factory=list)

    def add(self, known: Iterable[Row], found: Iterable[Row]) -> None:
        """Compare two collections in which a row may stand several times."""
        known_rows, found_rows = Counter(known), Counter(found)
        self.right += (known_rows & found_rows).total()
        self.missed.extend((known_rows - found_rows).elements())
        self.wrong.extend((found_rows - known_rows).elements())

    @property
    def known(self) -> int:
        """Return how many rows the oracle knows."""
        return self.right + len(self.missed)

    @property
    def found(self) -> int:
        """Return how many rows were found."""
        return self.right + len(self.wrong)

    @property
    def recall(self) -> float:
        """Return the share of the known rows that were found."""
        return self.right / self.known if self.known else 1.0

    @property
    def precision(self) -> float:
        """Return the share of the found rows that are known."""
        return self.right / self.found if self.found else 1.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report; a figure without a target is only told."""

    name: str
    count: int
    value: float
    target: float | None = None
    is_ceiling: bool = False
    note: str = ""

    @property
    def is_met(self) -> bool:
        """Tell whether the figure is as good as it should be."""
        if self.target is None:
            return True
        return self.value <= self.target if self.is_ceiling else self.value >= self.target


def show(title: str, figures: Iterable[Figure]) -> None:
    """Print a table of figures and their targets."""
    print(f"\n{title}")
    print(f"{'':44} {'n':>8} {'figure':>9} {'target':>9}")
    for figure in figures:
        target = ""
        if figure.target is not None:
            target = f"{'<=' if figure.is_ceiling else '>='} {figure.target:g}"
        verdict = "" if figure.is_met else "MISSED"
        print(
            f"{figure.name:44} {figure.count:8} {_shown(figure)} {target:>9} {verdict:6} "
            f"{figure.note}".rstrip()
        )


def _shown(figure: Figure) -> str:
    # Rounded down: .99996 is not 1.0000.
    return f"{figure.value if figure.is_ceiling else int(figure.value * 1e5) / 1e5:9.5f}"
