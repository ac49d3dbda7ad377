"""list_jobs: how far long work is."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import GraphJob, ListJobsRequest, ListJobsResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["ListJobsTool", "told"]


class ListJobsTool(Tool[ListJobsRequest, ListJobsResponse]):
    """Shows long work."""

    name: ClassVar[str] = "list_jobs"
    title: ClassVar[str] = "List jobs"
    description: ClassVar[str] = (
        "List long work of every process: building the graph, indexing code, reading documents, "
        "importing. Says how far each is and what could not be done; control_job cancels or "
        "resumes it."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    request_model = ListJobsRequest
    response_model = ListJobsResponse

    async def _ask(self, _request: ListJobsRequest, call: Call) -> ListJobsResponse:
        jobs = [dataclasses.asdict(job) for job in await call.engine.jobs()]
        return ListJobsResponse.model_validate({"jobs": jobs})

    def _text(self, response: ListJobsResponse) -> str:
        return "\n".join(map(told, response.jobs)) or "There are no jobs."


def told(job: GraphJob) -> str:
    """Say in a line how far a job is, and below it what could not be done."""
    reason = f": {job.error}" if job.error else ""
    lines = [f"Job {job.id} ({job.kind}): {job.state}, {job.done} of {job.total}{reason}"]
    lines += [f"  failed: {name}" for name in job.failures]
    if job.failed > len(job.failures):
        lines.append(f"  and {job.failed - len(job.failures)} more")
    return "\n".join(lines)
