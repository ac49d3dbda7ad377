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
_NAMESAKES = 10


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
        places = await self.look_up(wanted, repositories)
        return [
            tuple(_mention(name, place, said_ms) for name in some for place in places[name])
            for some, (_, said_ms) in zip(names, texts, strict=True)
        ]

    async def look_up(
        self, names: Sequence[str], repositories: Sequence[RepositoryRecord]
    ) -> dict[str, list[Place]]:
        """Find where each repository has or had what is named so."""
        looked_up = [await self._in_repository(record, names) for record in repositories]
        return {
            name: [place for found in looked_up if (place := found.get(name)) is not None]
            for name in names
        }

    async def _in_repository(
        self, record: RepositoryRecord, names: Sequence[str]
    ) -> dict[str, Place | None]:
        index = self._store.index(record.id)
        ends = {name: name.removeprefix(f"{record.root}/") for name in names if is_path(name)}
        files = await _files(index, record.name, list(dict.fromkeys(ends.values())))
        found = {name: files[end] for name, end in ends.items() if end in files}
        # A method may be called like a file: `Counter.inc`.
        others = [name for name in names if name not in found]
        # Most of what looks like a name of code is none of this repository.
        others = sorted(await index.known_names(others)) if others else []
        symbols = await asyncio.gather(*(_symbol(index, record.name, one) for one in others))
        return found | dict(zip(others, symbols, strict=True))

    async def _repositories(self) -> list[RepositoryRecord]:
        # Every search asks this, and most memories know of no repository.
        asked, records = self._known
        if time.monotonic() - asked > _LOOK_AGAIN_S:
            records = await self._store.repositories()
            self._known = (time.monotonic(), records)
        return records


async def _symbol(index: CodeIndex, repository: str, name: str) -> Place | None:
    found = await index.find(name, _NAMESAKES)
    # A module has the name of its file, which may be that of something in it.
    found = [one for one in found if one.qname] or found
    if len(found) == 1 or (found and found[0].qname == name):
        return Place(repository, found[0].path, found[0].line, found[0].changed_ms)
    if found:
        return None  # nothing tells which one is meant
    gone = await index.gone(name, 1)
    return _gone(repository, gone[0].path, gone[0].line, gone[0].since_ms) if gone else None


async def _files(
    index: CodeIndex, repository: str, ends: Sequence[str]
) -> dict[str, Place | None]:
    """Find files, None in the place of one that may be several, without those never seen."""
    there = await index.find_each_file(ends, 2)
    gone = await index.gone_files([end for end in ends if not there[end]])
    places: dict[str, Place | None] = {
        end: _gone(repository, one.path, 1, one.since_ms) for end, one in gone.items()
    }
    for end, nodes in there.items():
        if nodes:
            is_clear = len(nodes) == 1 or nodes[0].path == end
            place = Place(repository, nodes[0].path, 1, nodes[0].changed_ms)
            places[end] = place if is_clear else None
    return places


def _gone(repository: str, path: str, line: int, since_ms: int) -> Place:
    return Place(repository, path, line, since_ms, is_gone=True)


def _mention(name: str, place: Place, said_ms: int) -> CodeMention:
    why = place.why_stale(said_ms)
    return CodeMention(
        name, place.repository, place.path, max(place.line, 1), is_stale=why is not None, why=why
    )
