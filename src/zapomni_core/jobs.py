"""Long work with an id: it reports how far it is, can be given up, and taken up again."""

from __future__ import annotations

import asyncio
import os
import socket
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast

import orjson
import structlog

from zapomni_core.errors import ValidationError, ZapomniError

if TYPE_CHECKING:
    from zapomni_db import JobRecord, JobRecords

__all__ = ["Arguments", "Job", "JobReport", "JobState", "Jobs", "Progress"]

type Progress = Callable[[int, int], Awaitable[None]]
type JobState = Literal["running", "done", "failed", "cancelled", "interrupted"]
# What a job was asked to do, in words that outlive the process.
type Arguments = Mapping[str, str | int | bool | list[str] | None]
type Work = Callable[[Progress], Awaitable[None]]
# How jobs of a kind are begun again under the id that they had.
type Begin = Callable[[Arguments, str], Awaitable[Job]]

_KEPT = 50
_FAILURES_KEPT = 100
_SIGN_OF_LIFE_S = 1.0
# How long another machine's process may be silent; work that is begun twice only costs time.
_SILENCE_MS = 15_000
_OWNER = f"{socket.gethostname()} {os.getpid()}"
_UNKNOWN = "names no job; list_jobs shows them"

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class JobReport:
    """A job and how far it is."""

    id: str
    kind: str
    state: JobState
    done: int
    total: int
    seconds: float
    error: str = ""
    failures: tuple[str, ...] = ()
    failed: int = 0


@dataclass(slots=True)
class Job:
    """A piece of work: what it is, how far it is, and how it ended."""

    kind: str
    arguments: Arguments | None = None
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    state: JobState = "running"
    done: int = 0
    total: int = 0
    error: str = ""
    cause: Exception | None = None
    failures: list[str] = field(default_factory=list)
    failed: int = 0
    started_ms: int = field(default_factory=lambda: round(time.time() * 1000))
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def fail_at(self, name: str) -> None:
        """Note something that could not be done; the work goes on with the rest."""
        self.failed += 1
        if len(self.failures) < _FAILURES_KEPT:
            self.failures.append(name)

    def report(self) -> JobReport:
        """Say how far the job is."""
        seconds = self.seconds or time.monotonic() - self.started
        return JobReport(
            self.id,
            self.kind,
            self.state,
            self.done,
            self.total,
            round(seconds, 3),
            self.error,
            tuple(self.failures),
            self.failed,
        )


class Jobs:
    """The jobs of one process, noted where other processes see them."""

    def __init__(self, records: JobRecords | None = None) -> None:
        self._records = records
        self._jobs: dict[str, Job] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._begins: dict[str, Begin] = {}

    def teach(self, kind: str, begin: Begin) -> None:
        """Learn how jobs of a kind are begun, so that one that was cut off can be."""
        self._begins[kind] = begin

    def start(
        self,
        kind: str,
        work: Work,
        arguments: Arguments | None = None,
        job_id: str | None = None,
    ) -> Job:
        """Begin the work in the background; it is handed what it reports its progress to.

        A job with arguments can be taken up again by another process after a crash.
        """
        job = Job(kind, arguments)
        job.id = job_id or job.id
        self._jobs[job.id] = job
        self._tasks[job.id] = asyncio.create_task(self._run(job, work))
        for old in [key for key, each in self._jobs.items() if each.state != "running"][:-_KEPT]:
            del self._jobs[old]
        return job

    def all(self) -> list[Job]:
        """List the jobs of this process, oldest first."""
        return list(self._jobs.values())

    async def reports(self) -> list[JobReport]:
        """Say how far the jobs of all processes are, oldest first."""
        records = [] if self._records is None else await self._records.all()
        others = [_report(record) for record in records if record.id not in self._jobs]
        return [*others, *(job.report() for job in self._jobs.values())]

    def get(self, job_id: str) -> Job:
        """Return a job of this process by its id."""
        if job_id not in self._jobs:
            raise ValidationError("job_id", _UNKNOWN)
        return self._jobs[job_id]

    async def wait(self, job: Job, seconds: float, progress: Progress | None = None) -> None:
        """Wait for the end of a job, at most this long; who gives up waiting ends the job."""
        task = self._tasks.get(job.id)
        deadline = time.monotonic() + seconds
        reported = -1
        try:
            while task is not None and not task.done() and time.monotonic() < deadline:
                await asyncio.wait([task], timeout=min(0.2, deadline - time.monotonic()))
                if progress is not None and job.total and job.done != reported:
                    reported = job.done
                    await progress(job.done, job.total)
        except asyncio.CancelledError:
            await self.cancel(job.id)
            raise

    async def finish(self, job: Job, progress: Progress | None = None) -> None:
        """Wait for the end of a job, and raise what it failed with."""
        await self.wait(job, float("inf"), progress)
        if job.cause is not None:
            raise job.cause

    async def cancel(self, job_id: str) -> Job:
        """Give up a job of this process; what it has finished stays."""
        job, task = self.get(job_id), self._tasks.get(job_id)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
            if job.state == "running":  # it had not come to its first step
                self._tasks.pop(job_id, None)
                job.state = "cancelled"
                await self._note(job)
        return job

    async def end(self, job_id: str) -> JobReport:
        """Give up a job, whichever process does it."""
        if job_id in self._jobs:
            return (await self.cancel(job_id)).report()
        records, record = await self._record(job_id)
        if _state(record) == "running":
            await records.end(job_id)
        return _report(record)

    async def resume(self, job_id: str) -> Job:
        """Take up a job that did not come to its end; what it had finished is not done again."""
        job = self._jobs.get(job_id)
        if job is not None and job.state == "running":
            return job
        records, record = await self._record(job_id)
        if _state(record) in ("running", "done"):
            raise ValidationError("job_id", f"names a job that is {record.state}")
        begin, arguments = self._begins.get(record.kind), orjson.loads(record.arguments_json)
        if begin is None or arguments is None:
            way = f"names a job that is not taken up by its id; {record.kind} goes on by itself"
            raise ValidationError("job_id", f"{way} when it is started again")
        await records.welcome(job_id)
        return await begin(arguments, job_id)

    async def close(self) -> None:
        """Give up whatever still runs; it can be taken up again."""
        for job_id in list(self._tasks):
            await self.cancel(job_id)

    async def _record(self, job_id: str) -> tuple[JobRecords, JobRecord]:
        record = None if self._records is None else await self._records.get(job_id)
        if self._records is None or record is None:
            raise ValidationError("job_id", _UNKNOWN)
        return self._records, record

    async def _run(self, job: Job, work: Work) -> None:
        async def report(done: int, total: int) -> None:
            job.done, job.total = done, total

        signs = asyncio.create_task(self._give_signs(job))
        try:
            await self._note(job)
            await work(report)
            job.state = "done"
        except asyncio.CancelledError:
            job.state = "cancelled"
        except Exception as exc:  # noqa: BLE001  (nobody awaits a job: its end is its answer)
            known = isinstance(exc, ZapomniError)
            job.state, job.error = "failed", str(exc) if known else type(exc).__name__
            job.cause = exc
            _log.error("job_failed", job=job.id, kind=job.kind, exc_info=exc)
        finally:
            signs.cancel()
            job.seconds = time.monotonic() - job.started
            self._tasks.pop(job.id, None)
            # Before anything that waits: whoever sees the state may end the server then.
            _log.info("job_ended", job=job.id, kind=job.kind, state=job.state, done=job.done)
            await self._note(job)

    async def _give_signs(self, job: Job) -> None:
        while True:
            await asyncio.sleep(_SIGN_OF_LIFE_S)
            if await self._note(job):
                self._tasks[job.id].cancel()

    async def _note(self, job: Job) -> bool:
        from zapomni_db import StoreError  # noqa: PLC0415  (the driver is slow to import)

        if self._records is None:
            return False
        try:
            is_unwanted = await self._records.note(_record_of(job))
            if job.state != "running":
                await self._forget_old(self._records)
        except StoreError as exc:
            _log.warning("job_not_noted", job=job.id, error=str(exc))  # the work matters more
            return False
        return is_unwanted

    async def _forget_old(self, records: JobRecords) -> None:
        ended = [each.id for each in await records.all() if _state(each) != "running"]
        await records.forget(ended[:-_KEPT])


def _record_of(job: Job) -> JobRecord:
    from zapomni_db import JobRecord  # noqa: PLC0415

    return JobRecord(
        id=job.id,
        kind=job.kind,
        arguments_json=orjson.dumps(job.arguments).decode(),
        state=job.state,
        done=job.done,
        total=job.total,
        error=job.error,
        failures=tuple(job.failures),
        failed=job.failed,
        owner=_OWNER,
        started_ms=job.started_ms,
        seen_ms=round(time.time() * 1000),
    )


def _state(record: JobRecord) -> JobState:
    if record.state == "running" and not _is_alive(record):
        return "interrupted"
    return cast("JobState", record.state)


def _is_alive(record: JobRecord) -> bool:
    host, _, process = record.owner.rpartition(" ")
    if host != socket.gethostname():
        return record.seen_ms >= time.time() * 1000 - _SILENCE_MS
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _report(record: JobRecord) -> JobReport:
    return JobReport(
        record.id,
        record.kind,
        _state(record),
        record.done,
        record.total,
        round((record.seen_ms - record.started_ms) / 1000, 3),
        record.error,
        record.failures,
        record.failed,
    )
