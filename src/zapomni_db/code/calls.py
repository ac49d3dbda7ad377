"""Follow calls and other references, level by level, within a limit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, LiteralString

from zapomni_db.code.found import CallGraph, CallLink, Impact, ImpactGraph
from zapomni_db.code.keys import node_key
from zapomni_db.code.symbols import Symbols
from zapomni_db.connection import Command
from zapomni_db.cypher import Value
from zapomni_db.replies import Row, rows

__all__ = ["Calls"]

type Direction = Literal["callers", "callees"]

_COLUMNS: LiteralString = (
    " WHERE NOT c.how IN $without WITH a, b, c ORDER BY c.conf DESC LIMIT $limit "
    "RETURN a.key, a.id, a.path, b.key, b.id, b.path, c.lines, c.how, c.conf"
)
_CALLERS: tuple[LiteralString, ...] = (
    "MATCH (b:Symbol) WHERE b.key IN $keys MATCH (a)-[c:CALLS]->(b)" + _COLUMNS,
)
_CALLEES: tuple[LiteralString, ...] = (
    "MATCH (a:Symbol) WHERE a.key IN $keys MATCH (a)-[c:CALLS]->(b)" + _COLUMNS,
    "MATCH (a:File) WHERE a.key IN $keys MATCH (a)-[c:CALLS]->(b)" + _COLUMNS,
)
_HELD: LiteralString = "MATCH (s:Symbol) WHERE s.key IN $keys MATCH (s)-[:DEFINES*0..8]->(x) "
_SEEDS_OF_SYMBOLS: LiteralString = _HELD + "RETURN DISTINCT x.key, x.file, x.name"
_SEEDS_OF_FILES: LiteralString = (
    "MATCH (x:Symbol) WHERE x.file IN $keys RETURN x.key, x.file, x.name"
)
_REACHED: LiteralString = (
    "WITH x, min(type(e)) AS via LIMIT $limit "
    "RETURN x.key, coalesce(x.id, x.path), x.path, coalesce(x.kind, 'file'), "
    "coalesce(x.line, 0), x.test, via"
)
_REACH_SYMBOLS: LiteralString = (
    "MATCH (s:Symbol) WHERE s.key IN $keys "
    "MATCH (s)<-[e:CALLS|INHERITS|OVERRIDES]-(x) WHERE NOT coalesce(e.how, '') IN $without "
    + _REACHED
)
_REACH_FILES: LiteralString = (
    "MATCH (f:File) WHERE f.key IN $keys MATCH (f)<-[e:IMPORTS]-(x) " + _REACHED
)
_REACH_IMPORTERS: LiteralString = (
    "UNWIND $pairs AS pair MATCH (f:File {key: pair[0]}) "
    "MATCH (f)<-[e:IMPORTS]-(x) WHERE e.name = pair[1] " + _REACHED
)
_DEEPEST = 5


class Calls(Symbols):
    """Traversals of the graph."""

    async def call_graph(
        self,
        starts: Sequence[str],
        direction: Direction,
        *,
        depth: int = 1,
        limit: int = 200,
        without: Collection[str] = (),
    ) -> CallGraph:
        """Follow calls from symbol ids, or from paths for the code of files.

        `without` names kinds of resolution to leave out, such as `dispatch`. Nearer calls come
        first, surer ones before others.
        """
        frontier = {node_key(start) for start in starts}
        seen = set(frontier)
        links: list[CallLink] = []
        for level in range(1, min(depth, _DEEPEST) + 1):
            room = limit - len(links) + 1
            found = await self._links(direction, frontier, without, room)
            links += [_link(row, level) for row in found]
            ends = {row[0] if direction == "callers" else row[3] for row in found}
            frontier = ends - seen
            seen |= frontier
            if not frontier or len(links) > limit:
                break
        kept = tuple(links[:limit])
        ids = {one for link in kept for one in (link.source, link.target)}
        return CallGraph(kept, await self.symbols(sorted(ids)), is_cut=len(links) > limit)

    async def impact(
        self,
        starts: Sequence[str],
        *,
        depth: int = 3,
        limit: int = 500,
        without: Collection[str] = (),
    ) -> ImpactGraph:
        """Find what a change of symbols, or of whole files by their paths, may reach.

        A class stands for its members too. Files that import a symbol by name are reached, and
        those that import a whole file that is given.
        """
        given = [node_key(start) for start in starts]
        seeds = await self._seeds(given)
        seen = {*given, *(row[0] for row in seeds)}
        reached: list[Impact] = []
        commands = [self._importers(seeds, limit), *self._reaching(seen, without, limit)]
        for level in range(1, min(depth, _DEEPEST) + 1):
            frontier: set[str] = set()
            for key, *row in await self._all_rows(commands):
                if key not in seen:
                    seen.add(key)
                    frontier.add(key)
                    reached.append(_impact(row, level))
            if not frontier or len(reached) > limit:
                break
            commands = self._reaching(frontier, without, limit)
        return ImpactGraph(tuple(reached[:limit]), is_cut=len(reached) > limit)

    async def _links(
        self, direction: Direction, frontier: set[str], without: Collection[str], limit: int
    ) -> list[Row]:
        parameters: dict[str, Value] = {
            "keys": sorted(frontier),
            "without": list(without),
            "limit": limit,
        }
        queries = _CALLERS if direction == "callers" else _CALLEES
        return await self._all_rows([self._graph.reading(q, parameters) for q in queries])

    async def _seeds(self, keys: list[str]) -> list[Row]:
        queries = (_SEEDS_OF_SYMBOLS, _SEEDS_OF_FILES)
        return await self._all_rows([self._graph.reading(q, {"keys": keys}) for q in queries])

    def _importers(self, seeds: Sequence[Row], limit: int) -> Command:
        pairs = sorted({(file, name) for _, file, name in seeds})
        return self._graph.reading(_REACH_IMPORTERS, {"pairs": pairs, "limit": limit + 1})

    def _reaching(self, frontier: set[str], without: Collection[str], limit: int) -> list[Command]:
        parameters: dict[str, Value] = {
            "keys": sorted(frontier),
            "without": list(without),
            "limit": limit + 1,
        }
        return [self._graph.reading(q, parameters) for q in (_REACH_SYMBOLS, _REACH_FILES)]

    async def _all_rows(self, commands: Sequence[Command]) -> list[Row]:
        replies = await self._connection.pipeline(commands)
        return [row for reply in replies for row in rows(reply)]


def _impact(row: Row, depth: int) -> Impact:
    node_id, path, kind, line, is_test, via = row
    return Impact(node_id, path, kind, line, is_test, via, depth)


def _link(row: Row, depth: int) -> CallLink:
    _, source, source_path, _, target, target_path, lines, how, confidence = row
    return CallLink(
        source=source_path if source is None else source,
        source_path=source_path,
        target=target,
        lines=tuple(lines),
        how=how,
        confidence=confidence,
        is_external=target_path is None,
        depth=depth,
    )
