"""Calls that are bound to nothing, found by the name that is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from zapomni_db.code.cleaning import dumped
from zapomni_db.code.found import PossibleCall
from zapomni_db.code.keys import KEY_LENGTH, name_key
from zapomni_db.code.records import Columns
from zapomni_db.code.rows import split
from zapomni_db.code.stored import StoredIndex
from zapomni_db.connection import Command
from zapomni_db.cypher import Value

__all__ = ["References", "unbound_calls"]


class References(StoredIndex):
    """A sorted set whose members hold the key of a name, a path, and all such calls there."""

    async def possible_calls(self, name: str, limit: int = 100) -> list[PossibleCall]:
        """List calls of a name, whatever its case, that are bound to nothing."""
        (found,) = await self._connection.pipeline([self._unbound(name, limit)])
        return unbound_calls(found)[:limit]

    def _unbound(self, name: str, limit: int) -> Command:
        """Build the look for the files that call a name, each with all such calls in it."""
        fold = name_key(name)
        among = (f"[{fold}", f"({fold}\x7f")
        return ("ZRANGEBYLEX", self._keys.refs, *among, "LIMIT", 0, limit)

    def _write_refs(self, names: Sequence[str], refs: Mapping[str, Columns]) -> list[Command]:
        members: list[bytes] = []
        held: list[str] = []
        for path, columns in refs.items():
            by_name = _by_name(names, columns)
            folds = [name_key(name) for name in by_name]
            end = f"\0{path}\0".encode()
            for fold, (name, sites) in zip(folds, by_name.items(), strict=True):
                members += (b"0", fold.encode() + end + dumped([name, sites]))
            if folds:
                held += (path, "".join(folds))
        if not members:
            return []
        return [("ZADD", self._keys.refs, *members), ("HSET", self._keys.refs_held, *held)]

    def _clear_refs(self, held: Mapping[str, bytes | None]) -> list[Command]:
        """Build the removal of the calls of files, by the names they have now."""
        commands: list[Command] = []
        for path, names in held.items():
            for fold in split(names):
                start = f"{fold}\0{path}"
                commands.append(
                    ("ZREMRANGEBYLEX", self._keys.refs, f"[{start}\0", f"[{start}\x01")
                )
        gone = [path for path, names in held.items() if names is not None]
        return [*commands, ("HDEL", self._keys.refs_held, *gone)] if gone else []


def _by_name(names: Sequence[str], refs: Columns) -> dict[str, list[Value]]:
    """Put the calls of one name together: a file calls `get` in a hundred places."""
    found: dict[int, list[Value]] = {}
    for source, name, receiver, line, candidates in zip(*refs, strict=True):
        found.setdefault(name, []).append([names[source], receiver, line, candidates])
    return {names[name]: sites for name, sites in found.items()}


def unbound_calls(members: Sequence[bytes]) -> list[PossibleCall]:
    """Read the calls that a look has found."""
    return [call for member in members for call in _calls(member)]


def _calls(member: bytes) -> list[PossibleCall]:
    path, _, packed = member[KEY_LENGTH + 1 :].partition(b"\0")
    name, sites = orjson.loads(packed)
    return [
        PossibleCall(path.decode(), source, name, receiver, line, tuple(candidates))
        for source, receiver, line, candidates in sites
    ]
