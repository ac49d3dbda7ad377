"""What the engine can be asked about code."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import structlog

from zapomni_core.opening import Opening, milliseconds_since
from zapomni_core.validation import (
    parse_depth,
    parse_limit,
    parse_max_tokens,
    parse_name,
    parse_patterns,
    parse_query,
)

if TYPE_CHECKING:
    from pathlib import Path

    from zapomni_core.code.results import (
        CallGraph,
        CodeHits,
        CodeIndexed,
        CodeOverview,
        CodeStatus,
        Direction,
        SymbolView,
    )
    from zapomni_core.jobs import Progress

__all__ = ["CodeEngine"]

_log = structlog.get_logger()


class CodeEngine(Opening):
    """Reads source code and answers questions about it."""

    async def index_codebase(
        self,
        path: str,
        *,
        languages: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        is_full: bool = False,
        progress: Progress | None = None,
        patience_s: float | None = 20.0,
    ) -> CodeIndexed:
        """Read the source code of a folder, or what has changed in it.

        Without languages and patterns to leave out, the same are wanted as before; empty lists
        take that back. Work that takes longer than `patience_s` goes on as a job; None waits for
        the end.
        """
        from zapomni_core.code.indexing import Wanted  # noqa: PLC0415  (as in _create_workspace)

        wanted = Wanted(
            None if languages is None else tuple(languages),
            None if exclude is None else parse_patterns(exclude),
            is_full,
        )
        async with self._working() as workspace:
            indexed = await workspace.code.upkeep.index(path, wanted, progress, patience_s)
        _log.info("code_indexed", files=indexed.indexed, seconds=indexed.job.seconds)
        return indexed

    async def reindex_files(self, folder: Path, paths: Sequence[Path]) -> CodeIndexed:
        """Take in changes of some files of an indexed folder."""
        async with self._working() as workspace:
            return await workspace.code.upkeep.refresh(folder, paths)

    async def cancel_indexing(self, job_id: str) -> CodeIndexed:
        """Give up a job that reads code; what it has read stays."""
        async with self._working() as workspace:
            return await workspace.code.upkeep.cancel(job_id)

    async def allow_code(self, folders: Sequence[Path], *, is_lasting: bool = True) -> None:
        """Let agents index folders that the user has named, for good or while this is open.

        A folder that nobody may index, such as the user's home, stays closed.
        """
        async with self._working() as workspace:
            await asyncio.to_thread(workspace.code.upkeep.allow, folders, is_lasting=is_lasting)

    async def forget_code(self, folder: Path) -> bool:
        """Drop the index of a folder that agents may index no more; tell if there was one."""
        async with self._working() as workspace:
            return await workspace.code.upkeep.forget(folder)

    async def embed_code(self, progress: Progress | None = None) -> None:
        """Have all indexed code found by meaning, and wait until it is."""
        async with self._working() as workspace:
            await workspace.code.upkeep.learning.finish(progress)

    async def search_code(
        self,
        query: str,
        *,
        repository: str | None = None,
        kinds: Sequence[str] = (),
        languages: Sequence[str] = (),
        path: str | None = None,
        limit: int = 10,
        explain: bool = False,
    ) -> CodeHits:
        """Find code by what it does or what it is called, best first."""
        from zapomni_core.code.finding import CodeSearch  # noqa: PLC0415  (as above)

        wanted = CodeSearch(
            query=parse_query(query),
            limit=parse_limit(limit),
            kinds=frozenset(kinds),
            languages=frozenset(languages),
            path=path,
        )
        async with self._working() as workspace:
            started = time.perf_counter()
            found = await workspace.code.search(wanted, repository, explain=explain)
        _log.info("code_searched", results=len(found.hits), ms=milliseconds_since(started))
        return found

    async def get_symbol(self, symbol: str, *, repository: str | None = None) -> SymbolView:
        """Show a function, class or file with all that is known about it."""
        async with self._working() as workspace:
            return await workspace.code.symbol(parse_name(symbol, "symbol"), repository)

    async def get_call_graph(
        self,
        symbol: str,
        direction: Direction = "callers",
        *,
        repository: str | None = None,
        depth: int | None = None,
        with_guesses: bool = True,
        limit: int = 50,
    ) -> CallGraph:
        """Tell who calls a symbol, what it calls, or what a change of it may break."""
        async with self._working() as workspace:
            return await workspace.code.call_graph(
                parse_name(symbol, "symbol"),
                direction,
                repository,
                depth=None if depth is None else parse_depth(depth),
                limit=parse_limit(limit),
                with_guesses=with_guesses,
            )

    async def code_overview(
        self, repository: str | None = None, max_tokens: int = 2000
    ) -> CodeOverview:
        """Show an indexed repository at a glance."""
        room = parse_max_tokens(max_tokens)
        async with self._working() as workspace:
            return await workspace.code.overview(repository, room or max_tokens)

    async def code_status(self) -> CodeStatus:
        """List the indexed repositories and say how far running jobs are."""
        async with self._working() as workspace:
            return await workspace.code.status()
