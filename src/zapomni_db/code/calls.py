"""Follow calls and other references, level by level, within a limit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal, LiteralString, NamedTuple

from zapomni_db.code.found import CallGraph, CallLink, Impact, ImpactGraph, PossibleCall, Symbol
from zapomni_db.code.keys import node_key
from zapomni_db.code.references import References, unbound_calls
from zapomni_db.code.rows import FileRow, SymbolRow
from zapomni_db.code.symbols import Symbols
from zapomni_db.connection import Command
from zapomni_db.cypher import Value
from zapomni_db.replies import Row, rows

__all__ = ["Calls"]

type Direction = Literal["callers", "callees"]

# The first cut comes before the sort: `reverse` may be called ten thousand times.
_COLUMNS: LiteralString = (
    " WHERE NOT c.how IN $without WITH a, b, c LIMIT $most "
    "WITH a, b, c ORDER BY c.conf DESC LIMIT $limit "
    "RETURN a.key, a.path, b.key, b.id, c.lines, c.how, c.conf"
)
_CALLERS: LiteralString = (
    "MATCH (b:Symbol) WHERE b.key IN $keys MATCH (a)-[c:CALLS]->(b)" + _COLUMNS
)
_CALLEES: LiteralString = (
    "MATCH (a:Symbol) WHERE a.key IN $keys MATCH (a)-[c:CALLS]->(b)" + _COLUMNS
)
_FILE_CALLEES: LiteralString = (
    "MATCH (a:File) WHERE a.key IN $keys MATCH (a)-[c:CALLS]->(b)" + _COLUMNS
)
# Who refers to several of them comes several times: to sort that out is dearer in the database.
# To sort before the cut takes 1 ms for 1,600 callers; a test would be in the place of others.
_REACHED: LiteralString = (
    "WITH x, e, coalesce(x.test, false) AS test ORDER BY test, x.key LIMIT $most "
    "RETURN x.key, x.path, type(e), coalesce(e.how, ''), coalesce(e.conf, 1.0), "
    "coalesce(e.lines, [coalesce(e.line, 0)]), test"
)
_REACH_SYMBOLS: LiteralString = (
    "MATCH (s:Symbol) WHERE s.key IN $keys MATCH (s)<-[e:CALLS|INHERITS|OVERRIDES]-(x) " + _REACHED
)
_REACH_SURER: LiteralString = (
    "MATCH (s:Symbol) WHERE s.key IN $keys "
    "MATCH (s)<-[e:CALLS|INHERITS|OVERRIDES]-(x) WHERE NOT coalesce(e.how, '') IN $without "
    + _REACHED
)
_REACH_FILES: LiteralString = (
    "MATCH (f:File) WHERE f.key IN $keys MATCH (f)<-[e:IMPORTS]-(x) " + _REACHED
)
_REACH_IMPORTERS: LiteralString = (
    "UNWIND $rows AS r MATCH (f:File {key: r[0]}) "
    "MATCH (f)<-[e:IMPORTS]-(x) WHERE e.name IN r[1] " + _REACHED
)
_DEEPEST = 5
_MOST_POSSIBLE = 20
# Of this many times as many as are wanted, the surest are chosen.
_CHOICE = 5
# Of what is reached, this many times as many references are looked at.
_REPEATED = 2
# The graph does not know which files are tests, so more of them have to be found.
_FILES_REPEATED = 5


class _Look(NamedTuple):
    """A question to the graph, and how many rows its answer has at most."""

    command: Command
    most: int


class Calls(Symbols, References):
    """Traversals of the graph."""

    async def call_graph(
        self,
        starts: Sequence[str],
        direction: Direction,
        *,
        depth: int = 1,
        limit: int = 200,
        without: Collection[str] = (),
        possible_of: str = "",
    ) -> CallGraph:
        """Follow calls from symbol ids, or from paths for the code of files.

        `without` names kinds of resolution to leave out, such as `dispatch`. Nearer calls come
        first, surer ones before others, until there are more lines than `limit`. `possible_of`
        is a name of which calls are listed, too, that are bound to nothing.
        """
        frontier = {node_key(start) for start in starts}
        seen = set(frontier)
        found: list[tuple[int, Row]] = []
        possible: list[PossibleCall] = []
        # A look of its own would take as long as half of the others.
        beside = [self._unbound(possible_of, _MOST_POSSIBLE)] if possible_of else []
        queries = (_CALLERS,) if direction == "callers" else (_CALLEES, _FILE_CALLEES)
        for level in range(1, min(depth, _DEEPEST) + 1):
            given = _parameters(frontier, without, limit - len(found) + 1)
            commands = [self._graph.reading(query, given) for query in queries]
            replies = await self._connection.pipeline([*commands, *beside])
            possible += [call for some in replies[len(commands) :] for call in unbound_calls(some)]
            beside = []
            links = [row for reply in replies[: len(commands)] for row in rows(reply)]
            found += [(level, row) for row in links]
            frontier = {row[0] if direction == "callers" else row[2] for row in links} - seen
            seen |= frontier
            queries = queries[:1]
            if not frontier or len(found) > limit:
                break
        shown = _with_lines(found[:limit], limit + 1)
        graph = await self._call_graph(shown)
        listed = tuple(possible[:_MOST_POSSIBLE])
        return graph._replace(possible=listed, is_cut=len(found) > len(shown))

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
        those that import a whole file that is given. Within a step, tests come last.
        """
        seeds = await self._seeds(starts)
        files = {node_key(start) for start in starts}
        seen = {*seeds, *files}
        looks = [self._importers(seeds.values(), limit)]
        looks += self._reaching(seeds.keys(), files, without, limit)
        found: list[tuple[int, Row]] = []
        is_cut = False
        for level in range(1, min(depth, _DEEPEST) + 1):
            replies = await self._connection.pipeline([look.command for look in looks])
            steps = [rows(one) for one in replies]
            is_cut |= any(len(step) >= look.most for step, look in zip(steps, looks, strict=True))
            # What is reached in two ways is named by the first of them in the alphabet, and by
            # the surest call, by the first line of several that are as sure; the order does not
            # depend on which file was written first.
            pointing = sorted(chain(*steps), key=_via, reverse=True)
            new = {row[0]: row for row in pointing if row[0] not in seen}
            seen |= new.keys()
            found += [(level, row) for row in new.values()]
            if not new or len(found) > limit:
                break
            files = {key for key, path, *_ in new.values() if path is not None}
            looks = self._reaching(new.keys() - files, files, without, limit)
        reached = await self._impacts(found, limit)
        return ImpactGraph(tuple(reached), is_cut=is_cut or len(found) > limit)

    async def _call_graph(self, found: Sequence[tuple[int, Row]]) -> CallGraph:
        starts = {row[0] for _, row in found if row[1] is None}
        ends = {row[2] for _, row in found if row[3] is None}
        symbols = await self.symbols_by_key([*(starts | ends)])
        links = [link for level, row in found if (link := _link(row, level, symbols))]
        return CallGraph(tuple(links), {one.id: one for one in symbols.values()})

    async def _seeds(self, starts: Sequence[str]) -> dict[str, SymbolRow]:
        """Give symbols with all that they hold; all that is in a file for a path."""
        given = await self._rows([node_key(start) for start in starts])
        paths = dict.fromkeys([*starts, *(row.path for row in given.values())])
        around = await self._rows_in(list(paths))
        wanted = set(given)
        for key, row in around.items():
            parent = row.parent
            while parent in around and parent not in wanted:
                parent = around[parent].parent
            if parent in wanted or row.path in starts:
                wanted.add(key)
        return {key: around[key] for key in wanted if key in around}

    def _importers(self, seeds: Iterable[SymbolRow], limit: int) -> _Look:
        names: dict[str, set[str]] = {}
        for row in seeds:
            names.setdefault(row.path, set()).add(row.name)
        pairs: list[Value] = [[node_key(path), sorted(some)] for path, some in names.items()]
        most = _FILES_REPEATED * limit
        reading = self._graph.reading(_REACH_IMPORTERS, {"rows": pairs, "most": most})
        return _Look(reading, most)

    def _reaching(
        self,
        symbols: Collection[str],
        files: Collection[str],
        without: Collection[str],
        limit: int,
    ) -> list[_Look]:
        reach = _REACH_SURER if without else _REACH_SYMBOLS
        wanted = ((reach, symbols, _REPEATED), (_REACH_FILES, files, _FILES_REPEATED))
        return [
            _Look(
                self._graph.reading(
                    query,
                    {"keys": list(keys), "without": list(without), "most": times * limit},
                ),
                times * limit,
            )
            for query, keys, times in wanted
            if keys
        ]

    async def _impacts(self, found: Sequence[tuple[int, Row]], limit: int) -> list[Impact]:
        paths = [row[1] for _, row in found if row[1] is not None]
        files: dict[str, FileRow] = {}
        if paths:
            packed = await self._connection.execute("HMGET", self._keys.stamps, *paths)
            files = {p: FileRow.unpacked(one) for p, one in zip(paths, packed, strict=True) if one}
        tests = {path for path, file in files.items() if file.is_test}
        shown = sorted(found, key=lambda one: (one[0], one[1][1] in tests or one[1][6]))[:limit]
        symbols = await self._rows([row[0] for _, row in shown if row[1] is None])
        impacts = []
        for depth, (key, path, via, how, sure, lines, _) in shown:
            if path in files:
                about = (path, path, "file", 0, files[path].is_test)
            elif key in symbols:
                one = symbols[key]
                about = (one.id, one.path, one.kind, one.line, one.is_test)
            else:
                continue
            impacts.append(Impact(*about, via, depth, how, sure, min(lines)))
        return impacts


def _with_lines(found: Sequence[tuple[int, Row]], lines: int) -> Sequence[tuple[int, Row]]:
    """Take only so many links that those inside have this many lines: each costs a look-up."""
    reached = 0
    for count, (_, (_, _, _, outside, on_lines, *_)) in enumerate(found):
        if reached >= lines:
            return found[:count]
        reached += len(set(on_lines)) if outside is None else 0
    return found


def _parameters(keys: Iterable[str], without: Iterable[str], limit: int) -> dict[str, Value]:
    most = _CHOICE * limit
    return {"keys": sorted(keys), "without": list(without), "most": most, "limit": limit}


def _via(row: Row) -> tuple[str, str, float, str, int]:
    key, _, via, how, confidence, lines, _ = row
    return str(via), str(key), -float(confidence), str(how), min(lines)


def _link(row: Row, depth: int, symbols: Mapping[str, Symbol]) -> CallLink | None:
    """Name both ends of a call, unless one of them has just gone."""
    start, path, end, outside, lines, how, confidence = row
    if (path is None and start not in symbols) or (outside is None and end not in symbols):
        return None
    return CallLink(
        source=symbols[start].id if path is None else path,
        source_path=symbols[start].path if path is None else path,
        target=symbols[end].id if outside is None else outside,
        lines=tuple(lines),
        how=how,
        confidence=confidence,
        is_external=outside is not None,
        depth=depth,
    )
