"""How documents travel between the processes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from zapomni_core.documents.model import Document, DocumentLimits, DocumentRefused, Section
from zapomni_core.errors import ConfigurationError, ZapomniError
from zapomni_core.workers.message import Message

__all__ = ["Request", "packed_answer", "unpacked_answer"]


@dataclass(frozen=True, slots=True)
class Request:
    """A file to read by its path, or by its content under a name."""

    name: str
    path: str | None
    content: bytes
    limits: DocumentLimits

    @classmethod
    def of(cls, source: Path | bytes, name: str, limits: DocumentLimits) -> Request:
        """Ask for a file or for bytes."""
        if isinstance(source, Path):
            return cls(name or source.name, str(source.absolute()), b"", limits)
        return cls(name or "document", None, source, limits)

    def packed(self) -> Message:
        """Write the request down."""
        return Message(orjson.dumps((self.name, self.path, asdict(self.limits))), self.content)

    @classmethod
    def unpacked(cls, message: Message) -> Request:
        """Read a request that was written down."""
        name, path, limits = orjson.loads(message.text)
        return cls(name, path, message.content, DocumentLimits(**limits))


def packed_answer(answer: Document | ZapomniError) -> Message:
    """Write a document down, or why there is none."""
    match answer:
        case Document():
            return Message(orjson.dumps(answer))
        case DocumentRefused():
            return Message(orjson.dumps({"name": answer.name, "refused": answer.reason}))
        case _:
            return Message(orjson.dumps({"failed": str(answer)}))


def unpacked_answer(message: Message) -> Document | ZapomniError:
    """Read an answer that was written down."""
    match orjson.loads(message.text):
        case {"name": str(name), "refused": str(reason)}:
            return DocumentRefused(name, reason)
        case {"failed": str(reason)}:
            return ConfigurationError(reason)
        case fields:
            return _document(fields)


def _document(fields: dict[str, Any]) -> Document:
    sections = tuple(_section(each) for each in fields.pop("sections"))
    problems = tuple(fields.pop("problems"))
    return Document(**fields, sections=sections, problems=problems)


def _section(fields: dict[str, Any]) -> Section:
    headings, lines = tuple(fields.pop("headings")), fields.pop("lines")
    return Section(**fields, headings=headings, lines=None if lines is None else tuple(lines))
