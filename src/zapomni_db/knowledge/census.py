"""Count and export the whole knowledge graph."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import LiteralString

from zapomni_db.graph import Graph
from zapomni_db.knowledge.records import AliasRecord, EntityNode, FactRecord, GraphCensus
from zapomni_db.replies import Row

__all__ = ["Census"]

_TYPES: LiteralString = "MATCH (e:Entity) RETURN e.type, count(e)"
_COUNTS: tuple[LiteralString, ...] = (
    "MATCH ()-[f:FACT]->() RETURN count(DISTINCT f.id)",
    "MATCH ()-[f:FACT]->() RETURN count(f)",
    "MATCH ()-[r:MENTIONS]->() RETURN count(r)",
    "MATCH ()-[a:SAME]->() RETURN count(a)",
)
_TOP: LiteralString = """
MATCH (e:Entity) WITH e ORDER BY e.n DESC, e.key LIMIT $limit
RETURN e.id, e.key, e.name, e.type, e.n
"""
_COMPONENT: LiteralString = """
CALL algo.WCC({nodeLabels: ['Entity'], relationshipTypes: ['FACT', 'SAME']})
YIELD node, componentId WITH componentId, count(node) AS size RETURN max(size)
"""
_END: LiteralString = "MATCH (e:Entity) RETURN max(id(e)) + 1"
_PAGE_OF: LiteralString = "MATCH (e:Entity) WHERE id(e) >= $from AND id(e) < $to "
_ENTITIES = _PAGE_OF + "RETURN e.id, e.key, e.name, e.type, e.n"
# One row for each entity, however many facts it has: the official image of FalkorDB cuts an
# answer off behind 10,000 rows.
_ALL_FACTS = (
    _PAGE_OF
    + """
MATCH (e)-[f:FACT]->(o)
RETURN id(e), collect([f.id, e.id, f.predicate, o.id, f.confidence, f.memory, f.chunk, f.first,
                       f.last, f.said, f.since, f.until])
"""
)
_ALL_ALIASES = (
    _PAGE_OF
    + """
MATCH (e)-[a:SAME]->(o)
RETURN id(e), collect([e.id, o.id, a.confidence, a.memory, a.chunk])
"""
)
_PAGE = 5000
_MOST_MENTIONED = 20


class Census:
    """Reads that look at every entity; half a second at 100,000 of them."""

    page = _PAGE

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def census(self) -> GraphCensus:
        """Count what the knowledge graph holds."""
        types = await self._graph.read(_TYPES)
        facts, assertions, mentions, aliases = [await self._number(query) for query in _COUNTS]
        top = await self._graph.read(_TOP, limit=_MOST_MENTIONED)
        return GraphCensus(
            entities_by_type={str(kind): int(count) for kind, count in types},
            facts=facts,
            assertions=assertions,
            mentions=mentions,
            aliases=aliases,
            largest_component=await self._number(_COMPONENT),
            most_mentioned=tuple(EntityNode(*row) for row in top),
        )

    async def all_entities(self) -> AsyncIterator[list[EntityNode]]:
        """Fetch every entity, page by page."""
        async for page in self._pages(_ENTITIES):
            yield [EntityNode(*row) for row in page]

    async def all_facts(self) -> AsyncIterator[list[FactRecord]]:
        """Fetch every assertion, page by page."""
        async for page in self._pages(_ALL_FACTS):
            yield [FactRecord(*row) for _, collected in page for row in collected]

    async def all_aliases(self) -> AsyncIterator[list[AliasRecord]]:
        """Fetch every alias, page by page."""
        async for page in self._pages(_ALL_ALIASES):
            yield [AliasRecord(*row) for _, collected in page for row in collected]

    async def _pages(self, query: LiteralString) -> AsyncIterator[list[Row]]:
        end = await self._number(_END)
        for first in range(0, end, self.page):
            if page := await self._graph.read(query, **{"from": first, "to": first + self.page}):
                yield page

    async def _number(self, query: LiteralString) -> int:
        ((found,),) = await self._graph.read(query)
        return int(found or 0)
