"""Time the knowledge graph at a hundred thousand entities: `python -m benchmarks.graph.scale`."""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from hashlib import blake2b
from itertools import batched
from pathlib import Path
from typing import LiteralString

import numpy as np

from zapomni_core.knowledge.walking import Walker
from zapomni_core.models import Walk
from zapomni_db import (
    ChunkRecord,
    EmbeddedAddress,
    EmbeddingStamp,
    EntityRecord,
    FactRecord,
    Keyspace,
    MemoryKnowledge,
    MemoryRecord,
    MentionRecord,
    Store,
)
from zapomni_db.cypher import Value
from zapomni_db.graph import Graph
from zapomni_db.knowledge.writing import slot_of

_EXTRACTOR = "scale"
_HUB_SHARE = 2 / 3
_NOW_MS = 1_790_000_000_000
_SYLLABLES = (
    "an bel cor dan eli fen gor hal ist jun kel lor mar nor ost per rin sol tur vin".split()
)
_LOAD: tuple[LiteralString, ...] = (
    """
UNWIND $rows AS r
CREATE (:Entity {id: r[0], key: r[1], name: r[2], type: r[3], terms: r[1], n: r[4]})
""",
    """
UNWIND $rows AS r
CREATE (:Memory {
    id: r[0], created: 1, ts: r[2], source: 'notes', tags: [], meta: '{}', ready: true,
    thread: '', place: 0, speaker: '', code: false, graph: 'scale'
})-[:HAS]->(:Chunk {
    id: r[1], i: 0, first: 0, last: 90, text: r[3], terms: 'a b c', emb: vecf32([1.0, 0.0])
})
""",
    """
UNWIND $rows AS r
MATCH (c:Chunk {id: r[0]}) MATCH (e:Entity {id: r[1]})
CREATE (c)-[:MENTIONS {spans: [0, 4], type: 'person', confidence: 0.9, name: r[2]}]->(e)
""",
    """
UNWIND $rows AS r
MATCH (s:Entity {id: r[0]}) MATCH (o:Entity {id: r[1]})
CREATE (s)-[:FACT {
    id: r[2], slot: r[3], predicate: 'knows', confidence: 0.9, memory: r[4], chunk: r[5],
    first: 0, last: 40, said: r[6]
}]->(o)
""",
)


class World:
    """Memories of four mentions and two facts; one entity is in two thirds of them."""

    def __init__(self, entities: int, memories: int) -> None:
        self._random = random.Random(7)
        self.entities = entities
        self.names = [self._name(number) for number in range(entities)]
        self.ids = [_hex("entity", name.casefold()) for name in self.names]
        self.cast = [self._cast() for _ in range(memories)]

    def record(self, number: int) -> EntityRecord:
        """Return an entity as a memory names it."""
        name = self.names[number]
        return EntityRecord(self.ids[number], name.casefold(), name, "person")

    def tables(self) -> Iterator[tuple[LiteralString, list[Value]]]:
        """Yield the rows of each bulk query."""
        counts = np.bincount([n for cast in self.cast for n in cast], minlength=self.entities)
        people = zip(self.ids, self.names, counts.tolist(), strict=True)
        yield _LOAD[0], [[one, name.casefold(), name, "person", n] for one, name, n in people]
        yield (
            _LOAD[1],
            [
                [_hex("memory", m), _hex("chunk", m), _NOW_MS + m, f"What memory {m} says. " * 4]
                for m in range(len(self.cast))
            ],
        )
        yield (
            _LOAD[2],
            [
                [_hex("chunk", m), self.ids[n], self.names[n]]
                for m, cast in enumerate(self.cast)
                for n in cast
            ],
        )
        yield _LOAD[3], [self._fact(m, s, o) for m, s, o in self._facts()]

    def _facts(self) -> Iterator[tuple[int, int, int]]:
        for memory, cast in enumerate(self.cast):
            for _ in range(2):
                subject, thing = self._random.sample(cast, 2)
                yield memory, subject, thing

    def _fact(self, memory: int, subject: int, thing: int) -> Value:
        fact, slot = _hex("fact", subject, thing), slot_of(self.ids[subject], "knows")
        place = (_hex("memory", memory), _hex("chunk", memory), _NOW_MS + memory)
        return [self.ids[subject], self.ids[thing], fact, slot, *place]

    def _cast(self) -> list[int]:
        first = 0 if self._random.random() < _HUB_SHARE else self._number()
        return list(dict.fromkeys([first, *(self._number() for _ in range(4))]))[:4]

    def _number(self) -> int:
        if self._random.random() < 0.7:
            return self._random.randrange(1, self.entities)
        return min(int(self._random.paretovariate(0.6) * 20), self.entities - 1)

    def _name(self, number: int) -> str:
        parts = self._random.choices(_SYLLABLES, k=5)
        return f"{''.join(parts[:2]).title()} {''.join(parts[2:]).title()}{number}"


def _hex(*parts: object) -> str:
    return blake2b("|".join(map(str, parts)).encode(), digest_size=16).hexdigest()


async def _fill(store: Store, keyspace: Keyspace, world: World) -> None:
    graph = Graph(store._connection, keyspace.graph)  # noqa: SLF001  faster than memory by memory
    for query, rows in world.tables():
        started = time.perf_counter()
        for batch in batched(rows, 5000):
            await graph.write(query, rows=list(batch))
        print(f"  {len(rows):>7} rows in {time.perf_counter() - started:5.1f} s")


async def _timed(label: str, count: int, call: Callable[[int], Awaitable[object]]) -> None:
    times = []
    for number in range(count):
        started = time.perf_counter()
        await call(number)
        times.append(1000 * (time.perf_counter() - started))
    p50, p95 = np.percentile(times, [50, 95])
    print(f"{label:<44} p50 {p50:8.2f} ms   p95 {p95:8.2f} ms   ({count} times)", flush=True)


async def _walk(store: Store, start: str) -> None:
    walk = Walk(start, depth=3, limit=20, predicates=None, as_of_ms=None)
    # As the engine does: what memories said that have expired is taken back beside.
    _, related = await asyncio.gather(
        store.knowledge.forget_expired(), Walker(store).related(walk)
    )
    assert related.entity is not None


def _short_memory(number: int) -> tuple[MemoryRecord, ChunkRecord]:
    vector = np.array([1, 0], np.float32)
    memory = MemoryRecord(_hex("new", number), "Ada knows Bob.", 1, _NOW_MS, "notes", (), "{}")
    return memory, ChunkRecord(_hex("new chunk", number), 0, 0, 14, memory.text, "ada bob", vector)


def _short_knowledge(world: World, number: int) -> MemoryKnowledge:
    memory, chunk = _short_memory(number)
    fresh = EntityRecord(
        _hex("entity", f"new {number}"), f"new {number}", f"New {number}", "person"
    )
    entities = (*(world.record(n) for n in (0, number + 50, 3 * number + 999)), fresh)
    fact = FactRecord(
        *(_hex("new fact", number), entities[0].id, "knows", fresh.id, 0.9, memory.id, chunk.id),
        *(0, 14, _NOW_MS),
    )
    mentions = [MentionRecord(chunk.id, one.id, (0, 3), "person", 0.9) for one in entities]
    return MemoryKnowledge(memory.id, _EXTRACTOR, entities, tuple(mentions), (fact,))


async def _measure_reads(store: Store, world: World, count: int) -> None:
    asking = store.knowledge
    rng = random.Random(3)
    some = [rng.randrange(1, world.entities) for _ in range(count)]
    busy = [rng.randrange(20, 400) for _ in range(count)]
    await _timed(
        "get_related, depth 3, any entity",
        count,
        lambda i: _walk(store, world.ids[some[i]]),
    )
    await _timed(
        "get_related, depth 3, a busy one",
        count,
        lambda i: _walk(store, world.ids[busy[i]]),
    )
    await _timed("get_related, depth 3, the hub", count, lambda _: _walk(store, world.ids[0]))
    await _timed("forget_expired", count, lambda _: asking.forget_expired())
    fifty = [rng.sample(world.ids, 50) for _ in range(count)]
    await _timed("facts_around 50", count, lambda i: asking.facts_around(fifty[i], 100))
    await _timed("companions of 50", count, lambda i: asking.companions(fifty[i], 100))
    await _timed("companions of the hub", count, lambda _: asking.companions(world.ids[:1], 50))
    await _timed("facts_around the hub", count, lambda _: asking.facts_around(world.ids[:1], 50))
    await _timed(
        "chunks_mentioning 5", count, lambda i: asking.chunks_mentioning(fifty[i][:5], 50)
    )
    keys = [world.names[n].casefold() for n in some]
    await _timed("entities_by_key", count, lambda i: asking.entities_by_key(keys[i : i + 1]))
    await _timed("similar_names, a typo", count, lambda i: asking.similar_names(keys[i][1:], 5))
    await _timed(
        "similar_names, a beginning", count, lambda i: asking.similar_names(keys[i][:3], 5)
    )
    slots = [[(world.ids[n], "knows")] for n in busy]
    await _timed("facts_in_slots, one", count, lambda i: asking.facts_in_slots(slots[i]))
    await _timed("coverage", 5, lambda _: asking.coverage(_EXTRACTOR))
    await _timed("census", 3, lambda _: asking.census())


async def _measure_writes(store: Store, world: World, count: int) -> None:
    asking = store.knowledge
    said = [_short_memory(number) for number in range(2 * count)]
    await _timed("add of a short memory", 2 * count, lambda i: store.add(said[i][0], said[i][1:]))
    bare = said[count:]
    await _timed(
        "write of a short memory", count, lambda i: asking.write([_short_knowledge(world, i)])
    )
    many = [_short_knowledge(world, i) for i in range(count, count + 20)]
    await _timed("write of 20 short memories", 1, lambda _: asking.write(many))
    await _timed("the same again", count, lambda i: asking.write([_short_knowledge(world, i)]))
    await _timed("removal with knowledge", count, lambda i: store.remove(said[i][0].id))
    await _timed("removal without knowledge", count, lambda i: store.remove(bare[i][0].id))


async def _run(entities: int, memories: int, count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        keyspace = Keyspace("scale")
        store = Store(EmbeddedAddress(Path(folder)), keyspace, timeout_s=120)
        await store.open()
        try:
            await store.claim(EmbeddingStamp("scale", 2))
            world = World(entities, memories)
            await _fill(store, keyspace, world)
            await _measure_reads(store, world, count)
            await _measure_writes(store, world, count)
        finally:
            await store.close()


def main() -> None:
    """Fill a store and print how long its answers take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--memories", type=int, default=75_000)
    parser.add_argument("--count", type=int, default=100, help="how often each call is timed")
    given = parser.parse_args()
    asyncio.run(_run(given.entities, given.memories, given.count))


if __name__ == "__main__":
    main()
