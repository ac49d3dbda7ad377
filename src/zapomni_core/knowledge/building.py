"""Build the graph of memories: read them in batches, write what they say."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

from zapomni_core.jobs import Progress
from zapomni_core.knowledge.facts import Reading
from zapomni_core.knowledge.language_model import LanguageModel
from zapomni_core.knowledge.model import EntityExtractor, Mention
from zapomni_core.knowledge.reading import MemoryReader, read_chunk
from zapomni_core.knowledge.second_reading import SecondReader
from zapomni_db import MemoryKnowledge, MemoryText, Store, WriteCounts

__all__ = ["Builder", "Tally"]

# Small enough that a search beside it waits for no more than this many short texts.
_MEMORIES_PER_STEP = 16
_PAGE = 500
_NAMES_KEPT = 200
# What stands in the place of a secret names nobody.
_MARK = re.compile(r"\[redacted: [^\[\]\n]{1,40}\]")


@dataclass(slots=True)
class Tally:
    """What building has found so far.

    `unread` are the memories that the language model was to read and did not, for the reason in
    `problem`; `out_of_form` counts the texts in which it could not be understood; `entity_ids`
    are the first that were found.
    """

    memories: int = 0
    counts: WriteCounts = field(default_factory=WriteCounts)
    found: int = 0
    confidence_sum: float = 0.0
    unread: set[str] = field(default_factory=set)
    problem: str = ""
    out_of_form: int = 0
    entity_ids: dict[str, None] = field(default_factory=dict)

    @property
    def confidence(self) -> float | None:
        """The mean confidence of everything found."""
        return self.confidence_sum / self.found if self.found else None

    def add(self, known: Sequence[MemoryKnowledge], counts: WriteCounts) -> None:
        """Count what a step has read and written."""
        self.memories += len(known)
        self.counts += counts
        for one in known:
            sure = [each.confidence for each in one.mentions]
            sure += [each.confidence for each in one.facts]
            self.found += len(sure)
            self.confidence_sum += sum(sure)
            room = _NAMES_KEPT - len(self.entity_ids)
            self.entity_ids |= dict.fromkeys([each.id for each in one.entities][: max(room, 0)])


class Builder:
    """Reads memories of one store with an extractor, and a language model if there is one."""

    def __init__(self, store: Store, extractor: EntityExtractor, executor: Executor) -> None:
        self._store = store
        self._extractor = extractor
        self._executor = executor
        self.language_model: LanguageModel | None = None
        # By whom, and of which text, each memory was last read here; another text has other
        # chunks.
        self._tried: dict[str, int] = {}

    @property
    def name(self) -> str:
        """Who reads; stamped on every memory that was read."""
        return self._name_with(None if self.language_model is None else self.language_model.model)

    async def build(
        self, memory_ids: Sequence[str], tally: Tally, progress: Progress | None = None
    ) -> None:
        """Read these memories again, whether or not they are in the graph.

        What the language model does not answer for, the rules alone read; it is left to be read
        again.
        """
        second, done = self._second_reader(), 0
        for batch in itertools.batched(memory_ids, _step_size(second)):
            await self._step(batch, tally, second)
            done += len(batch)
            if progress is not None:
                await progress(done, len(memory_ids))

    async def keep_up(
        self, memory_ids: Sequence[str], choose: Callable[[Sequence[str]], Awaitable[list[str]]]
    ) -> None:
        """Read those of these memories that were not tried as they are.

        `choose` is asked at the last moment which of some there still is a need to read.
        """
        second, tally = self._second_reader(), Tally()
        for batch in itertools.batched(memory_ids, _step_size(second)):
            if chosen := await self.untried(await choose(batch)):
                await self._step(chosen, tally, second)

    async def untried(self, memory_ids: Sequence[str]) -> list[str]:
        """Leave out what was read as it is, even if the language model did not answer."""
        if not memory_ids:
            return []
        memories = await self._store.knowledge.texts_of(memory_ids)
        return [
            each.memory_id
            for each in memories
            if self._tried.get(each.memory_id) != hash((self.name, each))
        ]

    def forget(self, memory_id: str) -> None:
        """Take a memory for one that was never read, for what it says is new."""
        self._tried.pop(memory_id, None)

    async def build_all(self, tally: Tally, progress: Progress | None = None) -> None:
        """Read every memory that is not yet in the graph."""
        knowledge, second, name = self._store.knowledge, self._second_reader(), self.name
        built, total = await knowledge.coverage(name)
        done = 0
        while page := await self._unbuilt(name, tally.unread):
            for batch in itertools.batched(page, _step_size(second)):
                await self._step(batch, tally, second)
                done += len(batch)
                if progress is not None:
                    await progress(done, max(total - built, done))

    async def read(
        self, memories: Sequence[MemoryText], tally: Tally, second: SecondReader | None
    ) -> list[MemoryKnowledge]:
        """Find out what memories say, without writing it down."""
        texts = [_unmarked(chunk.text) for memory in memories for chunk in memory.chunks]
        found = iter(await self._extractor.extract_entities(texts))
        per_memory = [list(itertools.islice(found, len(memory.chunks))) for memory in memories]
        loop = asyncio.get_running_loop()
        readings = await loop.run_in_executor(self._executor, _readings, memories, per_memory)
        return [
            await self._knowledge_of(memory, read, tally, second)
            for memory, read in zip(memories, readings, strict=True)
        ]

    async def _knowledge_of(
        self,
        memory: MemoryText,
        readings: Sequence[Reading],
        tally: Tally,
        second: SecondReader | None,
    ) -> MemoryKnowledge:
        name = self._name_with(None)
        if second is not None:
            texts = [chunk.text for chunk in memory.chunks]
            readings, is_complete = await second.read(texts, readings)
            tally.problem, tally.out_of_form = second.problem, second.out_of_form
            if is_complete:
                name = self._name_with(second.name)
            else:
                tally.unread.add(memory.memory_id)
        reader = MemoryReader(memory, name)
        for chunk, reading in zip(memory.chunks, readings, strict=True):
            reader.add(chunk, reading)
        return reader.knowledge()

    def _second_reader(self) -> SecondReader | None:
        return None if self.language_model is None else SecondReader(self.language_model)

    def _name_with(self, model: str | None) -> str:
        return self._extractor.name if model is None else f"{self._extractor.name}+{model}"

    async def _unbuilt(self, name: str, left: set[str]) -> list[str]:
        found = await self._store.knowledge.unbuilt(name, len(left) + _PAGE)
        return [memory_id for memory_id in found if memory_id not in left]

    async def _step(
        self, memory_ids: Sequence[str], tally: Tally, second: SecondReader | None
    ) -> None:
        memories = await self._store.knowledge.texts_of(memory_ids)
        name = self._name_with(None if second is None else second.name)
        self._tried |= {each.memory_id: hash((name, each)) for each in memories}
        known = await self.read(memories, tally, second)
        tally.add(known, await self._store.knowledge.write(known))


def _unmarked(text: str) -> str:
    """Put white space in the place of marks; everything else stays where it is."""
    return _MARK.sub(lambda mark: " " * len(mark[0]), text)


def _readings(
    memories: Sequence[MemoryText], found: Sequence[Sequence[Sequence[Mention]]]
) -> list[list[Reading]]:
    return [
        [
            read_chunk(memory, chunk, mentions)
            for chunk, mentions in zip(memory.chunks, of_memory, strict=True)
        ]
        for memory, of_memory in zip(memories, found, strict=True)
    ]


def _step_size(second: SecondReader | None) -> int:
    # A language model takes seconds for a memory; what it has read is written right away.
    return _MEMORIES_PER_STEP if second is None else 1
