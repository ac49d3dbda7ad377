"""Keep the process that resolves a repository in step with its files."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import batched
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from zapomni_core.code.parsing.opening import Unreadable, read_inside
from zapomni_core.errors import ProcessingError
from zapomni_core.workers.asking import Program, Workers
from zapomni_core.workers.message import Message
from zapomni_db.code import CodeIndex, EdgeColumns, FileStamp, NumberedEdges

__all__ = ["ReadFile", "Resolved"]

_MODULE: Final = "zapomni_core.code.resolution.worker"
_TASK: Final = "finds out who calls whom"
_LIMIT_S: Final = 300.0
_FILES_PER_LOAD: Final = 200
_FILES_PER_WARMING: Final = 20


class ReadFile(NamedTuple):
    """A file by the hash of what was read, with its packed facts."""

    path: str
    hash: str
    facts: bytes


class Resolved:
    """The facts of every file of a repository, and the edges that follow from them."""

    def __init__(self, root: Path, index: CodeIndex) -> None:
        self._root = root
        self.index = index
        # One process has all facts: what a name means is looked for in every file.
        self._process = Workers(Program(_MODULE, _TASK, sys.executable), 1, limit_s=_LIMIT_S)
        self._is_closed = False
        self._life = ""
        self._hashes: dict[str, str] = {}
        self._configured: dict[str, bytes] | None = None

    async def launch(self) -> None:
        """Start the process before there is something to take in."""
        if not self._is_closed:
            await self._process.launch()

    async def close(self) -> None:
        """End the process; who is still asking is told that it has ended."""
        self._is_closed = True
        self._forget()
        await self._process.close()

    async def load(self, known: Mapping[str, FileStamp]) -> None:
        """Take in what another process, or an earlier one, has written."""
        if self._hashes:
            with suppress(ProcessingError):  # it has ended since the last time
                await self._ask("mentions", [])
        wanted = {path: stamp.hash for path, stamp in known.items() if stamp.status != "skipped"}
        await self.remove([*(self._hashes.keys() - wanted.keys())])
        missing = [path for path, read in wanted.items() if self._hashes.get(path) != read]
        for paths in batched(missing, _FILES_PER_LOAD):
            found = await self.index.facts(paths)
            files = [ReadFile(path, wanted[path], facts) for path, facts in found.items()]
            await self.take(files, is_compared=False)

    @property
    def is_configured(self) -> bool:
        """Tell whether it is known what imports mean."""
        return self._configured is not None

    async def configure(self, paths: Sequence[str]) -> int:
        """Read what says what imports mean; return a number that differs once that does."""
        found = dict(_contents(self._root, paths))
        if found != self._configured:
            texts = dict.fromkeys((self._configured or {}).keys() - found.keys(), "")
            texts |= {path: raw.decode(errors="replace") for path, raw in found.items()}
            await self._ask("configure", texts)
            self._configured = found
        return zlib.crc32(repr(sorted(found.items())).encode())

    async def take(self, files: Sequence[ReadFile], *, is_compared: bool) -> set[str]:
        """Take files as they are now; tell which names mean something else, if that is asked."""
        if not files:
            return set()
        lengths = [(file.path, len(file.facts)) for file in files]
        packed = b"".join([file.facts for file in files])
        names = await self._ask("take", lengths, is_compared, content=packed)
        self._hashes |= {file.path: file.hash for file in files}
        return set(names)

    async def remove(self, paths: Sequence[str]) -> set[str]:
        """Take files out, and tell which names mean something else without them."""
        known = [path for path in paths if self._hashes.pop(path, None) is not None]
        return set(await self._ask("remove", known)) if known else set()

    @property
    def paths(self) -> AbstractSet[str]:
        """Every file that has facts."""
        return self._hashes.keys()

    async def affected_by(self, names: set[str]) -> set[str]:
        """Tell which files refer to any of these names."""
        return set(await self._ask("affected", [*names])) if names else set()

    async def warm_up(self) -> None:
        """Get ready for the first change, in steps between which others have their turn."""
        for some in batched(sorted(self._hashes), _FILES_PER_WARMING):
            await self._ask("mentions", some)

    async def edges(
        self, paths: Sequence[str], following: Sequence[Sequence[str]] = ()
    ) -> NumberedEdges:
        """Find out what files refer to, without those that are too strange for it.

        The parts that will be asked for next are named so that nobody waits.
        """
        names, files = await self._ask("links", paths, following)
        links = zip(paths, files, strict=True)
        return NumberedEdges(
            names, {path: EdgeColumns(*one) for path, one in links if one is not None}
        )

    async def _ask(self, name: str, *given: object, content: bytes = b"") -> Any:
        if self._is_closed:
            raise _ended()
        request = Message(orjson.dumps([name, *given]), content)
        try:
            answer = await self._process.ask(request)
        except OSError as exc:
            self._forget()
            raise _ended() from exc
        life, answered = orjson.loads(answer.text)
        if life != self._life and self._hashes:
            # A process that has ended was replaced by one that knows nothing.
            self._forget()
            raise _ended()
        self._life = life
        return answered

    def _forget(self) -> None:
        self._hashes.clear()
        self._configured = None


def _ended() -> ProcessingError:
    return ProcessingError(
        f"The process that {_TASK} has ended; what was read is kept: index once more."
    )


def _contents(root: Path, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        try:
            yield path, read_inside(str(root), path).raw
        except Unreadable:
            continue
