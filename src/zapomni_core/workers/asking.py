"""The side of the one who asks: it keeps workers, and ends those that hang."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from zapomni_core.errors import ProcessingError
from zapomni_core.workers.message import HEAD_BYTES, Message, lengths

__all__ = ["Program", "Workers"]

_LAUNCH: Final = str(Path(__file__).resolve().with_name("launch.py"))
_START_LIMIT_S: Final = 60.0
# Somebody may kill one as it starts.
_ATTEMPTS: Final = 2


@dataclass(frozen=True, slots=True)
class Program:
    """What a worker runs: a module whose `main` serves, and in words what that does."""

    module: str
    task: str
    python: str
    environment: Mapping[str, str] | None = None


class Workers:
    """Keeps workers that are started when they are needed and stay until `close`."""

    def __init__(self, program: Program, count: int, *, limit_s: float) -> None:
        self._program = program
        self._limit_s = limit_s
        # The last one used is the next one used, so that little work needs few processes.
        self._places = asyncio.LifoQueue[_Worker | None]()
        for _ in range(count):
            self._places.put_nowait(None)
        self._times_closed = 0

    async def launch(self) -> None:
        """Start every worker, and let them get ready while nobody waits.

        One that cannot be started is left to the one who asks it, and hears of it then.
        """
        free, times_closed = self._places.qsize(), self._times_closed
        await asyncio.gather(*(self._launch_one(times_closed) for _ in range(free)))

    async def _launch_one(self, times_closed: int) -> None:
        worker = await self._places.get()
        try:
            is_missing = worker is None or worker.has_ended
            if is_missing and times_closed == self._times_closed:
                with contextlib.suppress(ProcessingError):
                    worker = await _Worker.launched(self._program)
        finally:
            await self._put_back(worker, times_closed)

    async def _put_back(self, worker: _Worker | None, times_closed: int) -> None:
        """Free a place again; nobody is left who could end a worker after a `close`."""
        try:
            if worker is not None and times_closed != self._times_closed:
                await worker.end()
        finally:
            self._places.put_nowait(worker)

    async def ask(self, request: Message) -> Message:
        """Have a worker answer; one that hangs (TimeoutError) or dies (ConnectionError) is ended.

        Another one takes its place at the next request.
        """
        worker = await self._places.get()
        times_closed = self._times_closed
        try:
            if worker is None or worker.has_ended or not await worker.is_ready():
                worker = await self._new_worker()
            return await worker.asked(request, self._limit_s)
        finally:
            await self._put_back(worker, times_closed)

    async def _new_worker(self) -> _Worker:
        for _ in range(_ATTEMPTS):
            worker = await _Worker.launched(self._program)
            if await worker.is_ready():
                return worker
        raise _not_started(self._program)

    async def close(self) -> None:
        """End the workers; those at work end with the `ask` that they work for."""
        self._times_closed += 1
        idle = [self._places.get_nowait() for _ in range(self._places.qsize())]
        for _ in idle:
            self._places.put_nowait(None)
        await asyncio.gather(*(worker.end() for worker in idle if worker is not None))


class _Worker:
    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._is_ready = False
        self._is_ended = False

    @classmethod
    async def launched(cls, program: Program) -> Self:
        try:
            process = await asyncio.create_subprocess_exec(
                *(program.python, "-P", _LAUNCH, program.module),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                cwd="/",
                env=program.environment,
                start_new_session=True,
            )
        except OSError as exc:
            raise _not_started(program) from exc
        return cls(process)

    async def is_ready(self) -> bool:
        """Wait until it has started; tell whether it did."""
        if not self._is_ready:
            with contextlib.suppress(OSError):
                # Its first answer says that it is ready.
                await self._answer(_START_LIMIT_S)
                self._is_ready = True
        return self._is_ready

    @property
    def has_ended(self) -> bool:
        return self._is_ended or self._process.returncode is not None

    async def asked(self, request: Message, limit_s: float) -> Message:
        self._stdin.write(request.framed())
        return await self._answer(limit_s)

    async def end(self) -> None:
        self._is_ended = True
        self._stdin.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def _answer(self, limit_s: float) -> Message:
        is_complete = False
        try:
            async with asyncio.timeout(limit_s):
                await self._stdin.drain()
                text, content = lengths(await self._stdout.readexactly(HEAD_BYTES))
                answer = Message(
                    await self._stdout.readexactly(text), await self._stdout.readexactly(content)
                )
            is_complete = True
        except asyncio.IncompleteReadError as exc:
            raise ConnectionResetError from exc
        finally:
            # A late answer would be taken for the answer to another request.
            if not is_complete:
                await self.end()
        return answer


def _not_started(program: Program) -> ProcessingError:
    return ProcessingError(
        f"The process that {program.task} did not start; `python -m {program.module}` shows why."
    )
