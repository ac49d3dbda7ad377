"""Write files with their symbols, terms and facts; a file changes as a whole."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from typing import LiteralString

from zapomni_db.changes import Changes
from zapomni_db.code.bulk import batches, overlapping
from zapomni_db.code.cleaning import can_be_stored
from zapomni_db.code.gone_files import GoneFiles, gone_file
from zapomni_db.code.keys import node_key
from zapomni_db.code.records import NOT_MOVED, FileRecord, FileStamp, Moved, Noticed
from zapomni_db.code.references import References
from zapomni_db.code.rows import FileRow, SymbolRow, split
from zapomni_db.code.tombstones import Tombstones
from zapomni_db.code.writing import (
    Before,
    NewFile,
    drop_symbols,
    write_contents,
    write_nodes,
)
from zapomni_db.connection import Command
from zapomni_db.replies import rows

__all__ = ["Files"]

# One row for all: the official image cuts an answer off behind 10,000 rows.
_POINTING: LiteralString = """
MATCH (s:Symbol) WHERE s.key IN $keys
MATCH (s)<-[:CALLS|INHERITS|OVERRIDES]-(x)
RETURN collect(DISTINCT x.path), collect(DISTINCT CASE WHEN x.path IS NULL THEN x.key END)
"""
_IMPORTING: LiteralString = """
MATCH (g:File) WHERE g.key IN $keys MATCH (g)<-[:IMPORTS]-(f:File)
RETURN collect(DISTINCT f.path), []
"""
_DELETE_FILES: LiteralString = "MATCH (f:File) WHERE f.key IN $keys DELETE f"
_FACTS_PER_PAGE = 200
# To remove a file costs as much as this many rows, its symbols not counted.
_ROWS_PER_REMOVAL = 20


class Files(Tombstones, GoneFiles, References):
    """Writes of files, and what is known of all of them."""

    async def files(self) -> dict[str, FileStamp]:
        """List every file, the skipped ones too."""
        await self._catch_up()
        if self._stamps is None:
            found = await self._connection.execute("HGETALL", self._keys.stamps)
            self._stamps = {path.decode(): FileRow.stamp(row) for path, row in found.items()}
        return dict(self._stamps)

    async def files_holding(self, kinds: Collection[str]) -> dict[str, str]:
        """Give the files that hold a symbol of these kinds, any if none are named, by language."""
        found = await self._connection.execute("HGETALL", self._keys.stamps)
        held = {path.decode(): FileRow.unpacked(row) for path, row in found.items()}
        return {
            path: row.language
            for path, row in held.items()
            if (not row.kinds.keys().isdisjoint(kinds) if kinds else row.kinds)
        }

    async def due_files(self) -> list[str]:
        """List the files whose edges are still to be written.

        New and changed ones, and those that pointed at something that is gone.
        """
        found = await self._connection.execute("SMEMBERS", self._keys.due)
        return sorted(path.decode() for path in found)

    async def facts(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Fetch the facts of files, without those that have none."""
        wanted = list(filter(can_be_stored, paths))
        if not wanted:
            return {}
        found = await self._connection.execute("HMGET", self._keys.facts, *wanted)
        return {path: one for path, one in zip(wanted, found, strict=True) if one is not None}

    async def all_facts(self) -> AsyncIterator[dict[str, bytes]]:
        """Fetch the facts of every file, page by page; one may come twice."""
        cursor = 0
        while True:
            scan = ("HSCAN", self._keys.facts, cursor, "COUNT", _FACTS_PER_PAGE)
            cursor, page = await self._connection.execute(*scan)
            if page:
                yield {path.decode(): facts for path, facts in page.items()}
            if not int(cursor):
                return

    async def write_files(
        self,
        files: Sequence[FileRecord],
        *,
        at_ms: int,
        last_ms: int | None = None,
        moved: Moved = NOT_MOVED,
    ) -> set[str]:
        """Write files, and return which others pointed at a symbol that is gone now.

        A symbol that survives keeps what points at it. `at_ms` is noted on files and symbols that
        are new or whose hash differs: 0 when the repository is indexed for the first time. A file
        that was written since `last_ms`, when it was last looked at, changed when it was
        written. What was `moved` from elsewhere has not changed, nor has anything in a file that
        is as it was, whatever is read out of it now. A file whose path cannot be stored is left
        out.
        """
        await self._catch_up()
        newest = {file.path: file for file in files if can_be_stored(file.path)}
        parts = batches(newest.values(), lambda file: len(file.symbols.keys))
        noticed = Noticed(at_ms if last_ms is None else last_ms, at_ms)
        pointing = await overlapping(self._write(batch, noticed, moved) for batch in parts)
        return set().union(*pointing) - newest.keys()

    async def remove_files(
        self, paths: Sequence[str], *, at_ms: int, still_there: Collection[str] = ()
    ) -> set[str]:
        """Remove files, and return which others pointed into them.

        Those that are `still_there`, and what is in them, are not noted as gone.
        """
        await self._catch_up()
        pointing: set[str] = set()
        wanted = dict.fromkeys(filter(can_be_stored, paths))
        for batch in batches(wanted, lambda _: _ROWS_PER_REMOVAL):
            pointing |= await self._remove(batch, at_ms, still_there)
        await self._forget_oldest(at_ms)
        await self._forget_oldest_files(at_ms)
        return pointing - wanted.keys()

    async def _write(
        self, batch: Sequence[FileRecord], noticed: Noticed, moved: Moved
    ) -> set[str]:
        before = await self._before([file.path for file in batch])
        new = [NewFile.of(file, before, noticed, moved) for file in batch]
        read = [file for file in new if file.is_read]
        closed = [
            file.record.path
            for file in new
            if not file.is_read and _is_read(before, file.record.path)
        ]
        here = {key for file in new for key in file.symbols}
        gone = {key: row for key, row in before.symbols.items() if key not in here}
        # What is in a file that is left out may still be there.
        kept = {*closed, *(file.path for file in batch if before.is_same(file))}
        buried = {key: row for key, row in gone.items() if row.path not in kept}
        pointing = await self._pointing(gone, closed)
        removal = await self._removal(closed)
        creation = write_nodes(self._graph, read, before)
        replies = await self._connection.transaction(
            [
                *creation,
                self._nodes.claim,
                *removal,
                *drop_symbols(self._graph, self._keys, gone),
                *self._bury(buried, noticed.at_ms),
                *self._revive(new, before),
                *self._raise_files(before.gone_files),
                *write_contents(self._keys, new, before),
                *_if_any("SADD", self._keys.due, pointing - set(closed)),
                *self._replace_words(new, before),
            ]
        )
        self._nodes.forget([*gone, *map(node_key, closed)])
        self._nodes.learn(replies[: len(creation)])
        if self._stamps is not None:
            self._stamps |= {file.path: file.stamp for file in batch}
        return pointing

    async def _remove(
        self, paths: Sequence[str], at_ms: int, still_there: Collection[str]
    ) -> set[str]:
        before = await self._before(paths)
        gone = {key: row for key, row in before.symbols.items() if row.path not in still_there}
        gone_files = {
            path: row
            for path, row in before.files.items()
            if _is_read(before, path) and path not in still_there
        }
        pointing = await self._pointing(before.symbols, paths)
        await self._connection.transaction(
            [
                self._nodes.claim,
                *await self._removal(paths),
                *drop_symbols(self._graph, self._keys, before.symbols),
                *self._bury(gone, at_ms),
                *self._bury_files(gone_files, at_ms),
                ("HDEL", self._keys.stamps, *paths),
                ("HDEL", self._keys.held, *paths),
                ("HDEL", self._keys.facts, *paths),
                *_if_any("SADD", self._keys.due, pointing - set(paths)),
                *self._replace_words([], before),
            ]
        )
        self._nodes.forget([*before.symbols, *map(node_key, paths)])
        if self._stamps is not None:
            for path in paths:
                self._stamps.pop(path, None)
        return pointing

    async def _removal(self, paths: Sequence[str]) -> list[Command]:
        """Build the removal of files from the graph, and of what they refer to."""
        if not paths:
            return []
        refs = await self._connection.execute("HMGET", self._keys.refs_held, *paths)
        return [
            self._graph.command(_DELETE_FILES, {"keys": [node_key(path) for path in paths]}),
            ("SREM", self._keys.due, *paths),
            *self._clear_refs(dict(zip(paths, refs, strict=True))),
        ]

    async def _before(self, paths: Sequence[str]) -> Before:
        files, held, gone, gone_files = await self._connection.pipeline(
            [
                ("HMGET", self._keys.stamps, *paths),
                ("HMGET", self._keys.held, *paths),
                ("HLEN", self._keys.gone),
                ("HMGET", self._keys.gone_files, *paths),
            ]
        )
        return Before(
            files={
                path: FileRow.unpacked(packed)
                for path, packed in zip(paths, files, strict=True)
                if packed is not None
            },
            symbols=await self._rows([key for some in held for key in split(some)]),
            has_gone=gone > 0,
            gone_files={
                path: gone_file(path, packed)
                for path, packed in zip(paths, gone_files, strict=True)
                if packed is not None
            },
        )

    async def _pointing(self, gone: Mapping[str, SymbolRow], closed: Sequence[str]) -> set[str]:
        """Tell which files point at symbols, or import files, that are to go."""
        questions = [self._graph.reading(_POINTING, {"keys": list(gone)})] if gone else []
        if closed:
            keys = [node_key(path) for path in closed]
            questions.append(self._graph.reading(_IMPORTING, {"keys": keys}))
        if not questions:
            return set()
        found = [row for one in await self._connection.pipeline(questions) for row in rows(one)]
        symbols = await self._rows([key for _, keys in found for key in keys])
        return {path for paths, _ in found for path in paths} | {
            row.path for row in symbols.values()
        }

    def _revive(self, files: Iterable[NewFile], before: Before) -> list[Command]:
        if not before.has_gone:
            return []
        return self._raise(
            {
                key: SymbolRow.unpacked(row)
                for file in files
                for key, row in file.symbols.items()
                if key not in before.symbols
            }
        )

    def _replace_words(self, files: Iterable[NewFile], before: Before) -> list[Command]:
        changes = Changes(self._connection, self._keys.changes)
        old = [file.version for file in before.files.values() if any(file.kinds)]
        new = [file.version for file in files if file.symbols]
        return [
            *_if_any("HDEL", self._keys.words, old),
            *map(changes.removed, old),
            *map(changes.added, new),
        ]


def _is_read(before: Before, path: str) -> bool:
    return path in before.files and before.files[path].status != "skipped"


def _if_any(command: str, key: str, members: Collection[str]) -> list[Command]:
    return [(command, key, *members)] if members else []
