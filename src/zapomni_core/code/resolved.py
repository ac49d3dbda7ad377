"""Keep the resolver of a repository in step with its files."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Executor
from itertools import batched
from pathlib import Path

from zapomni_core.code.model import FileEdges, FileFacts
from zapomni_core.code.parsing.opening import Unreadable, read_inside
from zapomni_core.code.resolution import Repository, changed_names
from zapomni_db.code import CodeIndex, FileStamp

__all__ = ["Resolved"]

_FILES_PER_STEP = 20


class Resolved:
    """The facts of every file of a repository, and the edges that follow from them."""

    def __init__(self, root: Path, index: CodeIndex, executor: Executor) -> None:
        self._root = root
        self._index = index
        self._executor = executor
        self._repository = Repository()
        self._facts: dict[str, FileFacts] = {}
        self._hashes: dict[str, str] = {}
        self._configured: dict[str, bytes] = {}

    async def load(self, known: Mapping[str, FileStamp]) -> None:
        """Take in what another process, or an earlier one, has written."""
        wanted = {path: stamp.hash for path, stamp in known.items() if stamp.status != "skipped"}
        for path in self._hashes.keys() - wanted.keys():
            self.remove(path)
        missing = [path for path, read in wanted.items() if self._hashes.get(path) != read]
        for paths in batched(missing, 200):
            for path, packed in (await self._index.facts(paths)).items():
                self.put(path, FileFacts.unpacked(packed), wanted[path])
            await asyncio.sleep(0)

    def configure(self, paths: Sequence[str]) -> int:
        """Read what says what imports mean; return a number that differs once that does."""
        found = dict(_contents(self._root, paths))
        if found != self._configured:
            for path in self._configured.keys() - found.keys():
                self._repository.configure(path, "")
            for path, content in found.items():
                self._repository.configure(path, content.decode(errors="replace"))
            self._configured = found
        return zlib.crc32(repr(sorted(found.items())).encode())

    def changed(self, path: str, facts: FileFacts) -> set[str]:
        """Tell which names will mean something else if a file becomes this."""
        return changed_names(path, self._facts.get(path), facts)

    def removed(self, path: str) -> set[str]:
        """Take a file out, and tell which names mean something else without it."""
        known = self._facts.get(path)
        self.remove(path)
        return changed_names(path, known, None) if known is not None else set()

    def put(self, path: str, facts: FileFacts, read: str) -> None:
        """Take a file as it is now, `read` being the hash of what was read."""
        self._repository.put(path, facts)
        self._facts[path], self._hashes[path] = facts, read

    def remove(self, path: str) -> None:
        """Take a file out."""
        if self._facts.pop(path, None) is not None:
            self._repository.remove(path)
        self._hashes.pop(path, None)

    @property
    def paths(self) -> AbstractSet[str]:
        """Every file that has facts."""
        return self._facts.keys()

    def facts(self, path: str) -> FileFacts:
        """Give what was read out of a file."""
        return self._facts[path]

    def affected_by(self, names: set[str]) -> set[str]:
        """Tell which files refer to any of these names."""
        return self._repository.affected_by(names) if names else set()

    async def warm_up(self) -> None:
        """Get ready for the first change, in steps between which others have their turn."""
        for some in batched(sorted(self._facts), _FILES_PER_STEP):
            self._repository.read_mentions(some)
            await asyncio.sleep(0)

    async def edges(self, paths: Sequence[str]) -> dict[str, FileEdges]:
        """Find out what files refer to, beside the event loop."""
        loop = asyncio.get_running_loop()
        found: dict[str, FileEdges] = {}
        for some in batched(paths, _FILES_PER_STEP):
            found |= await loop.run_in_executor(self._executor, self._edges_of, some)
        return found

    def _edges_of(self, paths: Sequence[str]) -> dict[str, FileEdges]:
        return {path: self._repository.edges_of(path) for path in paths}


def _contents(root: Path, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        try:
            yield path, read_inside(str(root), path).raw
        except Unreadable:
            continue
