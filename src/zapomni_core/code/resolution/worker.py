"""A process that holds the facts of a repository, and tells what its files refer to.

Resolving takes a core for seconds; whoever asks goes on answering others meanwhile.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import uuid4

import orjson

from zapomni_core.code.model import FileFacts
from zapomni_core.code.resolution.changes import changed_names
from zapomni_core.code.resolution.links import Numbered, links_of
from zapomni_core.code.resolution.repository import Repository
from zapomni_core.workers.message import Message
from zapomni_core.workers.serving import serve
from zapomni_db.code.records import EdgeColumns

__all__ = ["main"]

_ALARM_S: Final = 600
_MAX_MEMORY: Final = 8_000_000_000
# Facts stay: to look through them for garbage again and again takes a tenth of all the time.
_OBJECTS_PER_COLLECTION: Final = 3_000_000


def main() -> None:
    """Answer requests until there are no more."""
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    resolver = _Resolver()
    serve(
        resolver.answer,
        alarm_s=_ALARM_S,
        max_memory=_MAX_MEMORY,
        meanwhile=resolver.go_ahead,
    )


class _Links(NamedTuple):
    """What files refer to, and the names whose numbers stand in it."""

    names: list[str]
    files: list[EdgeColumns | None]


class _Resolver:
    def __init__(self) -> None:
        # By it whoever asks sees that this is not the process that was told something.
        self._life = uuid4().hex
        self._repository = Repository()
        self._facts: dict[str, FileFacts] = {}
        # The files that will be asked for next, a part at a time, and what is known of them.
        self._following: Sequence[tuple[str, ...]] = ()
        self._ahead: dict[tuple[str, ...], _Links] = {}
        self._answers: Mapping[str, Callable[..., Any]] = {
            "take": self._take,
            "remove": self._remove,
            "configure": self._configure,
            "affected": self._affected,
            "mentions": self._mentions,
            "links": self._links,
        }

    def answer(self, request: Message) -> Message:
        """Do what a request names, with what it gives."""
        name, *given = orjson.loads(request.text)
        if name != "links":
            self._following, self._ahead = (), {}
        if request.content:
            given.append(request.content)
        answered = self._answers[name](*given)
        return Message(orjson.dumps([self._life, answered], default=list))

    def _take(
        self, files: Sequence[tuple[str, int]], is_compared: bool, packed: bytes
    ) -> set[str]:
        """Take files as they are now; tell which names mean something else, if that is asked."""
        names: set[str] = set()
        start = 0
        for path, length in files:
            facts = FileFacts.unpacked(packed[start : start + length])
            if is_compared:
                names |= changed_names(path, self._facts.get(path), facts)
            self._repository.put(path, facts)
            self._facts[path] = facts
            start += length
        return names

    def _remove(self, paths: Iterable[str]) -> set[str]:
        """Take files out; tell which names mean something else without them."""
        names: set[str] = set()
        for path in paths:
            known = self._facts.pop(path, None)
            if known is not None:
                self._repository.remove(path)
                names |= changed_names(path, known, None)
        return names

    def _configure(self, texts: Mapping[str, str]) -> None:
        for path, text in texts.items():
            self._repository.configure(path, text)

    def _affected(self, names: Sequence[str]) -> set[str]:
        return self._repository.affected_by(names)

    def _mentions(self, paths: Sequence[str]) -> None:
        self._repository.read_mentions(paths)

    def go_ahead(self) -> bool:
        """Find out more of what will be asked next; tell whether there was anything left."""
        part = next((part for part in self._following if part not in self._ahead), None)
        if part is not None:
            self._ahead[part] = self._links_of(part)
        return part is not None

    def _links(self, paths: Sequence[str], following: Sequence[Sequence[str]]) -> _Links:
        links = self._ahead.pop(tuple(paths), None) or self._links_of(paths)
        self._following = [*map(tuple, following)]
        self._ahead = {part: self._ahead[part] for part in self._following if part in self._ahead}
        return links

    def _links_of(self, paths: Iterable[str]) -> _Links:
        names = Numbered()
        files = [self._links_of_file(path, names) for path in paths]
        return _Links([*names], files)

    def _links_of_file(self, path: str, names: Numbered) -> EdgeColumns | None:
        try:
            return links_of(path, self._facts[path], self._repository.edges_of(path), names)
        except Exception:  # noqa: BLE001  (one strange file must not leave all without calls)
            self._repository.start_over()
            return None
