"""Find symbols and files by what they are called, and what stands around them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import LiteralString

from zapomni_db.code.found import FileNode, Relatives, Symbol
from zapomni_db.code.keys import KEY_LENGTH, name_key, node_key
from zapomni_db.code.naming import NO_MATCH, fit, is_end_of, last_names, name_parts, named_alike
from zapomni_db.code.records import Moved
from zapomni_db.code.rows import FileRow, SymbolRow, split
from zapomni_db.code.stored import StoredIndex
from zapomni_db.replies import Row, rows

__all__ = ["Symbols"]

_POINTED: LiteralString = """
MATCH (s:Symbol {key: $key}) MATCH (s)-[e:INHERITS|OVERRIDES]->(x)
RETURN type(e), x.key, x.id ORDER BY e.order
"""
_POINTING: LiteralString = """
MATCH (s:Symbol {key: $key}) MATCH (s)<-[e:INHERITS|OVERRIDES]-(x)
RETURN type(e), x.key, x.id
"""
_MOST_NAMESAKES = 10_000


class Symbols(StoredIndex):
    """Look-ups that need no traversal."""

    async def symbols(self, symbol_ids: Sequence[str]) -> dict[str, Symbol]:
        """Fetch symbols by their ids, in the order of these, without those that are gone."""
        found = await self.symbols_by_key([node_key(one) for one in symbol_ids])
        return {symbol.id: symbol for symbol in found.values()}

    async def symbols_by_key(self, keys: Sequence[str]) -> dict[str, Symbol]:
        """Fetch symbols by the keys that word index and vectors know, in the order of these."""
        if not keys:
            return {}
        packed = await self._connection.execute("HMGET", self._keys.symbols, *keys)
        return {
            key: SymbolRow.found(row)
            for key, row in zip(keys, packed, strict=True)
            if row is not None
        }

    async def find(self, wanted: str, limit: int = 20) -> list[Symbol]:
        """Find symbols by id, name or the end of a qualified name, best first.

        `run`, `Flask.run`, `flask.app.Flask.run` and `app.py::Flask.run` all find the same one.
        """
        parts = name_parts(wanted)
        if not parts:
            return []
        keys = [*await self._named(last_names(wanted, parts)), node_key(wanted)]
        found = await self.symbols_by_key(keys)
        ranks = await self._ranks(found.keys())
        meant = [
            (fit(wanted, parts, one.name, one.qname, one.path), ranks[key], one)
            for key, one in found.items()
        ]
        best = sorted(
            (grade, one.is_test, -rank, one.path, one.qname, one)
            for grade, rank, one in meant
            if grade < NO_MATCH
        )
        return [one for *_, one in best[:limit]]

    async def known_names(self, names: Collection[str]) -> set[str]:
        """Choose the names whose last part some symbol has or had."""
        keys = {name: _name_keys(name) for name in names}
        folds = list({key for some in keys.values() for key in some})
        asked = [
            (fold, held) for fold in folds for held in (self._keys.names, self._keys.gone_names)
        ]
        found = await self._connection.pipeline(
            [("ZRANGEBYLEX", held, f"[{fold}", f"({fold}g", "LIMIT", 0, 1) for fold, held in asked]
        )
        known = {fold for (fold, _), some in zip(asked, found, strict=True) if some}
        return {name for name, some in keys.items() if not known.isdisjoint(some)}

    async def count_symbols(self) -> int:
        """Count the symbols of all files."""
        return int(await self._connection.execute("HLEN", self._keys.symbols))

    async def symbols_in(self, path: str) -> list[Symbol]:
        """List the symbols of a file from top to bottom."""
        held = await self._connection.execute("HGET", self._keys.held, path)
        found = await self.symbols_by_key(split(held))
        return sorted(found.values(), key=lambda one: one.line)

    async def symbols_within(self, paths: Sequence[str]) -> dict[str, Symbol]:
        """Fetch all symbols of files, by the keys that word index and vectors know."""
        if not paths:
            return {}
        held = await self._connection.execute("HMGET", self._keys.held, *paths)
        return await self.symbols_by_key([key for some in held for key in split(some)])

    async def last_changes(self, paths: Sequence[str]) -> Moved:
        """Tell when files and what is in them changed, to be known should they be elsewhere."""
        symbols = await self.symbols_within(paths)
        files = [node for node in await self.file_nodes(paths) if node.status != "skipped"]
        own = {(one.qname, one.hash): one.changed_ms for one in symbols.values()}
        return own | {("", node.hash): node.changed_ms for node in files}

    async def file_nodes(self, paths: Sequence[str]) -> list[FileNode]:
        """Fetch files by their paths, in no particular order."""
        if not paths:
            return []
        found = await self._connection.execute("HMGET", self._keys.stamps, *paths)
        return [
            FileRow.unpacked(packed).node(path)
            for path, packed in zip(paths, found, strict=True)
            if packed is not None
        ]

    async def find_files(self, end: str, limit: int = 20) -> list[FileNode]:
        """Find the files whose path is this or ends with it, the shortest first."""
        return (await self.find_each_file([end], limit))[end]

    async def find_each_file(
        self, ends: Collection[str], limit: int = 20
    ) -> dict[str, list[FileNode]]:
        """Find files by each of these ends of their paths, the shortest first."""
        if not ends:
            return {}
        held = await self._connection.execute("HKEYS", self._keys.stamps)
        paths = named_alike(map(bytes.decode, held), ends)
        fitting = {end: [path for path in paths if is_end_of(path, end)] for end in ends}
        best = {
            end: sorted(some, key=lambda path: (len(path), path))[:limit]
            for end, some in fitting.items()
        }
        nodes = await self.file_nodes(list({path for some in best.values() for path in some}))
        found = {node.path: node for node in nodes}
        return {end: [found[path] for path in best[end] if path in found] for end in ends}

    async def relatives(self, symbol_id: str) -> Relatives:
        """Fetch what holds a symbol, what it holds, and what it inherits and overrides."""
        key = node_key(symbol_id)
        named = {"key": key}
        packed, *replies = await self._connection.pipeline(
            [
                ("HGET", self._keys.symbols, key),
                self._graph.reading(_POINTED, named),
                self._graph.reading(_POINTING, named),
            ]
        )
        if packed is None:
            return Relatives("", (), (), (), (), (), {})
        row = SymbolRow.unpacked(packed)
        pointed, pointing = map(rows, replies)
        neighbours = await self._rows_in([row.path])
        members = [one for one, other in neighbours.items() if _holds(key, row, other)]
        members.sort(key=lambda one: neighbours[one].line)
        around = [one for _, one, outside in pointed + pointing if outside is None]
        holder = [row.parent] if row.parent else []
        found = await self.symbols_by_key([*dict.fromkeys([*around, *members, *holder])])
        return Relatives(
            container=found[row.parent].id if row.parent in found else row.path,
            members=tuple(neighbours[one].id for one in members),
            bases=_ids(pointed, "INHERITS", found),
            subclasses=tuple(sorted(_ids(pointing, "INHERITS", found))),
            overrides=_ids(pointed, "OVERRIDES", found),
            overridden_by=tuple(sorted(_ids(pointing, "OVERRIDES", found))),
            symbols={one.id: one for one in found.values()},
        )

    async def _ranks(self, keys: Collection[str]) -> dict[str, float]:
        """Tell how important symbols are, which makes a difference only between several."""
        if len(keys) < 2:
            return dict.fromkeys(keys, 0.0)
        ranks = await self._connection.execute("HMGET", self._keys.ranks, *keys)
        return {key: float(rank or 0) for key, rank in zip(keys, ranks, strict=True)}

    async def _named(self, names: Collection[str]) -> list[str]:
        """Give the keys of the symbols that have one of these names."""
        folds = [name_key(name) for name in sorted(names)]
        found = await self._connection.pipeline(
            [
                (
                    "ZRANGEBYLEX",
                    self._keys.names,
                    f"[{fold}",
                    f"({fold}g",
                    "LIMIT",
                    0,
                    _MOST_NAMESAKES,
                )
                for fold in folds
            ]
        )
        return [member[KEY_LENGTH:].decode() for some in found for member in some]

    async def _rows_in(self, paths: Sequence[str]) -> dict[str, SymbolRow]:
        """Fetch what is known of every symbol of files."""
        if not paths:
            return {}
        held = await self._connection.execute("HMGET", self._keys.held, *paths)
        return await self._rows([key for some in held for key in split(some)])


def _name_keys(wanted: str) -> list[str]:
    return [name_key(one) for one in last_names(wanted, name_parts(wanted) or [wanted])]


def _holds(key: str, holder: SymbolRow, other: SymbolRow) -> bool:
    if other.parent:
        return other.parent == key
    # In Go and Rust a method stands beside its type.
    return bool(holder.qname) and other.qname.rpartition(".")[0] == holder.qname


def _ids(found: Sequence[Row], relation: str, symbols: dict[str, Symbol]) -> tuple[str, ...]:
    ids = [
        outside if outside is not None else symbols[key].id
        for kind, key, outside in found
        if kind == relation and (outside is not None or key in symbols)
    ]
    return tuple(ids)
