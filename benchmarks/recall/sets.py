"""The question sets: documents to remember, and questions with the documents that answer them."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, assert_never

from zapomni_core.models import Metadata

__all__ = [
    "DATA",
    "SETS",
    "SHAPES",
    "Document",
    "Group",
    "Memory",
    "Question",
    "Shape",
    "memories_of",
    "moment_of",
    "read_set",
]

DATA = Path(__file__).parents[3] / "shared" / "eval" / "retrieval"
SETS = (
    "locomo_conv0-4",
    "locomo_conv0-4_audited",
    "beam100K_chats1-10",
    "cranfield",
    "cacm",
    "mbpp",
    "cosqa_dev500",
)

type Shape = Literal["metadata", "text", "plain"]
SHAPES: tuple[Shape, ...] = ("metadata", "text", "plain")

_DATE_FORMATS = ("%I:%M %p on %d %B, %Y", "%B-%d-%Y")


@dataclass(frozen=True, slots=True)
class Document:
    """A text; if it is a turn of a conversation, with who said it, when and in which session."""

    id: str
    text: str
    speaker: str | None = None
    date: str | None = None
    session: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the grade of each document that answers it; none if nothing does."""

    id: str
    text: str
    category: str
    relevant: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that share one memory, in order, and the questions asked about them."""

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """A document as an agent hands it in."""

    document_id: str
    text: str
    metadata: Metadata | None


def read_set(path: Path) -> list[Group]:
    """Read a set, group by group."""
    documents: dict[str, list[Document]] = defaultdict(list)
    questions: dict[str, list[Question]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["kind"] == "doc":
                documents[row["group"]].append(_document(row))
            else:
                questions[row["group"]].append(_question(row))
    return [Group(name, tuple(found), tuple(questions[name])) for name, found in documents.items()]


def _document(row: dict[str, Any]) -> Document:
    return Document(
        row["id"], row["text"], row.get("speaker"), row.get("date"), row.get("session")
    )


def _question(row: dict[str, Any]) -> Question:
    return Question(f"{row['group']}/{row['id']}", row["text"], row["cat"], row["rel"])


def memories_of(group: Group, shape: Shape) -> list[Memory]:
    """Write the documents as an agent would store them; what says nothing is left out."""
    return [_memory(document, shape) for document in group.documents if document.text.strip()]


def _memory(document: Document, shape: Shape) -> Memory:
    speaker, text = document.speaker, document.text
    if speaker is None:
        return Memory(document.id, text, None)
    match shape:
        case "metadata":
            return Memory(document.id, f"{speaker}: {text}", _circumstances(document))
        case "plain":
            return Memory(document.id, text, {"speaker": speaker, **_circumstances(document)})
        case "text":
            prefix = f"[{document.date}] " if document.date else ""
            return Memory(document.id, f"{prefix}{speaker}: {text}", None)
        case _:
            assert_never(shape)


def _circumstances(document: Document) -> Metadata:
    moment = moment_of(document.date)
    when = {} if moment is None else {"timestamp": moment.isoformat()}
    if document.session is None:
        return dict(when)
    return {**when, "source": f"session_{document.session}", "session": document.session}


def moment_of(date: str | None) -> datetime | None:
    """Read a date as the sets write it; None if there is none to read."""
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(date or "", form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
