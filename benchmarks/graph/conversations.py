"""Facts in conversations (LoCoMo), judged by hand.

The file of judgements holds no text, only places: which turn, which predicate, from where to
where the object stands, and whether the turn says so.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.recall.sets import Document, moment_of, read_set
from zapomni_core.knowledge.facts import claims_of
from zapomni_core.knowledge.model import SPEAKER, EntityExtractor, Mention

__all__ = [
    "JUDGED",
    "Key",
    "Spoken",
    "read_judgements",
    "sample_of",
    "spoken_facts",
    "write_sample",
]

JUDGED: Final = Path(__file__).with_name("judged.jsonl")
SAMPLE: Final = 150
SEED: Final = 7

type Key = tuple[str, str, int, int, int]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A fact that a turn states; the subject starts at -1 if it is the speaker."""

    turn: str
    predicate: str
    subject: int
    start: int
    end: int
    text: str
    subject_name: str
    object_name: str

    @property
    def key(self) -> Key:
        """Give what a judgement is filed under."""
        return self.turn, self.predicate, self.subject, self.start, self.end


async def spoken_facts(path: Path, extractor: EntityExtractor) -> list[Spoken]:
    """Read the facts of all turns, each with its speaker and date."""
    turns = [(group.name, one) for group in read_set(path) for one in group.documents if one.text]
    found = await extractor.extract_entities([turn.text for _, turn in turns])
    return [
        spoken
        for (group, turn), mentions in zip(turns, found, strict=True)
        for spoken in _facts_of(group, turn, mentions)
    ]


def _facts_of(group: str, turn: Document, mentions: Sequence[Mention]) -> Iterator[Spoken]:
    said_at = moment_of(turn.date) or datetime(2023, 1, 1, tzinfo=UTC)
    speaker = turn.speaker or ""
    reading = claims_of(turn.text, mentions, said_at, speaker)
    for claim in reading.claims:
        subject = None if claim.subject == SPEAKER else reading.mentions[claim.subject]
        thing = reading.mentions[claim.object]
        yield Spoken(
            f"{group}/{turn.id}",
            claim.predicate,
            -1 if subject is None else subject.start,
            thing.start,
            thing.end,
            turn.text[claim.start : claim.end],
            speaker if subject is None else turn.text[subject.start : subject.end],
            turn.text[thing.start : thing.end],
        )


def sample_of(facts: Sequence[Spoken]) -> list[Spoken]:
    """Draw the same sample from the same facts every time."""
    ordered = sorted(facts, key=lambda one: one.key)
    return random.Random(SEED).sample(ordered, min(SAMPLE, len(ordered)))


def write_sample(path: Path, facts: Iterable[Spoken]) -> None:
    """Write facts with their sentences, to be read and judged."""
    with path.open("w", encoding="utf-8") as file:
        for one in facts:
            row = [*one.key, one.subject_name, one.object_name, one.text]
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_judgements(path: Path = JUDGED) -> dict[Key, bool]:
    """Read which facts were judged right."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {
        (row["turn"], row["predicate"], row["subject"], row["start"], row["end"]): row["right"]
        for row in rows
    }
