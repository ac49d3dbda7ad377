"""Vectors of symbols, kept by the hash of the text that was embedded.

Two symbols with the same text share a vector, and one that moves to another file keeps it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import batched

from zapomni_db.code.bulk import batches
from zapomni_db.code.found import EmbeddingCounts
from zapomni_db.code.keys import KEY_LENGTH
from zapomni_db.code.stored import StoredIndex
from zapomni_db.code.words import all_words
from zapomni_db.connection import Connection
from zapomni_db.cypher import Vector
from zapomni_db.keyspace import CodeKeys
from zapomni_db.vectors import Vectors

__all__ = ["Embeddings"]

_PAGE = 10_000
# Some vectors, one of this many say, belong to nobody any more: to a branch that is not
# checked out.
_SURPLUS = 5
# A vector takes as long to insert as this many rows.
_ROWS_PER_VECTOR = 20

# A pipeline of a hundred range queries takes four times as long, most of it in this process.
_HOLDERS = """
local found = {}
for place, hash in ipairs(ARGV) do
    found[place] = redis.call('ZRANGEBYLEX', KEYS[1], '[' .. hash, '(' .. hash .. 'g')
end
return found
"""


class Embeddings(StoredIndex):
    """The vector set of a repository; without one in the database, everything is empty."""

    def __init__(self, connection: Connection, keys: CodeKeys, vectors: Vectors | None) -> None:
        super().__init__(connection, keys)
        self._vectors = vectors

    async def missing_texts(self) -> AsyncIterator[list[tuple[str, str]]]:
        """Walk over the texts that have no vector yet, page by page, with their hashes."""
        if self._vectors is None:
            return
        seen: set[str] = set()
        async for page in all_words(self._connection, self._keys.words):
            texts = {
                text_hash: text
                for _, words in page
                for *_, text, text_hash in words.rows
                if text_hash and text_hash not in seen
            }
            seen |= texts.keys()
            missing = await self._vectors.missing(list(texts)) if texts else set()
            if missing:
                yield [
                    (text_hash, text) for text_hash, text in texts.items() if text_hash in missing
                ]

    async def without_vector(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Tell which of these texts, by their hashes, have no vector yet."""
        if self._vectors is None:
            return {}
        missing: set[str] = set()
        for page in batched(texts, _PAGE):
            missing |= await self._vectors.missing(page)
        return {text_hash: text for text_hash, text in texts.items() if text_hash in missing}

    async def add_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Add the vectors of texts, by the hashes of these."""
        if self._vectors is None:
            return
        for batch in batches(vectors.items(), lambda _: _ROWS_PER_VECTOR):
            commands = [self._vectors.add(text_hash, vector) for text_hash, vector in batch]
            await self._connection.pipeline(commands)

    async def nearest(self, query: Vector, count: int) -> dict[str, float]:
        """Find the symbols nearest to a query: their keys, best first, with the similarities."""
        if self._vectors is None:
            return {}
        command = self._vectors.nearest(query, count + count // _SURPLUS)
        found = Vectors.parse(await self._connection.execute(*command))
        holders = await self._holders([near.chunk_id for near in found])
        by_symbol = {
            key: near.similarity for near, keys in zip(found, holders, strict=True) for key in keys
        }
        return dict(list(by_symbol.items())[:count])

    async def _holders(self, text_hashes: Sequence[str]) -> list[list[str]]:
        """Give the keys of the symbols that have each of these texts."""
        if not text_hashes:
            return []
        found = await self._connection.execute("EVAL", _HOLDERS, 1, self._keys.texts, *text_hashes)
        return [[member[KEY_LENGTH:].decode() for member in members] for members in found]

    async def embedding_counts(self) -> EmbeddingCounts:
        """Count the symbols that have a vector and those that want one."""
        wanted = await self._wanted()
        present = await self._present()
        embedded = sum(text_hash in present for text_hash in wanted)
        return EmbeddingCounts(embedded, len(wanted), len(present - set(wanted)))

    async def has_many_unused_vectors(self) -> bool:
        """Tell whether there are more vectors than symbols that could have one."""
        if self._vectors is None:
            return False
        texts: int = await self._connection.execute("ZCARD", self._keys.texts)
        return await self._vectors.count() > texts

    async def prune_vectors(self) -> int:
        """Remove the vectors that no symbol has any more, and count them."""
        if self._vectors is None:
            return 0
        unused = sorted(await self._present() - set(await self._wanted()))
        for batch in batches(unused, lambda _: _ROWS_PER_VECTOR):
            await self._connection.pipeline([self._vectors.remove(one) for one in batch])
        return len(unused)

    async def _wanted(self) -> list[str]:
        """List the hash of each symbol's text, as often as it occurs."""
        found: list[str] = []
        while True:
            first = len(found)
            page = await self._connection.execute(
                "ZRANGE", self._keys.texts, first, first + _PAGE - 1
            )
            found += [member[:KEY_LENGTH].decode() for member in page]
            if len(page) < _PAGE:
                return found

    async def _present(self) -> set[str]:
        found: set[str] = set()
        if self._vectors is None:
            return found
        after = ""
        while page := await self._vectors.members(after, _PAGE):
            found.update(page)
            after = page[-1]
        return found
