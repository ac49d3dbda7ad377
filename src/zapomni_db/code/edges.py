"""Write what files refer to, after all files are there."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import LiteralString, NamedTuple

from zapomni_db.code.bulk import batches, overlapping
from zapomni_db.code.cleaning import can_be_stored, cleaned
from zapomni_db.code.ends import Ends, places_in
from zapomni_db.code.records import EdgeColumns, NumberedEdges
from zapomni_db.code.references import References
from zapomni_db.code.rows import split
from zapomni_db.connection import Command
from zapomni_db.cypher import Value
from zapomni_db.replies import rows

__all__ = ["Edges"]

# A transaction may be sent twice: whoever has written last is noted last, and not written again.
_EACH: LiteralString = (
    "UNWIND $rows AS one MATCH (f:File) WHERE id(f) = one[0] AND f.edges <> one[1] "
    "UNWIND one[2] AS r "
)
_CLEAR_SYMBOLS: LiteralString = (
    _EACH + "MATCH (s:Symbol {key: r}) MATCH (s)-[e:CALLS|INHERITS|OVERRIDES]->() DELETE e"
)
_CLEAR_FILES: LiteralString = _EACH + "MATCH (f)-[e:CALLS|IMPORTS]->() DELETE e"
_SETTLE: LiteralString = "UNWIND $rows AS r MATCH (f:File) WHERE id(f) = r[0] SET f.edges = r[1]"
# One row for all: the official image cuts an answer off behind 10,000 rows.
_FILES: LiteralString = (
    "MATCH (f:File) WHERE f.key IN $keys "
    "RETURN collect(f.key), collect(id(f)), collect(f.edges <> '')"
)
_ORPHANS: LiteralString = (
    "MATCH (x:External) WHERE indegree(x) = 0 WITH x, x.key AS key DELETE x RETURN collect(key)"
)
# The WITH keeps the two look-ups apart; together they are a product, planned anew for each row.
_ENDS: LiteralString = (
    _EACH + "MATCH (a) WHERE id(a) = r[0] WITH r, a MATCH (b) WHERE id(b) = r[1] "
)
_CALL: LiteralString = "CREATE (a)-[:CALLS {lines: r[2], how: r[3], conf: r[4]}]->(b) "
_INHERIT: LiteralString = "CREATE (a)-[:INHERITS {order: r[2]}]->(b) "
_OVERRIDE: LiteralString = "CREATE (a)-[:OVERRIDES]->(b) "
_IMPORT: LiteralString = "CREATE (a)-[:IMPORTS {name: r[2], alias: r[3], line: r[4]}]->(b) "
_COUNT: LiteralString = "RETURN count(*)"


class _Outgoing(NamedTuple):
    """What is to be written for one file."""

    path: str
    key: str
    edges: EdgeColumns

    @property
    def edge_count(self) -> int:
        """Count the edges."""
        calls, _, inherits, overrides, imports = self.edges
        return sum(len(some[0]) for some in (calls, inherits, overrides, imports) if some)

    @property
    def size(self) -> int:
        """Count what takes as long to write as an edge."""
        return self.edge_count + sum(len(some) for some in self.edges.refs[:1]) // 4


class _Target(NamedTuple):
    """A file that is there: where it is, and what it referred to."""

    number: int
    has_edges: bool
    refs: bytes | None
    symbols: bytes | None


type _Beside = tuple[bool, bytes | None, bytes | None]
_NEW: _Beside = (False, None, None)


class Edges(References):
    """Writes of edges and of calls that are bound to nothing."""

    async def write_edges(self, edges: NumberedEdges) -> int:
        """Replace what files refer to; count the edges whose target was not there."""
        await self._catch_up()
        names = edges.names
        known = {path: one for path, one in edges.files.items() if can_be_stored(path)}
        ends = await self._ends(names, known.values())
        outgoing = [_Outgoing(path, self._nodes.keys[path], one) for path, one in known.items()]
        # Asked for at once: between two transactions the answer would come after the first.
        files = await self._targets(outgoing)
        parts = batches(outgoing, lambda one: one.size)
        written = await overlapping(self._replace(batch, files, names, ends) for batch in parts)
        if any(had_edges for _, had_edges in written):
            await self._drop_orphans()
        return sum(lost for lost, _ in written)

    async def _replace(
        self,
        batch: Sequence[_Outgoing],
        files: Mapping[str, _Target],
        names: Sequence[str],
        ends: Ends,
    ) -> tuple[int, bool]:
        token = uuid.uuid4().hex
        there = [one for one in batch if one.key in files]
        creation = [
            self._graph.bulk(_ENDS + created + _COUNT, groups)
            for created, groups in _grouped(there, files, ends, token).items()
        ]
        old = {one.path: files[one.key] for one in there if files[one.key].has_edges}
        clearing = self._clear(old, token)
        replies = await self._connection.transaction(
            [
                *clearing,
                *creation,
                *self._settle(there, files, token),
                *self._clear_refs({path: target.refs for path, target in old.items()}),
                *self._write_refs(names, {one.path: one.edges.refs for one in there}),
                self._nodes.claim,
            ]
        )
        counted = replies[len(clearing) : len(clearing) + len(creation)]
        found = sum(int(row[0]) for reply in counted for row in rows(reply))
        return sum(one.edge_count for one in batch) - found, bool(old)

    async def _targets(self, outgoing: Sequence[_Outgoing]) -> dict[str, _Target]:
        paths = {one.key: one.path for one in outgoing}
        asking = self._graph.reading(_FILES, {"keys": [*paths]})
        ((found, numbers, have_edges),) = rows(await self._connection.execute(*asking))
        old = [key for key, has_edges in zip(found, have_edges, strict=True) if has_edges]
        beside = await self._beside(old, [paths[key] for key in old])
        return {
            key: _Target(number, *beside.get(key, _NEW))
            for key, number in zip(found, numbers, strict=True)
        }

    async def _beside(self, keys: Sequence[str], paths: Sequence[str]) -> dict[str, _Beside]:
        """Fetch what belongs to files that have been written before."""
        if not keys:
            return {}
        refs, held = await self._connection.pipeline(
            [("HMGET", self._keys.refs_held, *paths), ("HMGET", self._keys.held, *paths)]
        )
        return {key: (True, *one) for key, *one in zip(keys, refs, held, strict=True)}

    async def _ends(self, names: Sequence[str], edges: Collection[EdgeColumns]) -> Ends:
        """Look up what edges begin at and lead to; what is outside is made."""
        own = names.index("") if "" in names else len(names)
        places, keys = places_in(edges), self._nodes.keys
        outside: dict[str, int] = {}
        for batch in batches(sorted({names[one] for one in places.externals}), lambda _: 0):
            outside |= await self._nodes.externals({keys[name]: cleaned(name) for name in batch})
        symbols = {one: keys[names[one]] for one in places.symbols if one != own}
        files = {one: keys[names[one]] for one in places.files}
        externals = {one: keys[names[one]] for one in places.externals}
        length = len(names)
        return Ends(
            _placed(symbols, await self._nodes.numbers("Symbol", symbols.values()), length),
            _placed(files, await self._nodes.numbers("File", files.values()), length),
            _placed(externals, outside, length),
            own,
        )

    def _clear(self, old: Mapping[str, _Target], token: str) -> list[Command]:
        symbols: list[Value] = [[one.number, token, split(one.symbols)] for one in old.values()]
        files: list[Value] = [[one.number, token, [0]] for one in old.values()]
        return [
            *self._graph.bulk_if_any(_CLEAR_SYMBOLS, symbols),
            *self._graph.bulk_if_any(_CLEAR_FILES, files),
        ]

    def _settle(
        self, there: Sequence[_Outgoing], files: Mapping[str, _Target], token: str
    ) -> list[Command]:
        settled: list[Value] = [[files[one.key].number, token] for one in there]
        if not settled:
            return []
        done = ("SREM", self._keys.due, *(one.path for one in there))
        return [self._graph.bulk(_SETTLE, settled), done]

    async def _drop_orphans(self) -> None:
        """Remove the names outside that nothing refers to any more."""
        ((keys,),) = await self._graph.write(_ORPHANS)
        self._nodes.forget(keys)


def _grouped(
    batch: Sequence[_Outgoing], files: Mapping[str, _Target], ends: Ends, token: str
) -> dict[LiteralString, list[Value]]:
    """Put nodes in the place of names, without the edges whose ends are not there.

    What is created alike is written together: each query takes the database a millisecond.
    """
    found: dict[LiteralString, list[Value]] = {}
    for one in batch:
        number = files[one.key].number
        calls, _, inherits, overrides, imports = one.edges
        rows = {
            _CALL: ends.of_calls(calls, number),
            _INHERIT: ends.of_inherits(inherits),
            _OVERRIDE: ends.of_overrides(overrides),
            _IMPORT: ends.of_imports(imports, number),
        }
        for created, some in rows.items():
            if some:
                found.setdefault(created, []).append([number, token, some])
    return found


def _placed(keys: Mapping[int, str], numbers: Mapping[str, int], length: int) -> list[int | None]:
    """List the numbers of nodes by the places of their names."""
    found: list[int | None] = [None] * length
    for place, key in keys.items():
        found[place] = numbers.get(key)
    return found
