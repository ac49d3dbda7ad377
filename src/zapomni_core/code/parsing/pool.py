"""Worker processes that read source files, and that may hang or crash without harm."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Iterable, Mapping
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Final, Self

import structlog

from zapomni_core.code.parsing.report import HEAD_BYTES, FileReport, Request, lengths
from zapomni_core.errors import ProcessingError

__all__ = ["ParserPool"]

_LAUNCH: Final = str(Path(__file__).resolve().with_name("launch.py"))
_GRAMMARS_VARIABLE: Final = "SEMBLE_GRAMMARS_CACHE_DIR"
_MAX_WORKERS: Final = 4
_LIMIT_S: Final = 5.0
_START_LIMIT_S: Final = 60.0

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
        self._workers = workers or min(os.cpu_count() or 1, _MAX_WORKERS)
        self._limit_s = limit_s
        self._python = python
        self._environment = _environment(grammars)
        # The last one used is the next one used, so that little work needs few processes.
        self._places = asyncio.LifoQueue[_Worker | None]()
        for _ in range(self._workers):
            self._places.put_nowait(None)

    async def read(
        self, root: Path, requests: Iterable[tuple[str, str | None]]
    ) -> AsyncGenerator[FileReport]:
        """Report on files in any order, each given with the hash under which it is known.

        Who stops before the end must close the iterator (`contextlib.aclosing`).
        """
        waiting = (Request(str(root), path, known) for path, known in requests)
        # A worker finds its next file ready while the report on the last one is looked at.
        tasks = {self._started(request) for request in islice(waiting, 2 * self._workers)}
        try:
            while tasks:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                tasks |= {self._started(request) for request in islice(waiting, len(done))}
                for task in done:
                    report = task.result()
                    tasks.discard(task)
                    yield report
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """End the workers; those at work end with the `read` that they work for."""
        idle = [self._places.get_nowait() for _ in range(self._places.qsize())]
        for _ in idle:
            self._places.put_nowait(None)
        await asyncio.gather(*(worker.end() for worker in idle if worker is not None))

    def _started(self, request: Request) -> asyncio.Task[FileReport]:
        return asyncio.create_task(self._read_one(request))

    async def _read_one(self, request: Request) -> FileReport:
        worker = await self._places.get()
        try:
            if worker is None or worker.has_ended:
                worker = await _Worker.started(self._python, self._environment)
            return await worker.asked(request, self._limit_s)
        finally:
            self._places.put_nowait(worker)


class _Worker:
    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._is_ended = False

    @classmethod
    async def started(cls, python: str, environment: Mapping[str, str]) -> Self:
        try:
            process = await asyncio.create_subprocess_exec(
                *(python, "-P", _LAUNCH),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                cwd="/",
                env=environment,
                start_new_session=True,
            )
        except OSError as exc:
            raise _not_started() from exc
        worker = cls(process)
        try:
            async with asyncio.timeout(_START_LIMIT_S):
                await worker._answer()
        except (asyncio.IncompleteReadError, TimeoutError) as exc:
            await worker.end()
            raise _not_started() from exc
        except asyncio.CancelledError:
            await worker.end()
            raise
        return worker

    @property
    def has_ended(self) -> bool:
        return self._is_ended or self._process.returncode is not None

    async def asked(self, request: Request, limit_s: float) -> FileReport:
        """Hand over a file; a worker that does not answer in time and in full is ended."""
        try:
            async with asyncio.timeout(limit_s):
                self._stdin.write(request.packed())
                await self._stdin.drain()
                return await self._answer()
        except TimeoutError:
            reason = "parser took too long"
        except (asyncio.IncompleteReadError, ConnectionError):
            reason = "parser crashed"
        except asyncio.CancelledError:
            # Its answer would be taken for the answer to another request.
            await self.end()
            raise
        await self.end()
        _log.warning("parser_ended", reason=reason)
        return FileReport(request.path, "skipped", reason)

    async def end(self) -> None:
        self._is_ended = True
        self._stdin.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def _answer(self) -> FileReport:
        head = await self._stdout.readexactly(HEAD_BYTES)
        text, facts = lengths(head)
        return FileReport.unpacked(
            await self._stdout.readexactly(text), await self._stdout.readexactly(facts)
        )


def _environment(grammars: Path | None) -> dict[str, str]:
    if grammars is None:
        return {**os.environ}
    # A folder that the user has chosen goes first. Libraries of two versions must not mix.
    chosen = str(grammars.resolve() / version("semble-grammars"))
    return {_GRAMMARS_VARIABLE: chosen, **os.environ}


def _not_started() -> ProcessingError:
    return ProcessingError(
        "The process that parses source code did not start; "
        "`python -m zapomni_core.code.parsing.worker` shows why."
    )
