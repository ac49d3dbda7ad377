"""Symbols that have disappeared: not for ever, and not too many of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from zapomni_db.code.cleaning import cleaned, dumped
from zapomni_db.code.found import GoneSymbol
from zapomni_db.code.keys import KEY_LENGTH, name_key
from zapomni_db.code.naming import NO_MATCH, fit, last_names, name_parts
from zapomni_db.code.rows import SymbolRow
from zapomni_db.code.stored import StoredIndex
from zapomni_db.connection import Command

__all__ = ["Tombstones"]

_MOST = 20_000
_KEPT_MS = 366 * 24 * 3600 * 1000
_MOST_NAMESAKES = 1000


class Tombstones(StoredIndex):
    """What is known of symbols after they are gone."""

    async def gone(self, name: str, limit: int = 20) -> list[GoneSymbol]:
        """List symbols of this name, whatever its case, that have disappeared, newest first.

        A qualified name means only those whose id ends in it.
        """
        wanted = cleaned(name)
        parts = name_parts(wanted) or [wanted]
        folds = [name_key(one) for one in sorted(last_names(wanted, parts))]
        ends = ("LIMIT", 0, _MOST_NAMESAKES)
        found = await self._connection.pipeline(
            [
                ("ZRANGEBYLEX", self._keys.gone_names, f"[{fold}", f"({fold}g", *ends)
                for fold in folds
            ]
        )
        keys = [member[KEY_LENGTH:] for some in found for member in some]
        if not keys:
            return []
        packed = await self._connection.execute("HMGET", self._keys.gone, *keys)
        buried = (GoneSymbol(*orjson.loads(one)) for one in packed if one is not None)
        symbols = [one for one in buried if fit(wanted, parts, *_names(one)) < NO_MATCH]
        return sorted(symbols, key=lambda one: (-one.since_ms, one.id))[:limit]

    def _bury(self, symbols: Mapping[str, SymbolRow], at_ms: int) -> list[Command]:
        if not symbols:
            return []
        rows: list[str | bytes] = []
        names: list[str | int] = []
        since: list[str | int] = []
        for key, one in symbols.items():
            tombstone = (one.id, one.name, one.path, one.kind, one.line, at_ms)
            rows += [key, dumped(tombstone)]
            names += [0, name_key(one.name) + key]
            since += [at_ms, key]
        return [
            ("HSET", self._keys.gone, *rows),
            ("ZADD", self._keys.gone_names, *names),
            ("ZADD", self._keys.gone_since, *since),
        ]

    def _raise(self, symbols: Mapping[str, SymbolRow]) -> list[Command]:
        return self._drop({key: name_key(one.name) + key for key, one in symbols.items()})

    async def _forget_oldest(self, at_ms: int) -> None:
        """Drop tombstones that are too old, and the oldest of too many."""
        since = self._keys.gone_since
        old, count = await self._connection.pipeline(
            [
                ("ZRANGEBYSCORE", since, "-inf", at_ms - _KEPT_MS, "LIMIT", 0, _MOST),
                ("ZCARD", since),
            ]
        )
        if count > _MOST:
            old += await self._connection.execute("ZRANGE", since, 0, count - _MOST - 1)
        keys = list(dict.fromkeys(one.decode() for one in old))
        if keys:
            packed = await self._connection.execute("HMGET", self._keys.gone, *keys)
            members = {
                key: name_key(orjson.loads(one)[1]) + key
                for key, one in zip(keys, packed, strict=True)
                if one is not None
            }
            await self._connection.transaction(self._drop(members))

    def _drop(self, members: Mapping[str, str]) -> list[Command]:
        if not members:
            return []
        keys: Sequence[str] = tuple(members)
        return [
            ("HDEL", self._keys.gone, *keys),
            ("ZREM", self._keys.gone_names, *members.values()),
            ("ZREM", self._keys.gone_since, *keys),
        ]


def _names(gone: GoneSymbol) -> tuple[str, str, str]:
    """Give the name, the qualified name and the path, as they are looked for."""
    return cleaned(gone.name), cleaned(gone.id.partition("::")[2]), cleaned(gone.path)
