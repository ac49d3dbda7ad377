"""A document while it is read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from zapomni_core.documents.cleaning import clean, one_line
from zapomni_core.documents.model import (
    Document,
    DocumentLimits,
    DocumentRefused,
    Kind,
    Section,
)

__all__ = ["Draft"]


@dataclass(slots=True)
class Draft:
    """Collects sections and counts what they take."""

    name: str
    limits: DocumentLimits
    title: str = ""
    author: str = ""
    date: str = ""
    language: str = ""
    depth: int = 0
    parts: int = 0
    _sections: list[Section] = field(default_factory=list)
    _chars: int = 0
    _left_out: Counter[str] = field(default_factory=Counter)
    _signature: tuple[str, str] = ("", "")

    def add(self, section: Section) -> None:
        """Take a section, unless nothing of it is visible."""
        text = clean(section.text)
        if not text:
            return
        self._chars += len(text)
        if self._chars > self.limits.output_chars:
            raise self.refused(
                f"holds more than {self.limits.output_chars:,} characters of text; "
                "split it into smaller files"
            )
        headings = tuple(filter(None, map(one_line, section.headings)))
        author, date = self._signature
        self._sections.append(
            replace(
                section,
                text=text,
                headings=headings,
                author=section.author or one_line(author),
                date=section.date or date,
            )
        )

    def sign(self, author: str, date: str) -> None:
        """Say who wrote the sections that follow, and when."""
        self._signature = author, date

    def take_over(self, inner: Draft, above: tuple[str, ...]) -> None:
        """Add the sections of a document that was inside of this one."""
        for section in inner._sections:
            author, date = section.author or inner.author, section.date or inner.date
            headings = (*above, *section.headings)
            self.add(replace(section, headings=headings, author=one_line(author), date=date))
        self._left_out.update(inner._left_out)
        self.parts = inner.parts

    def leave_out(self, what: str, count: int = 1) -> None:
        """Remember that something was not read; `what` is a noun in the plural."""
        self._left_out[one_line(what)] += count

    def refused(self, reason: str) -> DocumentRefused:
        """Make the error to raise."""
        return DocumentRefused(self.name, reason)

    def finished(self, kind: Kind) -> Document:
        """Close the document; one without text is refused."""
        problems = tuple(f"{what} left out: {count}" for what, count in self._left_out.items())
        if not self._sections:
            detail = f" ({', '.join(problems)})" if problems else ""
            raise self.refused(f"holds no text{detail}; there is nothing to remember")
        return Document(
            name=self.name,
            kind=kind,
            title=one_line(self.title) or self._first_heading() or self.name,
            sections=tuple(self._sections),
            author=one_line(self.author),
            date=self.date,
            language=self.language,
            problems=problems,
        )

    def _first_heading(self) -> str:
        return next((each.headings[0] for each in self._sections if each.headings), "")
