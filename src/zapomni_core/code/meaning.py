"""Embed the heads of symbols in the background, so that code is found by meaning too."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from itertools import batched
from pathlib import Path
from typing import NamedTuple

from zapomni_core.code.locking import locked
from zapomni_core.embedding.protocol import Embedder
from zapomni_core.jobs import Job, Jobs, Progress
from zapomni_db.code import CodeIndex, CodeStore, RepositoryRecord, unpack_words

__all__ = ["HeadsOfFile", "Learning"]

_KIND = "embed_code"
_FILES_PER_LOOK = 100
# Small enough that a search beside it does not wait long.
_TEXTS_PER_STEP = 32


class HeadsOfFile(NamedTuple):
    """The heads of a file's symbols, as they are written with the words."""

    words: bytes

    def by_hash(self) -> dict[str, str]:
        """Give the heads that there are."""
        rows = unpack_words(self.words).rows
        return {head_hash: head for *_, head, head_hash in rows if head_hash}


class Learning:
    """Embeds texts of code, each once; what is done stays if this is given up."""

    def __init__(self, store: CodeStore, embedder: Embedder, jobs: Jobs, locks: Path) -> None:
        self._store = store
        self._embedder = embedder
        self._jobs = jobs
        self._locks = locks
        self._job: Job | None = None
        # When each repository was indexed, as far as this process has seen to its code.
        self._seen: dict[str, int] = {}
        self._looking: asyncio.Task[None] | None = None
        self._waiting: list[tuple[str, Iterable[Mapping[str, str]]]] = []
        self._done = 0
        self._total = 0

    @property
    def is_going_on(self) -> bool:
        """Tell whether some code is not yet found by its meaning."""
        return self._job is not None and self._job.state == "running"

    def learn(self, repository_id: str, heads: Iterable[Mapping[str, str]]) -> None:
        """Embed heads that a repository has now, by their hashes, unless they are embedded."""
        self._waiting.append((repository_id, heads))
        if not self.is_going_on:
            self._job = self._jobs.start(_KIND, self._learn_waiting)

    async def learn_left_over(self) -> None:
        """Embed whatever was not when an earlier process ended."""
        for repository in await self._store.repositories():
            # Noted first: what is written during the look is looked for once more.
            self.know(repository)
            index = self._store.index(repository.id)
            if missing := [dict(page) async for page in index.missing_texts()]:
                self.learn(repository.id, missing)

    def know(self, repository: RepositoryRecord) -> None:
        """Take note of a repository whose code this process sees to."""
        self._seen[repository.id] = repository.indexed_ms

    def keep_up(self, repositories: Iterable[RepositoryRecord]) -> None:
        """Embed, in the background, what processes that did not stay have read since."""
        is_new = any(
            each.indexed_ms and self._seen.get(each.id) != each.indexed_ms for each in repositories
        )
        if is_new and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self.learn_left_over())

    async def close(self) -> None:
        """Look no further."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])

    async def finish(self, progress: Progress | None = None) -> None:
        """Wait until everything is embedded."""
        await self.learn_left_over()
        if self._job is not None:
            await self._jobs.wait(self._job, float("inf"), progress)

    async def _learn_waiting(self, report: Progress) -> None:
        self._done = self._total = 0
        while self._waiting:
            repository_id, heads = self._waiting.pop(0)
            # Two processes would only do the same work twice.
            async with locked(self._locks / f"meaning-{repository_id}.lock"):
                await self._embed(self._store.index(repository_id), heads, report)

    async def _embed(
        self, index: CodeIndex, heads: Iterable[Mapping[str, str]], report: Progress
    ) -> None:
        missing: dict[str, str] = {}
        for files in batched(heads, _FILES_PER_LOOK):
            together = {one: head for each in files for one, head in each.items()}
            missing |= await index.without_vector(together)
        self._total += len(missing)
        for some in batched(missing.items(), _TEXTS_PER_STEP):
            vectors = await self._embedder.embed([text for _, text in some], "passage")
            hashes = (text_hash for text_hash, _ in some)
            await index.add_vectors(dict(zip(hashes, vectors, strict=True)))
            self._done += len(some)
            await report(self._done, self._total)
        # Some are kept: whoever goes back to another branch finds them there.
        if await index.has_many_unused_vectors():
            await index.prune_vectors()
