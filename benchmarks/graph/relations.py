"""Facts against Re-DocRED: documents with marked names and the relations between them.

The names are the marked ones, so only the reading of facts is measured. A claim is right if the
document lists one of the relations that its predicate stands for between the same two entities.
The lists are known to be incomplete, so the precision is a lower bound.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from zapomni_core.knowledge.facts import claims_of
from zapomni_core.knowledge.model import EntityType, Mention

__all__ = [
    "RELATIONS",
    "Document",
    "Found",
    "Tally",
    "facts_in",
    "read_documents",
    "read_verdicts",
    "tally",
    "unlisted",
]

VERDICTS: Final = Path(__file__).with_name("unlisted.jsonl")

TYPES: Final[dict[str, EntityType]] = {
    "PER": "person",
    "ORG": "organisation",
    "LOC": "place",
    "TIME": "date",
    "MISC": "work",
}
# Relations of Wikidata that a predicate may be; "-" stands before those from object to subject.
RELATIONS: Final = {
    "works_at": "P108 P54 P241 P463 P102",
    "leads": "-P488 -P6 -P35 -P169 P108 P39 P27 P937 P463 -P112 P54",
    "founded": "-P112 -P170 P463 P108 -P176 -P127",
    "plays_for": "P54 P108 P463",
    "member_of": "P463 P102 P54 P361 P108 P241",
    "educated_at": "P69",
    "lives_in": "P551 P937 P19 P20 P27",
    "citizen_of": "P27 P19 P551 P937",
    "nationality": "P27 P172 P495",
    "visited": "P551 P937 P20",
    "born_in": "P19",
    "born_on": "P569",
    "died_in": "P20",
    "died_on": "P570",
    "married_to": "P26 -P26",
    "parent_of": "P40 -P22 -P25",
    "child_of": "P22 P25 -P40",
    "sibling_of": "P3373 -P3373",
    "written_by": "P50 P58 P170 P676 P86 -P800",
    "directed_by": "P57 -P800",
    "performed_by": "P175 P161 P170 -P800 P86",
    "published_by": "P123 P264 P178 P272 P175 P50 -P800",
    "created_by": "P170 P178 P176 P112 P50 P86 P287 P162 P272 P57 P123 -P800 -P1056",
    "produced_by": "P162 P272 P178 P175 P170 -P800",
    "founded_on": "P571 P580",
    "owned_by": "P127 P749 P137 P361 P176 -P355",
    "part_of": "P361 P179 P131 P17 P749 P276 P463 P1441 P527 -P527 P155 P175 P127 P264",
    "located_in": "P131 P17 P276 P30 P706 P159 P361 P495 P206 P205 P740 P937",
    "capital_of": "P1376 -P36 P131 P17",
    "attended": "P1344 -P710 P607",
}
_MAPPED: Final = frozenset(
    name.lstrip("-") for names in RELATIONS.values() for name in names.split()
)


@dataclass(frozen=True, slots=True)
class Document:
    """A text, its names with the entity of each, and the relations between the entities."""

    title: str
    text: str
    mentions: tuple[Mention, ...]
    entities: tuple[int, ...]
    triples: frozenset[tuple[int, str, int]]

    @staticmethod
    def is_mapped(triple: tuple[int, str, int]) -> bool:
        """Tell whether a predicate stands for the relation."""
        return triple[1] in _MAPPED


@dataclass(frozen=True, slots=True)
class Found:
    """A claim between entities of a document, and whether the document lists it."""

    document: Document
    subject: int
    predicate: str
    other: int
    sentence: str
    is_listed: bool

    @property
    def key(self) -> tuple[str, int, str, int]:
        """Give what a judgement is filed under."""
        return self.document.title, self.subject, self.predicate, self.other


@dataclass(frozen=True, slots=True)
class Tally:
    """How many facts of a predicate were found, listed, and are there to be found."""

    found: int
    listed: int
    known: int


def read_documents(path: Path) -> list[Document]:
    """Read the documents of Re-DocRED."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [_document(row) for row in json.load(file)]


def _document(row: dict[str, Any]) -> Document:
    text, starts, ends = _joined(row["sents"])
    named = sorted(
        (
            starts[one["sent_id"]][one["pos"][0]],
            ends[one["sent_id"]][one["pos"][1] - 1],
            type_,
            entity,
        )
        for entity, group in enumerate(row["vertexSet"])
        for one in group
        if (type_ := TYPES.get(one["type"])) is not None
    )
    kept = [one for place, one in enumerate(named) if place == 0 or one[0] >= named[place - 1][1]]
    return Document(
        row["title"],
        text,
        tuple(Mention(start, end, type_, 1.0) for start, end, type_, _ in kept),
        tuple(entity for *_, entity in kept),
        frozenset((one["h"], one["r"], one["t"]) for one in row["labels"]),
    )


def _joined(sentences: Iterable[list[str]]) -> tuple[str, list[list[int]], list[list[int]]]:
    """Write words as a text, and tell where each begins and ends."""
    text = ""
    starts: list[list[int]] = []
    ends: list[list[int]] = []
    for words in sentences:
        starts.append([])
        ends.append([])
        for place, word in enumerate(words):
            glue = "\n" if place == 0 else ("" if _is_glued(text, word) else " ")
            text += glue if text else ""
            starts[-1].append(len(text))
            text += word
            ends[-1].append(len(text))
    return text, starts, ends


def _is_glued(text: str, word: str) -> bool:
    return text.endswith("(") or word in {",", ".", ";", ":", "!", "?", ")", "'s", "n't", "%"}


def facts_in(document: Document) -> Iterator[Found]:
    """Read a document, and look every fact up."""
    reading = claims_of(document.text, document.mentions, datetime(2020, 1, 1, tzinfo=UTC))
    seen = set()
    for claim in reading.claims:
        if max(claim.subject, claim.object) >= len(document.entities):
            continue
        subject, other = document.entities[claim.subject], document.entities[claim.object]
        if subject != other and (subject, claim.predicate, other) not in seen:
            seen.add((subject, claim.predicate, other))
            yield Found(
                document,
                subject,
                claim.predicate,
                other,
                document.text[claim.start : claim.end],
                not _meanings(subject, claim.predicate, other).isdisjoint(document.triples),
            )


def _meanings(subject: int, predicate: str, other: int) -> set[tuple[int, str, int]]:
    return {
        (other, one[1:], subject) if one.startswith("-") else (subject, one, other)
        for one in RELATIONS.get(predicate, "").split()
    }


def tally(documents: Iterable[Document]) -> dict[str, Tally]:
    """Count the facts of each predicate that the lists speak of."""
    found: Counter[str] = Counter()
    listed: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for document in documents:
        for one in facts_in(document):
            if one.predicate in RELATIONS:
                found[one.predicate] += 1
                listed[one.predicate] += one.is_listed
        relations = Counter(relation for _, relation, _ in document.triples)
        for predicate, names in RELATIONS.items():
            known[predicate] += relations[names.split()[0].lstrip("-")]
    return {one: Tally(found[one], listed[one], known[one]) for one in RELATIONS}


def unlisted(documents: Iterable[Document]) -> Iterator[Found]:
    """Give the facts that the lists do not have, to be judged by the text."""
    for document in documents:
        for one in facts_in(document):
            if one.predicate in RELATIONS and not one.is_listed:
                yield one


def read_verdicts(path: Path = VERDICTS) -> dict[tuple[str, int, str, int], bool]:
    """Read which unlisted facts their documents do state."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {
        (row["title"], row["subject"], row["predicate"], row["other"]): row["right"]
        for row in rows
    }
