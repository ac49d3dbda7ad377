"""Write what files refer to, after all files are there."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import LiteralString, NamedTuple

import orjson

from zapomni_db.code.bulk import BulkGraph, batches, overlapping
from zapomni_db.code.keys import name_key, node_key
from zapomni_db.code.records import CallRecord, EdgeRecords, RefRecord
from zapomni_db.connection import Connection
from zapomni_db.cypher import Value
from zapomni_db.replies import rows

__all__ = ["Edges"]

# A transaction may be sent twice: whoever has written last is noted last, and not written again.
_EACH: LiteralString = "UNWIND $rows AS one MATCH (f:File {key: one[0]}) WHERE f.edges <> one[1] "
_CLEAR: tuple[LiteralString, ...] = (
    _EACH
    + """
WITH one MATCH (s:Symbol {file: one[0]})
WITH s MATCH (s)-[e:CALLS|INHERITS|OVERRIDES]->() DELETE e
""",
    _EACH + "MATCH (f)-[e:CALLS|IMPORTS]->() DELETE e",
    _EACH + "WITH one MATCH (r:Ref {file: one[0]}) DELETE r",
)
_SETTLE: LiteralString = (
    "UNWIND $rows AS one MATCH (f:File {key: one[0]}) SET f.edges = one[1], f.due = false"
)
_WRITTEN: LiteralString = (
    "MATCH (f:File) WHERE f.key IN $keys AND f.edges <> '' RETURN collect(f.key)"
)
_EXTERNAL: LiteralString = "UNWIND $rows AS r MERGE (x:External {key: r[0]}) SET x.id = r[1]"
_REF: LiteralString = (
    _EACH
    + "UNWIND one[2] AS r "
    + "CREATE (:Ref {file: one[0], path: f.path, fold: r[0], name: r[1], sites: r[2]})"
)
# The WITH keeps the two look-ups apart; together they are a product, planned anew for each row.
_FROM_SYMBOL: LiteralString = _EACH + "UNWIND one[2] AS r MATCH (a:Symbol {key: r[0]}) WITH r, a "
_FROM_FILE: LiteralString = _EACH + "UNWIND one[2] AS r WITH r, f AS a "
_TO_SYMBOL: LiteralString = "MATCH (b:Symbol {key: r[1]}) "
_TO_FILE: LiteralString = "MATCH (b:File {key: r[1]}) "
_TO_EXTERNAL: LiteralString = "MATCH (b:External {key: r[1]}) "
_CALL: LiteralString = (
    "CREATE (a)-[:CALLS {lines: r[2], how: r[3], conf: r[4]}]->(b) RETURN count(*)"
)
_INHERIT: LiteralString = "CREATE (a)-[:INHERITS {order: r[2]}]->(b) RETURN count(*)"
_OVERRIDE: LiteralString = "CREATE (a)-[:OVERRIDES]->(b) RETURN count(*)"
_IMPORT: LiteralString = (
    "CREATE (a)-[:IMPORTS {name: r[2], alias: r[3], line: r[4]}]->(b) RETURN count(*)"
)

type _Rows = dict[LiteralString, list[Value]]


class _Outgoing(NamedTuple):
    """What is to be written for one file."""

    key: str
    edges: _Rows
    refs: list[Value]

    @property
    def size(self) -> int:
        """Count the rows."""
        return len(self.refs) + sum(map(len, self.edges.values()))


class Edges:
    """Writes of edges and of calls that are bound to nothing."""

    def __init__(self, connection: Connection, graph: BulkGraph) -> None:
        self._connection = connection
        self._graph = graph

    async def write_edges(self, edges: Mapping[str, EdgeRecords]) -> int:
        """Replace what files refer to; count the edges whose target was not there.

        Calls of one symbol by another become one edge with all their lines.
        """
        await self._write_externals(edges.values())
        outgoing = (_outgoing(path, one) for path, one in edges.items())
        parts = batches(outgoing, lambda one: one.size)
        return sum(await overlapping(self._replace(batch) for batch in parts))

    async def _write_externals(self, edges: Iterable[EdgeRecords]) -> None:
        outside = sorted({target for one in edges for target in _externals(one)})
        for batch in batches(outside, lambda _: 0):
            named: list[Value] = [[node_key(target), target] for target in batch]
            await self._connection.execute(*self._graph.bulk(_EXTERNAL, named))

    async def _replace(self, batch: Sequence[_Outgoing]) -> int:
        token = uuid.uuid4().hex
        keys: list[Value] = [one.key for one in batch]
        ((written,),) = await self._graph.read(_WRITTEN, keys=keys)
        known: list[Value] = [[key, token] for key in written]
        clearing = [self._graph.bulk(query, known) for query in _CLEAR] if known else []
        created = _grouped(batch, token)
        creation = [self._graph.bulk(query, groups) for query, groups in created.items()]
        refs: list[Value] = [[one.key, token, one.refs] for one in batch if one.refs]
        replies = await self._connection.transaction(
            [
                *clearing,
                *creation,
                *self._graph.bulk_if_any(_REF, refs),
                self._graph.bulk(_SETTLE, [[key, token] for key in keys]),
            ]
        )
        counted = replies[len(clearing) : len(clearing) + len(creation)]
        found = sum(int(row[0]) for reply in counted for row in rows(reply))
        return sum(one.size - len(one.refs) for one in batch) - found


def _grouped(batch: Sequence[_Outgoing], token: str) -> _Rows:
    found: _Rows = {}
    for one in batch:
        for query, some in one.edges.items():
            found.setdefault(query, []).append([one.key, token, some])
    return found


def _externals(edges: EdgeRecords) -> list[str]:
    ends = [(edge.target, edge.is_external) for edge in edges.calls]
    ends += [(edge.target, edge.is_external) for edge in edges.inherits]
    ends += [(edge.target, edge.is_external) for edge in edges.imports]
    return [target for target, is_external in ends if is_external]


def _outgoing(path: str, edges: EdgeRecords) -> _Outgoing:
    found: _Rows = {}
    key = node_key(path)
    _add_calls(found, key, edges.calls)
    for base in edges.inherits:
        end = _TO_EXTERNAL if base.is_external else _TO_SYMBOL
        row: list[Value] = [node_key(base.source), node_key(base.target), base.order]
        found.setdefault(_FROM_SYMBOL + end + _INHERIT, []).append(row)
    for method in edges.overrides:
        row = [node_key(method.source), node_key(method.target)]
        found.setdefault(_FROM_SYMBOL + _TO_SYMBOL + _OVERRIDE, []).append(row)
    for one in edges.imports:
        end = _TO_EXTERNAL if one.is_external else _TO_FILE
        row = [key, node_key(one.target), one.name, one.alias, one.line]
        found.setdefault(_FROM_FILE + end + _IMPORT, []).append(row)
    return _Outgoing(key, found, _ref_rows(edges.refs))


def _add_calls(found: _Rows, file: str, calls: Sequence[CallRecord]) -> None:
    sites: dict[tuple[str, str, str, bool], list[CallRecord]] = {}
    for call in calls:
        sites.setdefault((call.source, call.target, call.how, call.is_external), []).append(call)
    for (source, target, how, is_external), same in sites.items():
        start = _FROM_SYMBOL if source else _FROM_FILE
        end = _TO_EXTERNAL if is_external else _TO_SYMBOL
        lines = [call.line for call in same]
        confidence = max(call.confidence for call in same)
        row: list[Value] = [node_key(source) if source else file, node_key(target)]
        found.setdefault(start + end + _CALL, []).append([*row, lines, how, confidence])


def _ref_rows(refs: Sequence[RefRecord]) -> list[Value]:
    """Put the calls of one name together: a file calls `get` in a hundred places."""
    by_name: dict[str, list[RefRecord]] = {}
    for ref in refs:
        by_name.setdefault(ref.name, []).append(ref)
    return [
        [
            name_key(name),
            name,
            orjson.dumps([[r.source, r.receiver, r.line, r.candidates] for r in same]).decode(),
        ]
        for name, same in by_name.items()
    ]
