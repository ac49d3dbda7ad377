"""`zapomni jobs`: long work, whichever process does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from zapomni_cli.options import common
from zapomni_cli.output import dim, plain, show, strong
from zapomni_cli.progress import progress_bar
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.jobs import JobReport

__all__ = ["jobs"]

_COLOURS = {"running": "cyan", "done": "green", "failed": "red", "interrupted": "yellow"}


@click.group()
def jobs() -> None:
    """Look at long work of all processes, give it up or take it up again."""


@jobs.command("list")
@common
def list_jobs(workspace: str | None, *, as_json: bool) -> None:
    """List jobs with how far they are, oldest first; the newest that ended are among them."""
    reports = run(lambda engine: engine.jobs(), workspace)
    show(reports, "\n".join(_told(reports)), as_json=as_json)


@jobs.command()
@click.argument("job_id")
@common
def cancel(job_id: str, workspace: str | None, *, as_json: bool) -> None:
    """Give up a job; what it has done stays, and `resume` goes on with the rest."""
    report = run(lambda engine: engine.cancel_job(job_id), workspace)
    told = "It is being given up." if report.state == "running" else f"It is {report.state}."
    show(report, told, as_json=as_json)


@jobs.command()
@click.argument("job_id")
@common
def resume(job_id: str, workspace: str | None, *, as_json: bool) -> None:
    """Take up a job that was cut off or given up, and wait for its end."""

    async def work(engine: MemoryEngine) -> JobReport:
        with progress_bar("Working", is_silent=as_json) as report:
            return await engine.resume_job(job_id, report, patience_s=None)

    ended = run(work, workspace)
    show(ended, "\n".join(_lines(ended)), as_json=as_json)
    if ended.state != "done":
        raise click.exceptions.Exit(1)


def _told(reports: Sequence[JobReport]) -> Iterator[str]:
    if not reports:
        yield "There are no jobs."
    for report in reports:
        yield from _lines(report)


def _lines(report: JobReport) -> Iterator[str]:
    state = click.style(report.state, fg=_COLOURS.get(report.state))
    far = f"{report.done} of {report.total}" if report.total else ""
    about = "  ".join(filter(None, [far, f"{report.seconds:.1f} s"]))
    yield f"{strong(report.id)}  {report.kind}  {state}  {dim(about)}"
    if report.error:
        yield f"  {plain(report.error)}"
    if report.failed:
        yield f"  {report.failed} could not be done"
    yield from (f"    {plain(name)}" for name in report.failures)
