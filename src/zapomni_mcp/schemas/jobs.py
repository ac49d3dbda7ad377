"""Requests and answers of the tools for long work."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zapomni_mcp.schemas.forms import Answer, Arguments
from zapomni_mcp.schemas.graph import GraphJob

__all__ = ["ControlJobRequest", "ControlJobResponse", "ListJobsRequest", "ListJobsResponse"]

_NO_ERROR = "Always null: a failed call answers with isError and a text instead"


class ListJobsRequest(Arguments):
    """Arguments of list_jobs: none."""


class ListJobsResponse(Answer):
    """The jobs of every process."""

    status: Literal["success"] = "success"
    jobs: list[GraphJob] = Field(description="Oldest first; of those that ended the newest fifty")
    error: None = Field(default=None, description=_NO_ERROR)


class ControlJobRequest(Arguments):
    """Arguments of control_job."""

    job_id: str = Field(min_length=1, max_length=64, description="Id from list_jobs")
    action: Literal["cancel", "resume"] = Field(
        description="cancel gives it up; resume goes on where it was cut off"
    )


class ControlJobResponse(Answer):
    """The job as it is now."""

    status: Literal["success"] = "success"
    job: GraphJob = Field(description="How far it is")
    error: None = Field(default=None, description=_NO_ERROR)
