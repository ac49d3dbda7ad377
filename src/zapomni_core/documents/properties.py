"""What a DOCX or an EPUB says of itself in Dublin Core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zapomni_core.documents.dates import iso_date
from zapomni_core.documents.draft import Draft

__all__ = ["Properties"]

_NAMES: Final = frozenset({"created", "creator", "date", "modified", "title"})


class Properties:
    """Takes the first statement of each kind."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._found: dict[str, str] = {}
        self._text: list[str] | None = None

    def start(self, tag: str, _attributes: Mapping[str, str]) -> None:
        if tag in _NAMES:
            self._text = []

    def end(self, tag: str) -> None:
        if tag in _NAMES and self._text is not None:
            self._found.setdefault(tag, "".join(self._text))
            self._text = None

    def data(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def close(self) -> None:
        """Everything is known at the end of each statement."""

    def hand_over(self) -> None:
        """Write it into the draft."""
        found = self._found.get
        self._draft.title = found("title", "")
        self._draft.author = found("creator", "")
        dates = (iso_date(found(name, "")) for name in ("date", "created", "modified"))
        self._draft.date = next(filter(None, dates), "")
