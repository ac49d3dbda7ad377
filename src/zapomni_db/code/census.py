"""Look at a whole repository: what there is, and what matters most in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log1p
from typing import LiteralString

from zapomni_db.code.bulk import batches
from zapomni_db.code.calls import Calls
from zapomni_db.code.found import CodeCensus, RankedSymbol, Symbol
from zapomni_db.code.rows import FileRow
from zapomni_db.connection import Command
from zapomni_db.replies import Row, rows

__all__ = ["Census"]

# Without a name for the edge, FalkorDB 4.22 counts pairs of nodes.
_NUMBERS: tuple[LiteralString, ...] = (
    "MATCH ()-[c:CALLS]->() RETURN count(c)",
    "MATCH (x:External) RETURN sum(indegree(x, 'CALLS'))",
    "MATCH ()-[i:INHERITS]->() RETURN count(i)",
    "MATCH ()-[i:IMPORTS]->() RETURN count(i)",
)
_CENTRAL: LiteralString = (
    "CALL algo.pageRank('Symbol', 'CALLS') YIELD node, score "
    "WITH node AS s, score WHERE ($tests OR NOT s.test) AND indegree(s, 'CALLS') > 0 "
    "WITH s, score ORDER BY score DESC, s.key LIMIT $limit RETURN score, s.key"
)
# How many symbols are called by one that calls itself, and whether others call it.
_RECURSIVE: LiteralString = (
    "MATCH (s:Symbol) WHERE s.key IN $keys MATCH (s)-[c:CALLS]->(s) "
    "WITH s, indegree(s, 'CALLS') > count(c) AS wanted "
    "MATCH (s)-[:CALLS]->(b:Symbol) RETURN s.key, wanted, count(DISTINCT b)"
)
# Of `algo.pageRank`.
_DAMPING = 0.85
# A program begins with what is called main (2) and with what the code of one file outside of
# definitions calls, and nobody else (1); what nobody calls at all (0) is where others come in.
_ENTRY_POINTS: LiteralString = (
    "MATCH (s:Symbol) WHERE NOT s.test AND (s.kind = 'function' OR s.main AND s.kind = 'method') "
    "WITH s, indegree(s, 'CALLS') AS callers, outdegree(s, 'CALLS') AS callees "
    "WHERE s.main OR (callers < 2 AND callees > 0) "
    "OPTIONAL MATCH (f:File)-[:CALLS]->(s) "
    "WITH s, callers, callees, count(f) AS begun WHERE s.main OR callers = begun "
    "WITH s, callees, CASE WHEN s.main THEN 2 ELSE begun END AS grade "
    "ORDER BY grade DESC, callees DESC, s.key LIMIT $limit RETURN s.key, grade, callees"
)
_CALLABLE = frozenset({"function", "method"})
# What is defined inside of a function makes room for others.
_NESTED = 10
_CALLED: LiteralString = (
    "MATCH (s:Symbol)<-[c:CALLS]-(x) WHERE id(x) <> id(s) "
    "WITH s, sum(size(c.lines)) AS sites "
    "RETURN collect(s.key), collect(sites)"
)
_EXAMPLES = 5
# What calls itself makes room for others: of 45,700 symbols of Django, 131 do.
_CHOICE = 4


class Census(Calls):
    """Reads that look at every file or every symbol."""

    async def census(self) -> CodeCensus:
        """Count what the index holds."""
        packed, refs, gone, *counted = await self._connection.pipeline(
            [
                ("HGETALL", self._keys.stamps),
                ("ZCARD", self._keys.refs),
                ("HLEN", self._keys.gone),
                *(self._graph.reading(query, {}) for query in _NUMBERS),
            ]
        )
        files = {path.decode(): FileRow.unpacked(one) for path, one in packed.items()}
        read = [file for file in files.values() if file.status != "skipped"]
        languages: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        for file in read:
            kinds.update(file.kinds)
            languages[file.language] += sum(file.kinds.values())
        calls, external, inherits, imports = (int(rows(one)[0][0]) for one in counted)
        return CodeCensus(
            files=Counter(file.status for file in files.values()),
            files_by_language=Counter(file.language for file in read),
            symbols_by_kind=kinds,
            symbols_by_language=+languages,
            skipped=_skipped(files),
            calls=calls,
            external_calls=external,
            unresolved_names=refs,
            inherits=inherits,
            imports=imports,
            gone=gone,
        )

    async def most_central(self, limit: int = 20, *, tests: bool = False) -> list[RankedSymbol]:
        """List the symbols that calls of others lead to, by PageRank."""
        found = await self._graph.read(_CENTRAL, limit=_CHOICE * limit, tests=tests)
        looped = await self._graph.read(_RECURSIVE, keys=[key for _, key in found])
        recursive = {str(key): int(callees) for key, _, callees in looped}
        unwanted = {key for key, is_wanted, _ in looped if not is_wanted}
        scores = {
            key: _by_others(score, recursive.get(key, 0))
            for score, key in found
            if key not in unwanted
        }
        best = sorted(scores, key=lambda key: (-scores[key], key))[:limit]
        return await self._ranked([[scores[key], key] for key in best])

    async def entry_points(self, limit: int = 20) -> list[Symbol]:
        """List functions where a program may begin: main, then what only a file itself calls.

        Where there is neither, those are listed that nobody calls and that call much.
        """
        found = await self._graph.read(_ENTRY_POINTS, limit=_NESTED * limit)
        known = await self._rows([key for key, *_ in found])
        around = await self._rows({one.parent for one in known.values() if one.parent})
        inside = {key for key, one in around.items() if one.kind in _CALLABLE}
        outer = [row for row in found if row[0] in known and known[row[0]].parent not in inside]
        begun = [row for row in outer if row[1]] or outer
        begun.sort(key=lambda row: (-row[1], -row[2], known[row[0]].id))
        return [*(await self.symbols_by_key([key for key, *_ in begun[:limit]])).values()]

    async def rank_symbols(self, called: Mapping[str, int] | None = None) -> None:
        """Note how much each symbol is called; `find` puts the important ones first.

        Who has just written all calls knows in how many places symbols are `called` by others.
        """
        ranks = _ranks(await self._called() if called is None else self._by_key(called))
        commands: list[Command] = [("DEL", self._keys.ranks)]
        for batch in batches(ranks.items(), lambda _: 0):
            noted = [part for key, rank in batch for part in (key, repr(rank))]
            commands.append(("HSET", self._keys.ranks, *noted))
        await self._connection.transaction(commands)

    async def _called(self) -> dict[str, int]:
        ((keys, counts),) = await self._graph.read(_CALLED)
        return dict(zip(keys, counts, strict=True))

    def _by_key(self, called: Mapping[str, int]) -> dict[str, int]:
        keys = self._nodes.keys
        return {keys[symbol]: count for symbol, count in called.items()}

    async def _ranked(self, found: Sequence[Row]) -> list[RankedSymbol]:
        symbols = await self.symbols_by_key([key for _, key in found])
        ranked = [RankedSymbol(score, symbols[key]) for score, key in found if key in symbols]
        return sorted(ranked, key=lambda one: (-one.score, one.symbol.id))


def _by_others(score: float, callees: int) -> float:
    """Take from a score what a symbol gives to itself, which is one of those it calls."""
    return score * (1 - _DAMPING / callees) if callees else score


def _ranks(callers: Mapping[str, int]) -> dict[str, float]:
    """Rank what is called between 0 and 1; ten callers are not ten times as much as one."""
    most = log1p(max(callers.values(), default=1))
    return {key: log1p(count) / most for key, count in callers.items()}


def _skipped(files: Mapping[str, FileRow]) -> dict[str, tuple[int, tuple[str, ...]]]:
    by_reason: dict[str, list[str]] = {}
    for path, file in files.items():
        if file.status == "skipped":
            by_reason.setdefault(file.reason, []).append(path)
    return {reason: (len(paths), tuple(paths[:_EXAMPLES])) for reason, paths in by_reason.items()}
