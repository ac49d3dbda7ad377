"""The search terms of a repository, as a word index follows them.

To a word index a version of a file is a memory and a symbol is a chunk: both have ids of 32 hex
digits, and a file that changes is one memory that goes and another that comes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from zapomni_db.changes import Changes
from zapomni_db.code.texts import FileWords, unpack_words
from zapomni_db.connection import Connection
from zapomni_db.keyspace import CodeKeys
from zapomni_db.records import Change, IndexEntry

__all__ = ["WordLog", "all_words"]

_FILES_PER_PAGE = 200


class WordLog:
    """What the word index of one repository asks of the store."""

    def __init__(self, connection: Connection, keys: CodeKeys, incarnation: str) -> None:
        self.store_id = incarnation
        self._connection = connection
        self._changes = Changes(connection, keys.changes)
        self._words = keys.words

    async def position(self) -> str:
        """Return the position of the newest change."""
        return await self._changes.end()

    async def can_follow(self, position: str) -> bool:
        """Tell whether every change after a position is still known."""
        return await self._changes.reaches(position)

    async def changes_since(self, position: str) -> list[Change]:
        """List which versions of files came and went since a position."""
        return Changes.parse(await self._connection.execute(*self._changes.since(position)))

    async def all_entries(self) -> AsyncIterator[list[IndexEntry]]:
        """Fetch every index entry, page by page; one may come twice."""
        async for page in all_words(self._connection, self._words):
            yield [entry for version, words in page for entry in _entries(version, words)]

    async def entries_of(self, memory_ids: Sequence[str]) -> list[IndexEntry]:
        """Fetch the index entries of some versions of files, without those that are gone."""
        if not memory_ids:
            return []
        found = await self._connection.execute("HMGET", self._words, *memory_ids)
        return [
            entry
            for version, packed in zip(memory_ids, found, strict=True)
            if packed is not None
            for entry in _entries(version, unpack_words(packed))
        ]


async def all_words(
    connection: Connection, key: str
) -> AsyncIterator[list[tuple[str, FileWords]]]:
    """Walk over the words of every file; one may come twice."""
    cursor = "0"
    while True:
        reply = await connection.execute("HSCAN", key, cursor, "COUNT", _FILES_PER_PAGE)
        cursor, page = str(int(reply[0])), reply[1]
        if page:
            yield [(version.decode(), unpack_words(words)) for version, words in page.items()]
        if cursor == "0":
            return


def _entries(version: str, words: FileWords) -> list[IndexEntry]:
    return [
        IndexEntry(
            chunk_id=key,
            memory_id=version,
            terms=written,
            timestamp_ms=words.timestamp_ms,
            source=words.path,
            tags=tuple(tags),
            is_code=True,
        )
        for key, written, tags, _, _ in words.rows
    ]
