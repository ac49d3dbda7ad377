"""What the engine can be asked about long work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zapomni_core.opening import Opening

if TYPE_CHECKING:
    from zapomni_core.jobs import JobReport, Progress

__all__ = ["JobsEngine"]

# A client waits this long for an answer; the job goes on after it.
_PATIENCE_S = 20.0


class JobsEngine(Opening):
    """Shows long work, gives it up and takes it up again."""

    async def jobs(self) -> list[JobReport]:
        """Say how far the jobs of all processes are, oldest first; the newest that ended too."""
        async with self._working() as workspace:
            return await workspace.jobs.reports()

    async def cancel_job(self, job_id: str) -> JobReport:
        """Give up a job; what it has done stays. Another process hears of it within a second."""
        async with self._working() as workspace:
            return await workspace.jobs.end(job_id)

    async def resume_job(
        self,
        job_id: str,
        progress: Progress | None = None,
        *,
        patience_s: float | None = _PATIENCE_S,
    ) -> JobReport:
        """Take up a job that was cut off or given up, under its id, and wait a while."""
        async with self._working() as workspace:
            job = await workspace.resume_job(job_id)
            seconds = float("inf") if patience_s is None else patience_s
            await workspace.jobs.wait(job, seconds, progress)
        return job.report()
