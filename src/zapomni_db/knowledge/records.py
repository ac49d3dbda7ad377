"""The rows of the knowledge graph that cross the border of the store.

Ids are 32 hex digits, times are UTC milliseconds. They are named tuples,
which are made in a quarter of the time of frozen dataclasses, as are their classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

__all__ = [
    "AliasLink",
    "AliasRecord",
    "Assertion",
    "ChunkText",
    "Companion",
    "EntityEnd",
    "EntityNode",
    "EntityRecord",
    "Evidence",
    "FactRecord",
    "GraphCensus",
    "MemoryKnowledge",
    "MemoryText",
    "MentionRecord",
    "MentioningChunk",
    "WriteCounts",
]


class EntityRecord(NamedTuple):
    """An entity as one memory names it; every memory that has the key means the same entity."""

    id: str
    key: str
    name: str
    type: str


class MentionRecord(NamedTuple):
    """A chunk names an entity at `spans`: start, end, start, end, … within the chunk."""

    chunk_id: str
    entity_id: str
    spans: tuple[int, ...]
    type: str
    confidence: float


class FactRecord(NamedTuple):
    """A chunk states a fact; whoever states the same fact gives it the same id."""

    id: str
    subject_id: str
    predicate: str
    object_id: str
    confidence: float
    memory_id: str
    chunk_id: str
    start: int
    end: int
    said_ms: int
    since_ms: int | None = None
    until_ms: int | None = None


class AliasRecord(NamedTuple):
    """In one memory, a short name stands for a full one."""

    short_id: str
    full_id: str
    confidence: float
    memory_id: str
    chunk_id: str


class MemoryKnowledge(NamedTuple):
    """All that one memory says, as one extractor found it.

    A chunk mentions an entity once, with all its places, and it mentions both ends of every
    fact that it states.
    """

    memory_id: str
    extractor: str
    entities: tuple[EntityRecord, ...] = ()
    mentions: tuple[MentionRecord, ...] = ()
    facts: tuple[FactRecord, ...] = ()
    aliases: tuple[AliasRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteCounts:
    """What a write changed; entities are merged when they were known already."""

    entities_created: int = 0
    entities_merged: int = 0
    mentions: int = 0
    facts: int = 0
    aliases: int = 0

    def __add__(self, other: WriteCounts) -> WriteCounts:
        return WriteCounts(
            self.entities_created + other.entities_created,
            self.entities_merged + other.entities_merged,
            self.mentions + other.mentions,
            self.facts + other.facts,
            self.aliases + other.aliases,
        )


class ChunkText(NamedTuple):
    """A chunk's text and where it starts in its memory."""

    id: str
    start: int
    text: str


class MemoryText(NamedTuple):
    """What there is to read in a memory, its chunks in order."""

    memory_id: str
    timestamp_ms: int
    speaker: str
    chunks: tuple[ChunkText, ...]


class EntityNode(NamedTuple):
    """An entity as most memories name it, and the number of chunks that mention it."""

    id: str
    key: str
    name: str
    type: str
    mentions: int


class EntityEnd(NamedTuple):
    """The entity at one end of a relation, and how many chunks mention it."""

    id: str
    name: str
    type: str
    mentions: int


class Assertion(NamedTuple):
    """A fact as one chunk states it."""

    id: str
    subject: EntityEnd
    predicate: str
    object: EntityEnd
    confidence: float
    memory_id: str
    chunk_id: str
    start: int
    end: int
    said_ms: int
    since_ms: int | None
    until_ms: int | None


class AliasLink(NamedTuple):
    """A short name that stands for a full one, as one chunk says."""

    short: EntityEnd
    full: EntityEnd
    confidence: float
    memory_id: str
    chunk_id: str


class Companion(NamedTuple):
    """An entity that shares chunks with the one that was asked for; `chunk_id` is one of them."""

    entity_id: str
    other: EntityEnd
    shared: int
    chunk_id: str


class MentioningChunk(NamedTuple):
    """A chunk and how many of the entities that were asked for it mentions."""

    chunk_id: str
    entities: int


class Evidence(NamedTuple):
    """The text behind a relation."""

    chunk_id: str
    memory_id: str
    text: str
    source: str
    timestamp_ms: int


class GraphCensus(NamedTuple):
    """What the knowledge graph holds. A fact may have several assertions.

    `largest_component` counts the entities that facts and aliases connect with each other.
    """

    entities_by_type: Mapping[str, int]
    facts: int
    assertions: int
    mentions: int
    aliases: int
    largest_component: int
    most_mentioned: tuple[EntityNode, ...]
