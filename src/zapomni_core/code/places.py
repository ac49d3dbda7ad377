"""Find the code that texts mention, and tell whether it has changed since."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from zapomni_core.code.mentioning import is_path, names_in
from zapomni_core.models import CodeMention, moment_of
from zapomni_db.code import CodeIndex, CodeStore, RepositoryRecord

__all__ = ["CodePlaces", "Place"]

# Whether there are any repositories is asked anew after this long.
_LOOK_AGAIN_S = 2.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where code is or was, and when it was last seen to change or to disappear."""

    repository: str
    path: str
    line: int
    changed_ms: int
    is_gone: bool = False

    def why_stale(self, said_ms: int) -> str | None:
        """Say why a memory of that time may be out of date."""
        if self.changed_ms <= said_ms:
            return None
        what = "it is gone" if self.is_gone else "it has changed"
        return f"{what} since; noticed on {moment_of(self.changed_ms):%Y-%m-%d}"


class CodePlaces:
    """Looks from texts to code."""

    def __init__(self, store: CodeStore) -> None:
        self._store = store
        self._known: tuple[float, list[RepositoryRecord]] = (0.0, [])

    async def mentioned(self, texts: Sequence[tuple[str, int]]) -> list[tuple[CodeMention, ...]]:
        """Find the code that texts mention, each given with the time when it was said."""
        repositories = await self._repositories()
        if not repositories:
            return [() for _ in texts]
        names = [names_in(text) for text, _ in texts]
        wanted = sorted({name for some in names for name in some})
        looked_up = await asyncio.gather(*(self.look_up(one, repositories) for one in wanted))
        places = dict(zip(wanted, looked_up, strict=True))
        return [
            tuple(_mention(name, place, said_ms) for name in some for place in places[name])
            for some, (_, said_ms) in zip(names, texts, strict=True)
        ]

    async def look_up(self, name: str, repositories: Sequence[RepositoryRecord]) -> list[Place]:
        """Find where each repository has or had what is named so."""
        places: list[Place] = []
        for record in repositories:
            index = self._store.index(record.id)
            look = _file if is_path(name) else _symbol
            place = await look(index, record.name, name.removeprefix(f"{record.root}/"))
            places += [place] if place is not None else []
        return places

    async def _repositories(self) -> list[RepositoryRecord]:
        # Every search asks this, and most memories know of no repository.
        asked, records = self._known
        if time.monotonic() - asked > _LOOK_AGAIN_S:
            records = await self._store.repositories()
            self._known = (time.monotonic(), records)
        return records


async def _symbol(index: CodeIndex, repository: str, name: str) -> Place | None:
    found = await index.find(name, 2)
    if len(found) == 1 or (found and found[0].qname == name):
        return Place(repository, found[0].path, found[0].line, found[0].changed_ms)
    if found:
        return None  # nothing tells which one is meant
    gone = await index.gone(name, 1)
    return _gone(repository, gone[0].path, gone[0].line, gone[0].since_ms) if gone else None


async def _file(index: CodeIndex, repository: str, name: str) -> Place | None:
    found = await index.find_files(name, 2)
    if len(found) == 1:
        return Place(repository, found[0].path, 1, found[0].changed_ms)
    if found:
        return None
    gone = await index.gone_files(name, 1)
    return _gone(repository, gone[0].path, 1, gone[0].since_ms) if gone else None


def _gone(repository: str, path: str, line: int, since_ms: int) -> Place:
    return Place(repository, path, line, since_ms, is_gone=True)


def _mention(name: str, place: Place, said_ms: int) -> CodeMention:
    why = place.why_stale(said_ms)
    return CodeMention(
        name, place.repository, place.path, max(place.line, 1), is_stale=why is not None, why=why
    )
