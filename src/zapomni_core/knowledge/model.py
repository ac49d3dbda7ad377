"""What a text says: whom and what it names, and which facts it states about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

__all__ = [
    "ENTITY_TYPES",
    "SPEAKER",
    "Alias",
    "Claim",
    "EntityExtractor",
    "EntityName",
    "EntityType",
    "Mention",
]

type EntityType = Literal[
    "person",
    "organisation",
    "place",
    "technology",
    "event",
    "work",
    "date",
    "concept",
    "reference",
]
ENTITY_TYPES: tuple[EntityType, ...] = get_args(EntityType.__value__)

# The subject of a claim that speaks of whoever said it.
SPEAKER = -1


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, from `start` to `end`.

    `value` is what it stands for when that is not how it is written: a date as 2023-05-08 or
    2023-05 or 2023, an address without its markup.
    """

    start: int
    end: int
    type: EntityType
    confidence: float
    value: str = ""


@dataclass(frozen=True, slots=True)
class EntityName:
    """What a mention is called: `key` is the same for every way of writing the same name."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Alias:
    """Within one text, the name `short` stands for the name `full` (both are keys)."""

    short: str
    full: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact that a text states, in the sentence from `start` to `end`.

    Subject and object are numbers of mentions, or SPEAKER. It holds from `from_ms` to `to_ms`
    (UTC milliseconds) as far as the text says so.
    """

    subject: int
    predicate: str
    object: int
    confidence: float
    start: int
    end: int
    from_ms: int | None = None
    to_ms: int | None = None


class EntityExtractor(Protocol):
    """Finds names in texts."""

    @property
    def name(self) -> str:
        """What it is called; what it found is found again if this changes."""

    async def extract_entities(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in order, none inside another."""
