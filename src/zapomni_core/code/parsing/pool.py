"""Worker processes that read source files, and that may hang or crash without harm."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Iterable
from importlib.metadata import version
from itertools import batched, islice
from pathlib import Path
from typing import Final

import structlog

from zapomni_core.code.parsing.report import FileReport, Request, unpacked
from zapomni_core.workers.asking import Program, Workers

__all__ = ["ParserPool"]

_MODULE: Final = "zapomni_core.code.parsing.worker"
_TASK: Final = "parses source code"
_GRAMMARS_VARIABLE: Final = "SEMBLE_GRAMMARS_CACHE_DIR"
_MAX_WORKERS: Final = 4
_LIMIT_S: Final = 5.0
# A message for each file would take as long as what is done with its report.
_FILES_PER_PARCEL: Final = 8
_PARCELS_PER_WORKER: Final = 8

_log = structlog.get_logger()


class ParserPool:
    """Keeps workers that are started when they are needed and stay until `close`."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        grammars: Path | None = None,
        limit_s: float = _LIMIT_S,
        python: str = sys.executable,
    ) -> None:
        """Take the folder into which grammars are unpacked at their first use."""
        self._count = workers or min(os.cpu_count() or 1, _MAX_WORKERS)
        program = Program(_MODULE, _TASK, python, _environment(grammars))
        self._workers = Workers(program, self._count, limit_s=limit_s)

    async def read(
        self, root: Path, requests: Iterable[tuple[str, str | None]]
    ) -> AsyncGenerator[FileReport]:
        """Report on files in any order, each given with the hash under which it is known.

        Who stops before the end must close the iterator (`contextlib.aclosing`).
        """
        files = list(requests)
        share = len(files) // (_PARCELS_PER_WORKER * self._count)
        parcels = batched(files, min(max(share, 1), _FILES_PER_PARCEL))
        waiting = (Request(str(root), parcel) for parcel in parcels)
        # A worker finds its next file ready while the report on the last one is looked at.
        tasks = {self._started(request) for request in islice(waiting, 2 * self._count)}
        try:
            while tasks:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                tasks |= {self._started(request) for request in islice(waiting, len(done))}
                for task in done:
                    tasks.discard(task)
                    for report in task.result():
                        yield report
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def launch(self) -> None:
        """Start the workers before there is something to read."""
        await self._workers.launch()

    async def close(self) -> None:
        """End the workers; those at work end with the `read` that they work for."""
        await self._workers.close()

    def _started(self, request: Request) -> asyncio.Task[list[FileReport]]:
        return asyncio.create_task(self._read(request))

    async def _read(self, request: Request) -> list[FileReport]:
        try:
            return [*unpacked(await self._workers.ask(request.packed()))]
        except TimeoutError:
            reason = "parser took too long"
        except ConnectionError:
            reason = "parser crashed"
        _log.warning("parser_ended", reason=reason)
        if len(request.files) <= 1:
            return [FileReport(path, "skipped", reason) for path, _ in request.files]
        # One of them has done it; the others are read without it.
        alone = [await self._read(request._replace(files=[each])) for each in request.files]
        return [report for reports in alone for report in reports]


def _environment(grammars: Path | None) -> dict[str, str]:
    if grammars is None:
        return {**os.environ}
    # A folder that the user has chosen goes first. Libraries of two versions must not mix.
    chosen = str(grammars.resolve() / version("semble-grammars"))
    return {_GRAMMARS_VARIABLE: chosen, **os.environ}
