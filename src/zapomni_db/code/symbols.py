"""Find symbols and files by what they are called, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import LiteralString

import orjson

from zapomni_db.code.bulk import BulkGraph
from zapomni_db.code.found import FileNode, GoneSymbol, PossibleCall, Relatives, Symbol
from zapomni_db.code.keys import name_key, node_key
from zapomni_db.connection import Connection
from zapomni_db.cypher import Value
from zapomni_db.replies import Row, rows

__all__ = ["SYMBOL", "Symbols"]

SYMBOL: LiteralString = (
    "s.id, s.path, s.name, s.qname, s.kind, s.lang, s.line, s.end_line, s.sig, s.doc, s.hash, "
    "s.exported, s.test, s.changed, s.rank"
)
_BY_KEY: LiteralString = "MATCH (s:Symbol) WHERE s.key IN $keys RETURN s.key, " + SYMBOL
# The cut comes before the sort: `__init__` may be there ten thousand times.
_NAMED: LiteralString = (
    "MATCH (s:Symbol) WHERE s.fold = $fold "
    "RETURN s.key, s.name, s.qname, s.path, s.test, s.rank LIMIT $most"
)
_IDENTIFIED: LiteralString = (
    "MATCH (s:Symbol) WHERE s.key IN $keys RETURN s.key, s.name, s.qname, s.path, s.test, s.rank"
)
_IN_FILE: LiteralString = (
    "MATCH (s:Symbol) WHERE s.file = $key WITH s ORDER BY s.line LIMIT $limit RETURN " + SYMBOL
)
_FILE: LiteralString = (
    "RETURN f.path, f.lang, f.hash, f.size, f.mtime, f.status, f.reason, f.lines, f.errors, "
    "f.test, f.generated"
)
_FILES_BY_KEY: LiteralString = "MATCH (f:File) WHERE f.key IN $keys " + _FILE
_FILES_BY_END: LiteralString = (
    "MATCH (f:File) WHERE f.path ENDS WITH $end WITH f ORDER BY size(f.path), f.path "
    "LIMIT $limit " + _FILE
)
_POINTED: LiteralString = """
MATCH (s:Symbol {key: $key}) MATCH (s)-[e:INHERITS|OVERRIDES|DEFINES]->(x)
RETURN type(e), x.id, x.path, coalesce(e.order, x.line, 0) AS place ORDER BY place
"""
_POINTING: LiteralString = """
MATCH (s:Symbol {key: $key}) MATCH (s)<-[e:INHERITS|OVERRIDES|DEFINES]-(x)
RETURN type(e), x.id, x.path ORDER BY x.id
"""
_REFS: LiteralString = (
    "MATCH (r:Ref) WHERE r.fold = $fold "
    "WITH r ORDER BY r.path LIMIT $limit RETURN r.path, r.name, r.sites"
)
_GONE: LiteralString = """
MATCH (g:Gone) WHERE g.fold = $fold WITH g ORDER BY g.since DESC, g.id LIMIT $limit
RETURN g.id, g.name, g.path, g.kind, g.line, g.since
"""
_MOST_NAMESAKES = 10_000
_SEPARATORS = re.compile(r"::|->|#(?!\d+$)|[./\\]")
_NUMBER = re.compile(r"#\d+$")


class Symbols:
    """Look-ups that need no traversal."""

    def __init__(self, connection: Connection, graph: BulkGraph) -> None:
        self._connection = connection
        self._graph = graph

    async def symbols(self, symbol_ids: Sequence[str]) -> dict[str, Symbol]:
        """Fetch symbols by their ids, in the order of these, without those that are gone."""
        found = await self.symbols_by_key([node_key(one) for one in symbol_ids])
        return {symbol.id: symbol for symbol in found.values()}

    async def symbols_by_key(self, keys: Sequence[str]) -> dict[str, Symbol]:
        """Fetch symbols by the keys that word index and vectors know, in the order of these."""
        if not keys:
            return {}
        found = await self._graph.read(_BY_KEY, keys=list(keys))
        by_key = {key: Symbol(*row) for key, *row in found}
        return {key: by_key[key] for key in keys if key in by_key}

    async def find(self, wanted: str, limit: int = 20) -> list[Symbol]:
        """Find symbols by id, name or the end of a qualified name, best first.

        `run`, `Flask.run`, `flask.app.Flask.run` and `app.py::Flask.run` all find the same one.
        """
        parts = [part for part in _SEPARATORS.split(wanted) if part]
        if not parts:
            return []
        names = {_NUMBER.sub("", name).casefold() for name in (parts[-1], wanted)}
        queries = [
            self._graph.reading(_NAMED, {"fold": name_key(name), "most": _MOST_NAMESAKES})
            for name in sorted(names)
        ]
        by_id: dict[str, Value] = {"keys": [node_key(wanted)]}
        queries.append(self._graph.reading(_IDENTIFIED, by_id))
        replies = await self._connection.pipeline(queries)
        named = [row for reply in replies for row in rows(reply)]
        ranked = sorted((_order(wanted, parts, row), row[0]) for row in named)
        keys = dict.fromkeys(key for order, key in ranked if order[0] < _NO_MATCH)
        return list((await self.symbols_by_key(list(keys)[:limit])).values())

    async def symbols_in(self, path: str, limit: int = 1000) -> list[Symbol]:
        """List the symbols of a file from top to bottom."""
        found = await self._graph.read(_IN_FILE, key=node_key(path), limit=limit)
        return [Symbol(*row) for row in found]

    async def file_nodes(self, paths: Sequence[str]) -> list[FileNode]:
        """Fetch files by their paths, in no particular order."""
        found = await self._graph.read(_FILES_BY_KEY, keys=[node_key(path) for path in paths])
        return [FileNode(*row) for row in found]

    async def find_files(self, end: str, limit: int = 20) -> list[FileNode]:
        """Find the files whose path is this or ends with it, the shortest first."""
        found = await self._graph.read(_FILES_BY_END, end=end, limit=_MOST_NAMESAKES)
        nodes = [FileNode(*row) for row in found]
        return [one for one in nodes if one.path == end or one.path.endswith(f"/{end}")][:limit]

    async def relatives(self, symbol_id: str) -> Relatives:
        """Fetch what holds a symbol, what it holds, and what it inherits and overrides."""
        key = {"key": node_key(symbol_id)}
        replies = await self._connection.pipeline(
            [self._graph.reading(_POINTED, key), self._graph.reading(_POINTING, key)]
        )
        pointed, pointing = rows(replies[0]), rows(replies[1])
        container = _ids(pointing, "DEFINES")
        ids = {one for _, one, *_ in pointed + pointing if one is not None}
        return Relatives(
            container=container[0] if container else "",
            members=_ids(pointed, "DEFINES"),
            bases=_ids(pointed, "INHERITS"),
            subclasses=_ids(pointing, "INHERITS"),
            overrides=_ids(pointed, "OVERRIDES"),
            overridden_by=_ids(pointing, "OVERRIDES"),
            symbols=await self.symbols(sorted(ids)),
        )

    async def possible_calls(self, name: str, limit: int = 100) -> list[PossibleCall]:
        """List calls of a name, whatever its case, that are bound to nothing."""
        found = await self._graph.read(_REFS, fold=name_key(name), limit=limit)
        calls = [
            PossibleCall(path, source, called, receiver, line, tuple(candidates))
            for path, called, sites in found
            for source, receiver, line, candidates in orjson.loads(sites)
        ]
        return calls[:limit]

    async def gone(self, name: str, limit: int = 20) -> list[GoneSymbol]:
        """List symbols of this name, whatever its case, that have disappeared, newest first."""
        found = await self._graph.read(_GONE, fold=name_key(name), limit=limit)
        return [GoneSymbol(*row) for row in found]


_NO_MATCH = 9


def _order(wanted: str, parts: list[str], row: Row) -> tuple[int, bool, float, str, str]:
    """Tell how well a symbol is meant: the lower the better, `_NO_MATCH` if it is not."""
    _, name, qname, path, is_test, rank = row
    fits = _fit(wanted, parts, name, qname, path)
    return fits, is_test, -rank, path, qname


def _fit(wanted: str, parts: list[str], name: str, qname: str, path: str) -> int:
    if wanted in (f"{path}::{qname}", qname):
        return 0
    if wanted == name:
        return 1
    if wanted.casefold() == qname.casefold():
        return 2
    if wanted.casefold() == name.casefold():
        return 3
    whole = [*_SEPARATORS.split(path.rpartition(".")[0]), *_SEPARATORS.split(qname)]
    with_end = [*_SEPARATORS.split(path), *_SEPARATORS.split(qname)]
    for grade, fold in ((4, str), (5, str.casefold)):
        tail = [fold(part) for part in parts]
        if any([fold(x) for x in one[-len(tail) :]] == tail for one in (whole, with_end)):
            return grade
    return _NO_MATCH


def _ids(found: Sequence[Row], relation: str) -> tuple[str, ...]:
    return tuple(row[1] if row[1] is not None else row[2] for row in found if row[0] == relation)
