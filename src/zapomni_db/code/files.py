"""Write files with their symbols, terms and facts; a file changes as a whole."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Sequence
from typing import LiteralString

from zapomni_db.changes import Changes
from zapomni_db.code.bulk import BulkGraph, batches, overlapping
from zapomni_db.code.keys import node_key
from zapomni_db.code.records import FileRecord, FileStamp
from zapomni_db.code.words import pack_words
from zapomni_db.code.writing import Before, Held, NewFile, bury, write_files
from zapomni_db.connection import Command, Connection
from zapomni_db.cypher import Value
from zapomni_db.keyspace import CodeKeys
from zapomni_db.replies import rows

__all__ = ["Files"]

_STAMPS: LiteralString = """
MATCH (f:File) WHERE id(f) >= $from AND id(f) < $to
RETURN collect([f.path, f.hash, f.size, f.mtime, f.status])
"""
_LAST: LiteralString = "MATCH (f:File) RETURN max(id(f))"
_DUE: LiteralString = "MATCH (f:File) WHERE f.due RETURN collect(f.path)"
_VERSIONS: LiteralString = "MATCH (f:File) WHERE f.key IN $keys RETURN f.key, f.version"
# One row for each file: the official image cuts an answer off behind 10,000 rows.
_HELD: LiteralString = """
MATCH (s:Symbol) WHERE s.file IN $keys
OPTIONAL MATCH (s)<-[:DEFINES]-(p)
RETURN s.file, collect([s.key, s.hash, s.changed, coalesce(p.key, '')])
"""
_GONE: LiteralString = "MATCH (g:Gone) RETURN count(g)"
_MARK_IMPORTING: LiteralString = """
MATCH (g:File) WHERE g.key IN $keys
MATCH (g)<-[:IMPORTS]-(f:File)
WITH DISTINCT f SET f.due = true
RETURN collect(f.path)
"""
_DELETE_FILES: LiteralString = "MATCH (f:File) WHERE f.key IN $keys DELETE f"
_DELETE_REFS: LiteralString = "MATCH (r:Ref) WHERE r.file IN $keys DELETE r"
_PAGE = 10_000
_FACTS_PER_PAGE = 200
# To remove a file costs as much as this many rows, its symbols not counted.
_ROWS_PER_REMOVAL = 20


class Files:
    """Writes of files, and what is known of all of them."""

    def __init__(self, connection: Connection, graph: BulkGraph, keys: CodeKeys) -> None:
        self._connection = connection
        self._graph = graph
        self._keys = keys
        self._changes = Changes(connection, keys.changes)

    async def files(self) -> dict[str, FileStamp]:
        """List every file, the skipped ones too."""
        ((last,),) = await self._graph.read(_LAST)
        found: dict[str, FileStamp] = {}
        for first in range(0, 0 if last is None else last + 1, _PAGE):
            page = {"from": first, "to": first + _PAGE}
            ((stamps,),) = await self._graph.read(_STAMPS, **page)
            found |= {path: FileStamp(*stamp) for path, *stamp in stamps}
        return found

    async def due_files(self) -> list[str]:
        """List the files whose edges are still to be written.

        New and changed ones, and those that pointed at something that is gone.
        """
        ((paths,),) = await self._graph.read(_DUE)
        return sorted(paths)

    async def facts(self, paths: Sequence[str]) -> dict[str, bytes]:
        """Fetch the facts of files, without those that have none."""
        if not paths:
            return {}
        found = await self._connection.execute("HMGET", self._keys.facts, *paths)
        return {path: facts for path, facts in zip(paths, found, strict=True) if facts is not None}

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

    async def write_files(self, files: Sequence[FileRecord], *, at_ms: int) -> set[str]:
        """Write files, and return which others pointed at a symbol that is gone now.

        A symbol that survives keeps what points at it. `at_ms` is noted on symbols that are new
        or whose hash differs: 0 when the repository is indexed for the first time.
        """
        newest = {file.path: file for file in files}
        parts = batches(newest.values(), lambda file: len(file.symbols))
        pointing = await overlapping(self._write(batch, at_ms) for batch in parts)
        return set().union(*pointing) - newest.keys()

    async def remove_files(self, paths: Sequence[str], *, at_ms: int) -> set[str]:
        """Remove files, and return which others pointed into them."""
        pointing: set[str] = set()
        for batch in batches(dict.fromkeys(paths), lambda _: _ROWS_PER_REMOVAL):
            pointing |= await self._remove(batch, at_ms)
        return pointing - set(paths)

    async def _write(self, batch: Sequence[FileRecord], at_ms: int) -> set[str]:
        before = await self._before([node_key(file.path) for file in batch])
        new = [NewFile.of(file, uuid.uuid4().hex, before, at_ms) for file in batch]
        gone = before.symbols.keys() - {key for file in new for key in file.rows}
        burial = bury(self._graph, gone, at_ms)
        replies = await self._connection.transaction(
            [
                *burial,
                *write_files(self._graph, new, before),
                *self._forget_words(before),
                *(command for file in new for command in self._write_contents(file)),
            ]
        )
        return _paths(replies[:1]) if burial else set()

    async def _remove(self, paths: Sequence[str], at_ms: int) -> set[str]:
        keys = [node_key(path) for path in paths]
        given: dict[str, Value] = {"keys": keys}
        before = await self._before(keys)
        burial = bury(self._graph, before.symbols.keys(), at_ms)
        replies = await self._connection.transaction(
            [
                self._graph.command(_MARK_IMPORTING, given),
                *burial,
                self._graph.command(_DELETE_REFS, given),
                self._graph.command(_DELETE_FILES, given),
                ("HDEL", self._keys.facts, *paths),
                *self._forget_words(before),
            ]
        )
        return _paths(replies[: 2 if burial else 1])

    async def _before(self, keys: list[str]) -> Before:
        given: dict[str, Value] = {"keys": keys}
        questions = [self._graph.reading(query, given) for query in (_VERSIONS, _HELD)]
        versions, held, gone = await self._connection.pipeline(
            [*questions, self._graph.reading(_GONE, {})]
        )
        return Before(
            versions=dict(rows(versions)),
            symbols={key: Held(*about) for _, some in rows(held) for key, *about in some},
            has_gone=rows(gone)[0][0] > 0,
        )

    def _write_contents(self, file: NewFile) -> list[Command]:
        path, facts = file.record.path, file.record.facts
        commands: list[Command] = [
            ("HSET", self._keys.facts, path, facts) if facts else ("HDEL", self._keys.facts, path)
        ]
        if file.rows:
            words = pack_words(file.record)
            commands.append(("HSET", self._keys.words, file.version, words))
            commands.append(self._changes.added(file.version))
        return commands

    def _forget_words(self, before: Before) -> list[Command]:
        old = list(before.versions.values())
        if not old:
            return []
        return [("HDEL", self._keys.words, *old), *map(self._changes.removed, old)]


def _paths(replies: Sequence[list[object]]) -> set[str]:
    return {path for reply in replies for row in rows(reply) for path in row[0]}
