"""Blocks of text in order, cut into sections where a heading or a page begins."""

from __future__ import annotations

from zapomni_core.documents.cleaning import one_line
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.model import Section

__all__ = ["Outline"]


class Outline:
    """Hands sections to a draft; a heading is the first line of the text below it."""

    def __init__(
        self, draft: Draft, above: tuple[str, ...] = (), place: str = "", gap: str = "\n\n"
    ) -> None:
        self._draft = draft
        self._above = above
        self._place = place
        self._gap = gap
        self._levels: list[tuple[int, str]] = []
        self._blocks: list[str] = []
        self._has_body = False
        self._is_item = False
        self._page: int | None = None
        self._start: int | None = None
        self._last: int | None = None

    def heading(self, level: int, title: str, shown: str = "", line: int | None = None) -> None:
        """Begin a section; headings with nothing between them begin it together."""
        title = one_line(title)
        if not title:
            return
        if self._has_body:
            self.close()
        while self._levels and self._levels[-1][0] >= level:
            self._levels.pop()
        self._levels.append((level, title))
        self._put(shown or f"{'#' * min(level, 6)} {title}", line)

    def block(self, text: str, line: int | None = None) -> None:
        """Add a paragraph, a list, a table or a line."""
        self._put(text, line)
        self._has_body = self._has_body or not text.isspace()

    def item(self, text: str) -> None:
        """Add an item of a list right below the one before it."""
        self._put(text, None, is_item=True)
        self._has_body = True

    def turn_page(self, page: int) -> None:
        """Say on which page the next block stands."""
        if self._has_body:
            self.close()
        self._page = page

    def close(self) -> None:
        """Hand over what was collected."""
        lines = None if self._start is None else (self._start, self._last or self._start)
        headings = (*self._above, *(title for _, title in self._levels))
        text = "".join(self._blocks)
        self._draft.add(Section(text, headings, self._page, lines, self._place))
        self._blocks.clear()
        self._has_body = False
        self._start = self._last = None

    def _put(self, text: str, line: int | None, *, is_item: bool = False) -> None:
        if not text:
            return
        if self._blocks:
            self._blocks.append("\n" if is_item and self._is_item else self._gap)
        self._blocks.append(text)
        self._is_item = is_item
        if line is not None:
            self._start = line if self._start is None else self._start
            self._last = line + text.count("\n")
