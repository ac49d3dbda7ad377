"""What is read out of a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from zapomni_core.errors import ValidationError

__all__ = ["Document", "DocumentLimits", "DocumentRefused", "Kind", "Section"]

type Kind = Literal[
    "code",
    "docx",
    "email",
    "epub",
    "html",
    "markdown",
    "mbox",
    "notebook",
    "pdf",
    "rst",
    "subtitles",
    "table",
    "text",
]

_SEPARATOR: Final = " > "


class DocumentRefused(ValidationError):
    """A document cannot be read; `reason` says why and what to do about it."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name = name
        self.reason = reason


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """How much one document may take."""

    input_bytes: int = 50_000_000
    unpacked_bytes: int = 100_000_000
    output_chars: int = 10_000_000
    archive_entries: int = 10_000
    # Documents inside of documents: files attached to a message attached to a message.
    depth: int = 3
    parts: int = 200


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of text and where it stands.

    `headings` are those above it, the outermost first. `lines` are the first and the last line
    in a file of text. `place` names what has neither lines nor pages: a cell, a time, an attached
    file. `author` and `date` (ISO 8601) are stated where they differ from the document's.
    """

    text: str
    headings: tuple[str, ...] = ()
    page: int | None = None
    lines: tuple[int, int] | None = None
    place: str = ""
    author: str = ""
    date: str = ""

    @property
    def heading_path(self) -> str:
        """Say under which headings it stands (`Chapter 1 > Setup`)."""
        return _SEPARATOR.join(self.headings)


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a document in the order of reading, and what the document says of itself.

    `date` is ISO 8601 or empty. `language` is that of source code. `problems` are sentences about
    what was left out.
    """

    name: str
    kind: Kind
    title: str
    sections: tuple[Section, ...]
    author: str = ""
    date: str = ""
    language: str = ""
    problems: tuple[str, ...] = ()
