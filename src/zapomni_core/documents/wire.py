"""How documents travel between the processes."""

from __future__ import annotations

import struct
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from zapomni_core.documents.model import Document, DocumentLimits, DocumentRefused, Section
from zapomni_core.errors import ConfigurationError, ZapomniError

__all__ = ["HEAD_BYTES", "Request", "lengths", "packed_answer", "unpacked_answer"]

_HEAD: Final = struct.Struct("!II")
HEAD_BYTES: Final = _HEAD.size


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

    def packed(self) -> bytes:
        """Write the request down."""
        return _framed(orjson.dumps((self.name, self.path, asdict(self.limits))), self.content)

    @classmethod
    def unpacked(cls, text: bytes, content: bytes) -> Request:
        """Read a request that was written down."""
        name, path, limits = orjson.loads(text)
        return cls(name, path, content, DocumentLimits(**limits))


def packed_answer(answer: Document | ZapomniError) -> bytes:
    """Write a document down, or why there is none."""
    match answer:
        case Document():
            return _framed(orjson.dumps(answer), b"")
        case DocumentRefused():
            return _framed(orjson.dumps({"name": answer.name, "refused": answer.reason}), b"")
        case _:
            return _framed(orjson.dumps({"failed": str(answer)}), b"")


def unpacked_answer(text: bytes) -> Document | ZapomniError:
    """Read an answer that was written down."""
    match orjson.loads(text):
        case {"name": str(name), "refused": str(reason)}:
            return DocumentRefused(name, reason)
        case {"failed": str(message)}:
            return ConfigurationError(message)
        case fields:
            return _document(fields)


def lengths(head: bytes) -> tuple[int, int]:
    """Read how long the two parts of a message are."""
    text, content = _HEAD.unpack(head)
    return text, content


def _document(fields: dict[str, Any]) -> Document:
    sections = tuple(_section(each) for each in fields.pop("sections"))
    problems = tuple(fields.pop("problems"))
    return Document(**fields, sections=sections, problems=problems)


def _section(fields: dict[str, Any]) -> Section:
    headings, lines = tuple(fields.pop("headings")), fields.pop("lines")
    return Section(**fields, headings=headings, lines=None if lines is None else tuple(lines))


def _framed(text: bytes, content: bytes) -> bytes:
    return _HEAD.pack(len(text), len(content)) + text + content
