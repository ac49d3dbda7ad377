"""What the engine tells about the graph."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from zapomni_core.jobs import JobReport

__all__ = [
    "EntityDetails",
    "Evidence",
    "ExportFormat",
    "FactStatus",
    "GraphBuilt",
    "GraphExport",
    "GraphStatus",
    "Related",
    "Relation",
]

type FactStatus = Literal["current", "ended", "superseded", "conflicting", "upcoming"]
type ExportFormat = Literal["graphml", "cytoscape", "cypher", "jsonld", "json"]


@dataclass(frozen=True, slots=True)
class EntityDetails:
    """A person or thing that memories name."""

    id: str
    name: str
    type: str
    mentions: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentence that says so, and the memory it stands in."""

    memory_id: str
    text: str
    source: str
    timestamp: datetime


@dataclass(frozen=True, slots=True)
class Relation:
    """How something is related to what was asked for, over a path of names and predicates.

    `strength` is the number of texts that say so or that name both.
    """

    entity: EntityDetails
    predicate: str
    is_outgoing: bool
    depth: int
    path: tuple[str, ...]
    confidence: float
    strength: int
    status: FactStatus
    fact_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    said: datetime | None = None
    why: str | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Related:
    """What is known about an entity; without one, the names that come close."""

    entity: EntityDetails | None
    relations: tuple[Relation, ...] = ()
    suggestions: tuple[str, ...] = ()
    as_of: datetime | None = None
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class GraphBuilt:
    """What building has added; counts grow while the job still runs."""

    job: JobReport
    memories: int
    entities_created: int
    entities_merged: int
    mentions: int
    facts: int
    aliases: int
    confidence: float | None
    entities: tuple[EntityDetails, ...] = ()
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class GraphStatus:
    """How large the graph is, how much of the memory is in it, and what is being done."""

    entities: int
    entities_by_type: dict[str, int]
    facts: int
    mentions: int
    aliases: int
    density: float
    largest_component: int
    top_entities: tuple[EntityDetails, ...]
    memories_built: int
    memories_total: int
    extractor: str
    jobs: tuple[JobReport, ...]


@dataclass(frozen=True, slots=True)
class GraphExport:
    """The graph in a format that other programs read: as content, or where the file is."""

    format: ExportFormat
    entities: int
    facts: int
    content: str | None
    path: str | None
