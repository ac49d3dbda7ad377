"""Long work with an id: it reports how far it is, can be given up, and outlives the call."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

import structlog

from zapomni_core.errors import ValidationError, ZapomniError

__all__ = ["Job", "JobReport", "JobState", "Jobs", "Progress"]

type Progress = Callable[[int, int], Awaitable[None]]
type JobState = Literal["running", "done", "failed", "cancelled"]

_KEPT = 50

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


@dataclass(slots=True)
class Job:
    """A piece of work: what it is, how far it is, and how it ended."""

    kind: str
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    state: JobState = "running"
    done: int = 0
    total: int = 0
    error: str = ""
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def report(self) -> JobReport:
        """Say how far the job is."""
        seconds = self.seconds or time.monotonic() - self.started
        return JobReport(
            self.id, self.kind, self.state, self.done, self.total, round(seconds, 3), self.error
        )


class Jobs:
    """The jobs of one process, the newest of those that ended among them."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, kind: str, work: Callable[[Progress], Awaitable[None]]) -> Job:
        """Begin the work in the background; it is handed what it reports its progress to."""
        job = Job(kind)
        self._jobs[job.id] = job
        self._tasks[job.id] = asyncio.create_task(self._run(job, work))
        for old in [key for key, each in self._jobs.items() if each.state != "running"][:-_KEPT]:
            del self._jobs[old]
        return job

    def all(self) -> list[Job]:
        """List the jobs, oldest first."""
        return list(self._jobs.values())

    def get(self, job_id: str) -> Job:
        """Return a job by its id."""
        if job_id not in self._jobs:
            raise ValidationError("job_id", "names no job of this process")
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

    async def cancel(self, job_id: str) -> Job:
        """Give a job up; what it has finished stays."""
        job, task = self.get(job_id), self._tasks.get(job_id)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        return job

    async def close(self) -> None:
        """Give up whatever still runs."""
        for job_id in list(self._tasks):
            await self.cancel(job_id)

    async def _run(self, job: Job, work: Callable[[Progress], Awaitable[None]]) -> None:
        async def report(done: int, total: int) -> None:
            job.done, job.total = done, total

        try:
            await work(report)
            job.state = "done"
        except asyncio.CancelledError:
            job.state = "cancelled"
        except Exception as exc:  # noqa: BLE001  (nobody awaits a job: its end is its answer)
            known = isinstance(exc, ZapomniError)
            job.state, job.error = "failed", str(exc) if known else type(exc).__name__
            _log.error("job_failed", job=job.id, kind=job.kind, exc_info=exc)
        finally:
            job.seconds = time.monotonic() - job.started
            self._tasks.pop(job.id, None)
            _log.info("job_ended", job=job.id, kind=job.kind, state=job.state, done=job.done)
