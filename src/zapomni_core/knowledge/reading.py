"""Put together what a memory says: its names, its facts, and where each stands."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b

from zapomni_core.knowledge.facts import Reading, claims_of
from zapomni_core.knowledge.model import SPEAKER, Claim, EntityName, Mention
from zapomni_core.knowledge.names.keys import entity_id
from zapomni_core.knowledge.names.naming import name_mentions
from zapomni_core.models import moment_of
from zapomni_db import (
    AliasRecord,
    ChunkText,
    EntityRecord,
    FactRecord,
    MemoryKnowledge,
    MemoryText,
    MentionRecord,
)

__all__ = ["MemoryReader", "fact_id", "read_chunk"]

# How agents write of the one they work for.
_USER = re.compile(r"(?<![\w.@/-])(?:[Tt]he )?[Uu]ser(?=(?:'s)? [a-z])")
_USER_CONFIDENCE = 0.9
# What a program says is no fact about the program.
_NO_PERSON = frozenset({"assistant", "system", "tool"})


def fact_id(subject_id: str, predicate: str, object_id: str) -> str:
    """Return the id that every statement of the same fact has."""
    content = f"{subject_id}|{predicate}|{object_id}".encode()
    return blake2b(content, digest_size=16).hexdigest()


def read_chunk(memory: MemoryText, chunk: ChunkText, mentions: Sequence[Mention]) -> Reading:
    """Find the facts of a chunk; the user whom an agent writes of is one of its names."""
    said_at = moment_of(memory.timestamp_ms)
    return claims_of(chunk.text, _with_user(chunk.text, mentions), said_at, _speaker(memory))


class MemoryReader:
    """Collects the knowledge of one memory, chunk by chunk."""

    def __init__(self, memory: MemoryText, extractor: str) -> None:
        self._memory = memory
        self._extractor = extractor
        self._names: dict[str, EntityName] = {}
        self._votes: defaultdict[str, defaultdict[str, float]] = defaultdict(
            lambda: defaultdict(float)
        )
        self._mentions: list[MentionRecord] = []
        self._facts: dict[tuple[str, str], FactRecord] = {}
        self._aliases: dict[tuple[str, str], AliasRecord] = {}

    def add(self, chunk: ChunkText, reading: Reading) -> None:
        """Take in what was read in a chunk."""
        names, aliases = name_mentions(chunk.text, reading.mentions)
        speaker = self._speaker_of(reading.claims)
        self._add_mentions(chunk, reading.mentions, names, speaker)
        for claim in reading.claims:
            subject, target = (
                speaker if number == SPEAKER else names[number]
                for number in (claim.subject, claim.object)
            )
            if subject is not None and target is not None and subject.key != target.key:
                self._add_fact(chunk, claim, entity_id(subject.key), entity_id(target.key))
        for alias in aliases:
            short, full = entity_id(alias.short), entity_id(alias.full)
            record = AliasRecord(short, full, alias.confidence, self._memory.memory_id, chunk.id)
            self._aliases.setdefault((short, full), record)

    def knowledge(self) -> MemoryKnowledge:
        """Return what has been collected."""
        return MemoryKnowledge(
            memory_id=self._memory.memory_id,
            extractor=self._extractor,
            entities=tuple(self._entity(key) for key in self._names),
            mentions=tuple(self._mentions),
            facts=tuple(self._facts.values()),
            aliases=tuple(self._aliases.values()),
        )

    def _entity(self, key: str) -> EntityRecord:
        votes = self._votes[key]
        kind = max(sorted(votes), key=votes.__getitem__)
        return EntityRecord(entity_id(key), key, self._names[key].name, kind)

    def _speaker_of(self, claims: Sequence[Claim]) -> EntityName | None:
        name = _speaker(self._memory)
        if not name or not any(SPEAKER in (claim.subject, claim.object) for claim in claims):
            return None
        (named,), _ = name_mentions(name, [Mention(0, len(name), "person", 1.0)])
        return named

    def _add_mentions(
        self,
        chunk: ChunkText,
        mentions: Sequence[Mention],
        names: Sequence[EntityName],
        speaker: EntityName | None,
    ) -> None:
        places: defaultdict[str, list[Mention]] = defaultdict(list)
        for mention, named in zip(mentions, names, strict=True):
            self._names.setdefault(named.key, named)
            self._votes[named.key][mention.type] += mention.confidence
            places[named.key].append(mention)
        if speaker is not None and speaker.key not in places:
            self._names.setdefault(speaker.key, speaker)
            self._votes[speaker.key]["person"] += 1.0
            places[speaker.key] = []
        for key, found in places.items():
            self._mentions.append(
                MentionRecord(
                    chunk_id=chunk.id,
                    entity_id=entity_id(key),
                    spans=tuple(place for each in found for place in (each.start, each.end)),
                    type=max(sorted(self._votes[key]), key=self._votes[key].__getitem__),
                    confidence=max((each.confidence for each in found), default=1.0),
                )
            )

    def _add_fact(self, chunk: ChunkText, claim: Claim, subject: str, target: str) -> None:
        fact = FactRecord(
            id=fact_id(subject, claim.predicate, target),
            subject_id=subject,
            predicate=claim.predicate,
            object_id=target,
            confidence=claim.confidence,
            memory_id=self._memory.memory_id,
            chunk_id=chunk.id,
            start=claim.start,
            end=claim.end,
            said_ms=self._memory.timestamp_ms,
            since_ms=claim.from_ms,
            until_ms=claim.to_ms,
        )
        self._facts.setdefault((fact.id, chunk.id), fact)


def _speaker(memory: MemoryText) -> str:
    return "" if memory.speaker.casefold() in _NO_PERSON else memory.speaker


def _with_user(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    taken = [range(mention.start, mention.end) for mention in mentions]
    users = [
        Mention(match.start(), match.end(), "person", _USER_CONFIDENCE, "user")
        for match in _USER.finditer(text)
        if not any(match.start() in place or match.end() - 1 in place for place in taken)
    ]
    return (
        sorted([*mentions, *users], key=lambda mention: mention.start) if users else list(mentions)
    )
