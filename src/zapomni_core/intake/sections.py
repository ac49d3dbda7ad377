"""Turn a document into memories that know where they stand in it."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

import orjson

from zapomni_core.documents import Document, Section
from zapomni_core.errors import ValidationError
from zapomni_core.life.redaction import redact, redact_metadata
from zapomni_core.models import Metadata
from zapomni_core.validation import ParsedMetadata, parse_metadata, parse_text
from zapomni_db.intake import DocumentPart

__all__ = ["Origin", "Part", "StoredDocument", "new_labels", "parts_of", "stored_documents"]

# The same part of the same content at the same place has the same id, whoever reads it.
_DOCUMENTS: Final = uuid.UUID("0e0f1d9c-52a4-4c0e-9c0b-7a7f3f0f7d55")
# What a part says of itself, whatever was given.
_OWN: Final = frozenset(
    {"source", "thread", "position", "document", "heading", "place", "page", "lines"}
)
_MAILS: Final = frozenset({"email", "mbox"})


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from, and which version of it this is.

    What was handed in is no file, even if it is called like one.
    """

    source: str
    sha256: str
    is_handed_in: bool = False

    @classmethod
    def of(cls, source: str, content: bytes, *, is_handed_in: bool = False) -> Origin:
        """Name the content at a place."""
        return cls(source, hashlib.sha256(content).hexdigest(), is_handed_in)

    def memory_id(self, part: int) -> str:
        """Return the id of the memory that holds a part."""
        return uuid.uuid5(_DOCUMENTS, f"{self.source}\0{self.sha256}\0{part}").hex

    @property
    def thread(self) -> str:
        """Say what all parts of the document follow each other in."""
        return f"document {hashlib.sha256(self.source.encode()).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a document that is to be a memory."""

    memory_id: str
    text: str
    metadata: ParsedMetadata
    hidden: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """The memories of one version of a document, and how many it had at first."""

    origin: Origin
    count: int
    parts: list[DocumentPart] = field(default_factory=list)

    @property
    def sha256(self) -> str:
        """The hash of its content."""
        return self.origin.sha256

    @property
    def memory_ids(self) -> list[str]:
        """The ids of the memories that are there."""
        return [part.memory_id for part in self.parts]

    @property
    def absent(self) -> list[str]:
        """The ids of those that were not written yet, or were removed."""
        if len(self.parts) == self.count:
            return []
        present = set(self.memory_ids)
        every = map(self.origin.memory_id, range(1, self.count + 1))
        return [each for each in every if each not in present]

    def is_complete(self, unwanted: Collection[str]) -> bool:
        """Tell whether it was read to its end, as its last part is written last.

        `unwanted` are the ids of memories that somebody has deleted.
        """
        last = self.origin.memory_id(self.count)
        return last in unwanted or last in self.memory_ids


def parts_of(
    document: Document, origin: Origin, given: Metadata, *, hides_secrets: bool
) -> list[Part]:
    """Make a memory of every section; where it stands is part of its metadata."""
    count = len(document.sections)
    parts = []
    for number, section in enumerate(document.sections, start=1):
        text = section.text
        about = {**_said_of_itself(document, section), **given, **_place(section)}
        hidden: Counter[str] = Counter()
        if hides_secrets:
            clean = redact(text)
            about, hidden = redact_metadata(about)
            text, hidden = clean.text, hidden + clean.hidden
        fixed = {
            "source": origin.source,
            "thread": origin.thread,
            "position": number,
            "document": {
                "kind": document.kind,
                "sha256": origin.sha256,
                "part": number,
                "parts": count,
            }
            | ({"is_handed_in": True} if origin.is_handed_in else {}),
        }
        parts.append(
            Part(origin.memory_id(number), parse_text(text), _parsed(about | fixed), hidden)
        )
    return parts


def stored_documents(parts: list[DocumentPart]) -> dict[str, list[StoredDocument]]:
    """Sort the memories of documents by source and version."""
    found: dict[str, dict[str, StoredDocument]] = {}
    for part in parts:
        match orjson.loads(part.metadata_json).get("document"):
            case {"sha256": str(sha256), "parts": int(count)}:
                versions = found.setdefault(part.source, {})
                origin = Origin(part.source, sha256)
                versions.setdefault(sha256, StoredDocument(origin, count)).parts.append(part)
    return {source: list(versions.values()) for source, versions in found.items()}


def new_labels(part: DocumentPart, given: Metadata) -> Metadata:
    """Return what was given for a document and is not known of a part of it; tags add up."""
    known: Metadata = orjson.loads(part.metadata_json)
    changes = {
        name: value
        for name, value in given.items()
        if name not in _OWN and value is not None and known.get(name) != value
    }
    tags = known.get("tags") or []
    if missing := [tag for tag in dict.fromkeys(changes.pop("tags", ())) if tag not in tags]:
        changes["tags"] = [*tags, *missing]
    return changes


def _said_of_itself(document: Document, section: Section) -> Metadata:
    author = section.author or document.author
    # Who writes a letter speaks in it; the author of a book is no part of each of its pages.
    by = "speaker" if document.kind in _MAILS else "written_by"
    said = {
        "title": document.title,
        by: author,
        "timestamp": section.date or document.date,
        "language": document.language,
    }
    return {name: value for name, value in said.items() if value}


def _place(section: Section) -> Metadata:
    place: Metadata = {"heading": section.heading_path, "place": section.place}
    if section.page is not None:
        place["page"] = section.page
    if section.lines is not None:
        place["lines"] = "-".join(map(str, section.lines))
    return {name: value for name, value in place.items() if value}


def _parsed(metadata: Metadata) -> ParsedMetadata:
    try:
        return parse_metadata(metadata)
    except ValidationError:
        if "timestamp" not in metadata:
            raise
        # A document may claim any date.
        return parse_metadata({k: v for k, v in metadata.items() if k != "timestamp"})
