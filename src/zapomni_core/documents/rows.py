"""A table as lines of text."""

from __future__ import annotations

from collections.abc import Iterable

from zapomni_core.documents.cleaning import collapsed

__all__ = ["Rows", "row_of"]


def row_of(cells: Iterable[str]) -> str:
    """Write the cells of a row side by side; a row of one cell is just text."""
    shown = [collapsed(cell) for cell in cells]
    return " | ".join(shown).rstrip(" |") if any(shown) else ""


class Rows:
    """Collects cells; a cell that holds several blocks is one line all the same."""

    def __init__(self) -> None:
        self.is_in_row = False
        self._lines: list[str] = []
        self._cells: list[str] = []
        self._blocks: list[str] = []

    def start_row(self) -> None:
        """Begin a row."""
        self.is_in_row = True

    def add(self, text: str) -> None:
        """Put text into the cell at hand."""
        self._blocks.append(text)

    def end_cell(self) -> None:
        """End the cell at hand."""
        self._cells.append(" ".join(self._blocks))
        self._blocks = []

    def end_row(self) -> None:
        """End the row at hand; one cell alone keeps its lines."""
        if self._blocks:
            self.end_cell()
        shown = [cell for cell in self._cells if cell.strip()]
        line = shown[0] if len(shown) == 1 else row_of(self._cells)
        if line:
            self._lines.append(line)
        self._cells = []
        self.is_in_row = False

    def text(self) -> str:
        """Return the rows that were ended."""
        self.end_row()
        return "\n".join(self._lines)

    def dissolved(self) -> list[str]:
        """Take out everything so far as blocks that stand for themselves."""
        blocks = [*self._lines, *self._cells, *self._blocks]
        self._lines, self._cells, self._blocks = [], [], []
        self.is_in_row = False
        return blocks
