"""Look at a whole repository: what there is, and what matters most in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import LiteralString

from zapomni_db.code.bulk import batches
from zapomni_db.code.calls import Calls
from zapomni_db.code.found import CodeCensus, RankedSymbol, Symbol
from zapomni_db.code.keys import node_key
from zapomni_db.code.symbols import SYMBOL
from zapomni_db.cypher import Value
from zapomni_db.replies import Row, rows

__all__ = ["Census"]

_BY_KIND: tuple[LiteralString, ...] = (
    "MATCH (f:File) RETURN f.status, count(f)",
    "MATCH (f:File) WHERE f.status <> 'skipped' RETURN f.lang, count(f)",
    "MATCH (s:Symbol) RETURN s.kind, count(s)",
    "MATCH (s:Symbol) RETURN s.lang, count(s)",
)
_SKIPPED: LiteralString = (
    "MATCH (f:File) WHERE f.status = 'skipped' "
    "RETURN f.reason, count(f), collect(f.path)[0..$examples]"
)
# Without a name for the edge, FalkorDB 4.22 counts pairs of nodes.
_NUMBERS: tuple[LiteralString, ...] = (
    "MATCH ()-[c:CALLS]->() RETURN count(c)",
    "MATCH ()-[c:CALLS]->(:External) RETURN count(c)",
    "MATCH (r:Ref) RETURN count(r)",
    "MATCH ()-[i:INHERITS]->() RETURN count(i)",
    "MATCH ()-[i:IMPORTS]->() RETURN count(i)",
    "MATCH (g:Gone) RETURN count(g)",
)
_MOST_CALLED: LiteralString = (
    "MATCH (s:Symbol) WHERE $tests OR NOT s.test "
    "WITH s, indegree(s, 'CALLS') AS n WHERE n > 0 "
    "WITH s, n ORDER BY n DESC, s.id LIMIT $limit RETURN toFloat(n), " + SYMBOL
)
_CENTRAL: LiteralString = (
    "CALL algo.pageRank('Symbol', 'CALLS') YIELD node, score "
    "WITH node AS s, score WHERE $tests OR NOT s.test "
    "WITH s, score ORDER BY score DESC, s.id LIMIT $limit RETURN score, " + SYMBOL
)
# What nobody calls and what calls much is where a program begins; so is what is called main.
_ENTRY_POINTS: LiteralString = (
    "MATCH (s:Symbol) WHERE NOT s.test AND s.kind = 'function' "
    "WITH s, indegree(s, 'CALLS') AS callers, outdegree(s, 'CALLS') AS callees "
    "WHERE s.name IN ['main', 'Main'] OR (callers = 0 AND callees > 0) "
    "WITH s, CASE WHEN s.name IN ['main', 'Main'] THEN 1000 ELSE 0 END + callees AS n "
    "ORDER BY n DESC, s.id LIMIT $limit RETURN " + SYMBOL
)
_LAST: LiteralString = "MATCH (s:Symbol) RETURN max(id(s))"
_PAIRS: LiteralString = """
MATCH (s:Symbol) WHERE id(s) >= $from AND id(s) < $to
MATCH (s)-[:CALLS]->(t:Symbol) RETURN s.id, collect(t.id)
"""
_SET_RANKS: LiteralString = "UNWIND $rows AS r MATCH (s:Symbol {key: r[0]}) SET s.rank = r[1]"
_PAGE = 5000
_EXAMPLES = 5


class Census(Calls):
    """Reads that look at every symbol: a tenth of a second at 40,000 of them."""

    async def census(self) -> CodeCensus:
        """Count what the index holds."""
        queries = (*_BY_KIND, _SKIPPED, *_NUMBERS)
        replies = await self._connection.pipeline(
            [self._graph.reading(query, {"examples": _EXAMPLES}) for query in queries]
        )
        found = [rows(reply) for reply in replies]
        status, languages, kinds, symbol_languages = map(_counts, found[:4])
        calls, external, refs, inherits, imports, gone = (int(some[0][0]) for some in found[5:])
        return CodeCensus(
            files=status,
            files_by_language=languages,
            symbols_by_kind=kinds,
            symbols_by_language=symbol_languages,
            skipped={reason: (count, tuple(paths)) for reason, count, paths in found[4]},
            calls=calls,
            external_calls=external,
            unresolved_names=refs,
            inherits=inherits,
            imports=imports,
            gone=gone,
        )

    async def most_called(self, limit: int = 20, *, tests: bool = False) -> list[RankedSymbol]:
        """List the symbols that most others call, with how many."""
        found = await self._graph.read(_MOST_CALLED, limit=limit, tests=tests)
        return [RankedSymbol(score, Symbol(*row)) for score, *row in found]

    async def most_central(self, limit: int = 20, *, tests: bool = False) -> list[RankedSymbol]:
        """List the symbols that calls lead to, by PageRank; all of them make a prior."""
        found = await self._graph.read(_CENTRAL, limit=limit, tests=tests)
        return [RankedSymbol(score, Symbol(*row)) for score, *row in found]

    async def entry_points(self, limit: int = 20) -> list[Symbol]:
        """List functions where a program may begin: main, then what calls much uncalled."""
        found = await self._graph.read(_ENTRY_POINTS, limit=limit)
        return [Symbol(*row) for row in found]

    async def all_call_pairs(self) -> AsyncIterator[list[tuple[str, str]]]:
        """Fetch which symbol calls which, page by page."""
        ((last,),) = await self._graph.read(_LAST)
        for first in range(0, 0 if last is None else last + 1, _PAGE):
            page = await self._graph.read(_PAIRS, **{"from": first, "to": first + _PAGE})
            yield [(source, target) for source, targets in page for target in targets]

    async def set_ranks(self, ranks: Mapping[str, float]) -> None:
        """Note how important symbols are; `find` puts the important ones first."""
        for batch in batches(ranks.items(), lambda _: 0):
            await self._graph.write(_SET_RANKS, rows=_ranked(batch))


def _counts(found: Sequence[Row]) -> dict[str, int]:
    return {str(kind): int(count) for kind, count in found}


def _ranked(batch: Sequence[tuple[str, float]]) -> list[Value]:
    return [[node_key(symbol_id), float(rank)] for symbol_id, rank in batch]
