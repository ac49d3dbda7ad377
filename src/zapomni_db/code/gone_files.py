"""Files that have disappeared: not for ever, and not too many of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import orjson

from zapomni_db.code.cleaning import dumped
from zapomni_db.code.found import GoneFile
from zapomni_db.code.naming import is_end_of, named_alike
from zapomni_db.code.rows import FileRow
from zapomni_db.code.stored import StoredIndex
from zapomni_db.connection import Command

__all__ = ["GoneFiles", "gone_file"]

_MOST = 20_000
_KEPT_MS = 366 * 24 * 3600 * 1000


class GoneFiles(StoredIndex):
    """What is known of files after they are gone."""

    async def gone_files(self, ends: Collection[str]) -> dict[str, GoneFile]:
        """Give the file that has gone last for each path that is one of these, or ends with it."""
        if not ends:
            return {}
        held = await self._connection.execute("HKEYS", self._keys.gone_files)
        paths = named_alike(map(bytes.decode, held), ends)
        if not paths:
            return {}
        packed = await self._connection.execute("HMGET", self._keys.gone_files, *paths)
        files = [gone_file(path, one) for path, one in zip(paths, packed, strict=True) if one]
        files.sort(key=lambda one: (one.since_ms, one.path))
        return {end: one for one in files for end in ends if is_end_of(one.path, end)}

    def _bury_files(self, files: Mapping[str, FileRow], at_ms: int) -> list[Command]:
        if not files:
            return []
        fields: list[str | bytes] = []
        for path, row in files.items():
            fields += [path, dumped((at_ms, row.hash, row.changed_ms))]
        return [("HSET", self._keys.gone_files, *fields)]

    def _raise_files(self, paths: Collection[str]) -> list[Command]:
        return [("HDEL", self._keys.gone_files, *paths)] if paths else []

    async def _forget_oldest_files(self, at_ms: int) -> None:
        """Forget what is gone for too long, and the oldest of too many."""
        held = await self._connection.execute("HGETALL", self._keys.gone_files)
        files = [gone_file(path.decode(), packed) for path, packed in held.items()]
        files.sort(key=lambda one: -one.since_ms)
        kept = [one for one in files[:_MOST] if one.since_ms > at_ms - _KEPT_MS]
        if old := [one.path for one in files[len(kept) :]]:
            await self._connection.transaction(self._raise_files(old))


def gone_file(path: str, packed: bytes) -> GoneFile:
    """Read what was written of a file when it was buried."""
    return GoneFile(path, *orjson.loads(packed))
