"""Walk the knowledge graph: facts, aliases and companions of entities, and their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString

from zapomni_db.connection import Connection
from zapomni_db.cypher import Value
from zapomni_db.graph import Graph
from zapomni_db.knowledge.records import (
    AliasLink,
    Assertion,
    Companion,
    EntityEnd,
    Evidence,
    MentioningChunk,
)
from zapomni_db.knowledge.writing import slot_of
from zapomni_db.replies import Row, rows

__all__ = ["Relations"]

# What a question may look at, shared by the entities it asks for. Those with few mentions are
# expanded together; a subquery with its own limit costs 0.2 ms for each entity, so that only
# this many of the others, the rarest, get one.
_BUDGET, _CHUNKS_FOR_ONE = 200, 6
_MOST_HUBS = 4
_FACT_BUDGET, _FACTS_FOR_ONE = 1500, 15

_FEW: LiteralString = "MATCH (e:Entity) WHERE e.id IN $ids AND e.n <= $few "
_HUBS: LiteralString = (
    "MATCH (e:Entity) WHERE e.id IN $ids AND e.n > $few WITH e ORDER BY e.n LIMIT $hubs "
)
_FACT: LiteralString = (
    "RETURN f.id, s.id, s.name, s.type, s.n, f.predicate, o.id, o.name, o.type, o.n, "
    "f.confidence, f.memory, f.chunk, f.first, f.last, f.said, f.since, f.until"
)
# An assertion between two of the entities is found from both ends. The ends are looked up
# behind the cut, three times as fast as before the sort; decoding a row costs as much again.
_NEWEST_FACTS = (
    "WITH f WHERE $predicates IS NULL OR f.predicate IN $predicates "
    "WITH f ORDER BY f.said DESC, id(f) LIMIT $twice WITH DISTINCT f LIMIT $limit "
    "WITH startNode(f) AS s, f, endNode(f) AS o " + _FACT
)
# (One look-up of the hubs, with a union inside its CALL, ends the server: FalkorDB 4.22.1.)
_FACTS = (
    "CALL { "
    + (_FEW + "MATCH (e)-[f:FACT]-() RETURN f UNION ALL ")
    + (_HUBS + "CALL { WITH e MATCH (e)-[f:FACT]->() RETURN f LIMIT $share } RETURN f UNION ALL ")
    + (_HUBS + "CALL { WITH e MATCH (e)<-[f:FACT]-() RETURN f LIMIT $share } RETURN f } ")
    + _NEWEST_FACTS
)
# Without a hub among them, two of three look-ups are spared: a third of the time.
_FACTS_OF_FEW = _FEW + "MATCH (e)-[f:FACT]-() " + _NEWEST_FACTS
# The official image of FalkorDB would cut an answer off behind 10,000 rows, the newest perhaps.
_IN_SLOTS = (
    "MATCH (s)-[f:FACT]->(o) WHERE f.slot IN $slots "
    "WITH s, f, o ORDER BY f.said DESC LIMIT 10000 " + _FACT
)
_ALIAS: LiteralString = """
WITH s, a, f LIMIT 5000
RETURN s.id, s.name, s.type, s.n, f.id, f.name, f.type, f.n, a.confidence, a.memory, a.chunk
ORDER BY a.confidence DESC, a.chunk LIMIT 1000
"""
_ALIASES = (
    "MATCH (s:Entity) WHERE s.id IN $ids MATCH (s)-[a:SAME]->(f:Entity) " + _ALIAS,
    "MATCH (f:Entity) WHERE f.id IN $ids MATCH (s:Entity)-[a:SAME]->(f) " + _ALIAS,
)
# Internal ids grow with time: the last chunks are the newest.
_NEWEST_CHUNKS = (
    _FEW + "MATCH (e)<-[:MENTIONS]-(c) WITH e, collect(c) AS chunks UNWIND chunks[-$share..] AS c "
)
_CHUNKS = (
    "CALL { "
    + (_NEWEST_CHUNKS + "RETURN e, c UNION ALL ")
    + (_HUBS + "CALL { WITH e MATCH (e)<-[:MENTIONS]-(c) RETURN c LIMIT $share } RETURN e, c } ")
    + "WITH e, c "
)
_SHARED: LiteralString = """
MATCH (c)-[:MENTIONS]->(o) WHERE id(o) <> id(e)
WITH e, o, count(c) AS shared, max(id(c)) AS newest ORDER BY shared DESC, newest DESC LIMIT $limit
MATCH (c) WHERE id(c) = newest
RETURN e.id, o.id, o.name, o.type, o.n, shared, c.id ORDER BY shared DESC, newest DESC
"""
_COMPANIONS = _CHUNKS + _SHARED
_COMPANIONS_OF_FEW = _NEWEST_CHUNKS + "WITH e, c " + _SHARED
_MENTIONING = (
    _CHUNKS
    + "WITH c, count(e) AS entities ORDER BY entities DESC, id(c) DESC LIMIT $limit "
    + "RETURN c.id, entities"
)
_EVIDENCE: LiteralString = """
MATCH (c:Chunk) WHERE c.id IN $ids
MATCH (m)-[:HAS]->(c)
RETURN c.id, m.id, c.text, m.source, m.ts
"""


class Relations:
    """Reads around entities; each does a bounded amount of work, however often they are named."""

    def __init__(self, connection: Connection, graph: Graph) -> None:
        self._connection = connection
        self._graph = graph

    async def facts_around(
        self,
        entity_ids: Sequence[str],
        limit: int,
        predicates: Sequence[str] | None = None,
        *,
        most_mentions: int | None = None,
    ) -> list[Assertion]:
        """Fetch the newest assertions about entities, as subject or as object.

        Of an entity with thousands of facts only a sample is looked at; `facts_in_slots` finds
        all there is to one of them. `most_mentions` is of the entity that has most, if known.
        """
        if not entity_ids:
            return []
        named = None if predicates is None else list(predicates)
        # Who asks for few is content with a small sample, unless most of it is of another kind.
        budget = _FACT_BUDGET if named else min(_FACT_BUDGET, _FACTS_FOR_ONE * limit)
        bounds = _bounds(entity_ids, budget, limit)
        query = _chosen(_FACTS_OF_FEW, _FACTS, bounds, most_mentions)
        found = await self._graph.read(query, **bounds, twice=2 * limit, predicates=named)
        found.sort(key=lambda row: (-row[15], row[0], row[12]))
        return list(map(_assertion, found))

    async def facts_in_slots(self, slots: Sequence[tuple[str, str]]) -> list[Assertion]:
        """Fetch every assertion of (subject id, predicate) pairs, in the order they were said."""
        named = [slot_of(*slot) for slot in slots]
        found = map(_assertion, await self._graph.read(_IN_SLOTS, slots=named))
        return sorted(found, key=lambda a: (a.said_ms, a.id, a.chunk_id))

    async def has_fact(self, fact_id: str) -> bool:
        """Tell whether anything states a fact."""
        found = await self._graph.read(
            "MATCH ()-[f:FACT]->() WHERE f.id = $id RETURN f.id LIMIT 1", id=fact_id
        )
        return bool(found)

    async def aliases_of(self, entity_ids: Sequence[str]) -> list[AliasLink]:
        """Fetch the other names of entities, short and full."""
        ids = {"ids": list(entity_ids)}
        commands = [self._graph.reading(query, ids) for query in _ALIASES]
        found = await self._connection.pipeline(commands)
        return list(dict.fromkeys(_alias(row) for reply in found for row in rows(reply)))

    async def companions(
        self, entity_ids: Sequence[str], limit: int, *, most_mentions: int | None = None
    ) -> list[Companion]:
        """Find entities in the same chunks, those that share most of them first."""
        if not entity_ids:
            return []
        bounds = _bounds(entity_ids, min(_BUDGET, _CHUNKS_FOR_ONE * limit), limit)
        query = _chosen(_COMPANIONS_OF_FEW, _COMPANIONS, bounds, most_mentions)
        found = await self._graph.read(query, **bounds)
        return [
            Companion(entity, EntityEnd(*other), shared, chunk)
            for entity, *other, shared, chunk in found
        ]

    async def chunks_mentioning(
        self, entity_ids: Sequence[str], limit: int
    ) -> list[MentioningChunk]:
        """Find chunks that mention entities, those that mention most of them, then the newest."""
        if not entity_ids:
            return []
        found = await self._graph.read(_MENTIONING, **_bounds(entity_ids, _BUDGET, limit))
        return [MentioningChunk(*row) for row in found]

    async def evidence(self, chunk_ids: Sequence[str]) -> list[Evidence]:
        """Fetch the texts of chunks with their memories, in no particular order."""
        found = await self._graph.read(_EVIDENCE, ids=list(chunk_ids))
        return [Evidence(*row) for row in found]


def _bounds(entity_ids: Sequence[str], budget: int, limit: int) -> dict[str, Value]:
    share = max(budget // len(entity_ids), 1)
    ids = list(entity_ids)
    return {"ids": ids, "few": 2 * share, "share": share, "hubs": _MOST_HUBS, "limit": limit}


def _chosen(
    of_few: LiteralString, of_any: LiteralString, bounds: dict[str, Value], most: int | None
) -> LiteralString:
    few = bounds["few"]
    assert isinstance(few, int)
    return of_few if most is not None and most <= few else of_any


def _assertion(row: Row) -> Assertion:
    return Assertion(row[0], EntityEnd(*row[1:5]), row[5], EntityEnd(*row[6:10]), *row[10:])


def _alias(row: Row) -> AliasLink:
    return AliasLink(EntityEnd(*row[:4]), EntityEnd(*row[4:8]), *row[8:])
