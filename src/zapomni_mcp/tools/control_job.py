"""control_job: give long work up, or take it up again."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import ControlJobRequest, ControlJobResponse
from zapomni_mcp.tools.list_jobs import told
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["ControlJobTool"]


class ControlJobTool(Tool[ControlJobRequest, ControlJobResponse]):
    """Cancels and resumes."""

    name: ClassVar[str] = "control_job"
    title: ClassVar[str] = "Control a job"
    description: ClassVar[str] = (
        "Cancel a running job, or resume one that was cut off, cancelled or failed; what it has "
        "done stays done."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False, destructive_hint=False, open_world_hint=False
    )
    request_model = ControlJobRequest
    response_model = ControlJobResponse

    async def _ask(self, request: ControlJobRequest, call: Call) -> ControlJobResponse:
        if request.action == "cancel":
            job = await call.engine.cancel_job(request.job_id)
        else:
            job = await call.engine.resume_job(request.job_id, call.progress)
        return ControlJobResponse.model_validate({"job": dataclasses.asdict(job)})

    def _text(self, response: ControlJobResponse) -> str:
        return told(response.job)
