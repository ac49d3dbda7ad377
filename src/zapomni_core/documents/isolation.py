"""Worker processes that read documents, and that may hang or crash without harm."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import Final, Self

from zapomni_core.documents.model import Document, DocumentLimits, DocumentRefused
from zapomni_core.documents.wire import HEAD_BYTES, Request, lengths, unpacked_answer
from zapomni_core.errors import ProcessingError, ZapomniError

__all__ = ["DocumentReader"]

_LAUNCH: Final = str(Path(__file__).resolve().with_name("launch.py"))
_MAX_WORKERS: Final = 2
_LIMIT_S: Final = 60.0
_START_LIMIT_S: Final = 60.0


class DocumentReader:
    """Keeps workers that are started when they are needed and stay until `close`."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        limit_s: float = _LIMIT_S,
        python: str = sys.executable,
    ) -> None:
        self._limit_s = limit_s
        self._python = python
        # The last one used is the next one used, so that little work needs few processes.
        self._places = asyncio.LifoQueue[_Worker | None]()
        for _ in range(workers or min(os.cpu_count() or 1, _MAX_WORKERS)):
            self._places.put_nowait(None)

    async def read(
        self, source: Path | bytes, name: str = "", limits: DocumentLimits | None = None
    ) -> Document:
        """Read a document as `read_document` does; what takes too long is refused."""
        request = Request.of(source, name, limits or DocumentLimits())
        if len(request.content) > request.limits.input_bytes:
            raise DocumentRefused(
                request.name,
                f"is bigger than {request.limits.input_bytes:,} bytes; split it",
            )
        answer = await self._answered(request)
        if isinstance(answer, ZapomniError):
            raise answer
        return answer

    async def close(self) -> None:
        """End the workers; those at work end with the `read` that they work for."""
        idle = [self._places.get_nowait() for _ in range(self._places.qsize())]
        for _ in idle:
            self._places.put_nowait(None)
        await asyncio.gather(*(worker.end() for worker in idle if worker is not None))

    async def _answered(self, request: Request) -> Document | ZapomniError:
        worker = await self._places.get()
        try:
            # A worker may have been ended while it waited; what ends two is the document.
            for _ in range(2):
                if worker is None or worker.has_ended:
                    worker = await _Worker.started(self._python)
                with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                    return await worker.asked(request, self._limit_s)
        finally:
            self._places.put_nowait(worker)
        return DocumentRefused(
            request.name, "makes the program that reads it crash; save it again in another form"
        )


class _Worker:
    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._is_ended = False

    @classmethod
    async def started(cls, python: str) -> Self:
        try:
            process = await asyncio.create_subprocess_exec(
                *(python, "-P", _LAUNCH),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                cwd="/",
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

    async def asked(self, request: Request, limit_s: float) -> Document | ZapomniError:
        """Hand over a file; a worker that does not answer in time and in full is ended."""
        is_answered = False
        try:
            async with asyncio.timeout(limit_s):
                self._stdin.write(request.packed())
                await self._stdin.drain()
                answer = await self._answer()
            is_answered = True
        except TimeoutError:
            return DocumentRefused(
                request.name,
                f"takes longer than {limit_s:g} s to read; split it into smaller files",
            )
        finally:
            # A late answer would be taken for the answer to another request.
            if not is_answered:
                await self.end()
        return answer

    async def end(self) -> None:
        self._is_ended = True
        self._stdin.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def _answer(self) -> Document | ZapomniError:
        text, _ = lengths(await self._stdout.readexactly(HEAD_BYTES))
        return unpacked_answer(await self._stdout.readexactly(text))


def _not_started() -> ProcessingError:
    return ProcessingError(
        "The process that reads documents did not start; "
        "`python -m zapomni_core.documents.worker` shows why."
    )
