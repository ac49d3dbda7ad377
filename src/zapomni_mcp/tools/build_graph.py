"""build_graph: read memories for people, things and facts."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_core import MemoryEngine, ValidationError
from zapomni_mcp.schemas import BuildGraphRequest, BuildGraphResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["BuildGraphTool"]

_SHOWN = 20


class BuildGraphTool(Tool[BuildGraphRequest, BuildGraphResponse]):
    """Puts what memories say into the knowledge graph."""

    name: ClassVar[str] = "build_graph"
    title: ClassVar[str] = "Understand"
    description: ClassVar[str] = (
        "Read memories for people, organisations, places, technologies, events and facts about "
        "them, and put those into the knowledge graph with the sentences that say so. Give a text "
        "(it becomes a memory, too), the ids of memories, or nothing: then every memory is read "
        "that is not in the graph yet. New memories are read without this, soon after they are "
        "stored. Long work goes on as a job after the answer: graph_status tells how far it is, "
        "cancel_job gives it up."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=False,
    )
    request_model = BuildGraphRequest
    response_model = BuildGraphResponse

    async def _ask(self, request: BuildGraphRequest, call: Call) -> BuildGraphResponse:
        _check_combination(request)
        if request.cancel_job is not None:
            return await _cancel(call.engine, request.cancel_job)
        built = await call.engine.build_graph(
            request.text, request.memory_ids, request.given_metadata(), progress=call.progress
        )
        return BuildGraphResponse(**dataclasses.asdict(built))

    def _text(self, response: BuildGraphResponse) -> str:
        job = response.job
        lines = {
            "running": f"Still at work: {job.done} of {job.total} memories (job {job.id}).",
            "done": f"Memories read: {response.memories}",
            "failed": f"The job {job.id} failed after {job.done} of {job.total} memories.",
            "cancelled": f"The job {job.id} was given up after {job.done} memories.",
        }
        known, new = response.entities_merged, response.entities_created
        told = [
            lines[job.state],
            f"Entities: {new} new, {known} known already",
            f"Facts: {response.facts}; mentions: {response.mentions}; aliases: {response.aliases}",
        ]
        if response.confidence is not None:
            told.append(f"Mean confidence: {response.confidence:.2f}")
        told += [f"- {each.name} ({each.type})" for each in response.entities[:_SHOWN]]
        if len(response.entities) > _SHOWN:
            told.append(f"- and {len(response.entities) - _SHOWN} more")
        return "\n".join(told) + (f"\n\nNote: {response.notice}" if response.notice else "")


async def _cancel(engine: MemoryEngine, job_id: str) -> BuildGraphResponse:
    try:
        built = await engine.cancel_build(job_id)
    except ValidationError as exc:  # by the name that the argument has here
        raise ValidationError("cancel_job", "names no job; graph_status lists them") from exc
    return BuildGraphResponse(**dataclasses.asdict(built))


def _check_combination(request: BuildGraphRequest) -> None:
    """Refuse what would have to be ignored."""
    others = (request.text, request.memory_ids, request.metadata)
    if request.cancel_job is not None and any(other is not None for other in others):
        raise ValidationError("cancel_job", "must be given alone")
    if request.metadata is not None and request.text is None:
        raise ValidationError("metadata", "belongs to a text, and none is given")
