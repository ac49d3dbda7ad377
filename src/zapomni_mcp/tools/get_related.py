"""get_related: what is known about somebody or something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas import (
    GetRelatedRequest,
    GetRelatedResponse,
    GraphEntity,
    GraphEvidence,
    GraphRelation,
)
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["GetRelatedTool"]


class GetRelatedTool(Tool[GetRelatedRequest, GetRelatedResponse]):
    """Walks the knowledge graph."""

    name: ClassVar[str] = "get_related"
    title: ClassVar[str] = "What is known about"
    description: ClassVar[str] = (
        "Tell what is known about a person, place, organisation, technology or any other name: "
        "facts with the sentences that say so, since when they hold and what has replaced them, "
        "and what else is named in the same texts. Use it when a question is about one name; "
        "search_memory finds whole texts. as_of asks for what was known at an earlier time, depth "
        "above 1 goes on from what was found."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=True, idempotent_hint=True, open_world_hint=False
    )
    invalid_form: ClassVar[str] = "Invalid input - {field}: {}"
    request_model = GetRelatedRequest
    response_model = GetRelatedResponse

    async def _ask(self, request: GetRelatedRequest, call: Call) -> GetRelatedResponse:
        found = await call.engine.get_related(
            request.entity,
            depth=request.depth,
            relations=request.relations or None,
            limit=request.limit,
            as_of=request.as_of,
        )
        # `asdict` would copy every text and time of it: ten times as long.
        return GetRelatedResponse.model_validate(found, from_attributes=True)

    def _text(self, response: GetRelatedResponse) -> str:
        notice = f"\n\nNote: {response.notice}" if response.notice else ""
        if response.entity is None:
            close = ", ".join(response.suggestions)
            hint = f" Names that come close: {close}." if close else ""
            return f"Nothing is known under that name.{hint}{notice}"
        head = _introduced(response.entity)
        return "\n".join([head, *map(_told, response.relations)]) + notice


def _introduced(entity: GraphEntity) -> str:
    also = f", also called {', '.join(entity.aliases)}" if entity.aliases else ""
    texts = "1 text" if entity.mentions == 1 else f"{entity.mentions} texts"
    return f"{entity.name} ({entity.type}){also}: named in {texts}"


def _told(relation: GraphRelation) -> str:
    marks = [f"confidence {relation.confidence:.2f}"]
    if relation.since:
        marks.append(f"since {relation.since:%Y-%m-%d}")
    if relation.until:
        marks.append(f"until {relation.until:%Y-%m-%d}")
    if relation.status == "superseded":
        marks.append(f"fact_id {relation.fact_id}")
    if relation.status != "current":
        marks.append(f"{relation.status}: {relation.why}" if relation.why else relation.status)
    said = [f"    {_quoted(evidence)}" for evidence in relation.evidence[:1]]
    return "\n".join([f"- {_sentences(relation.path)} [{'; '.join(marks)}]", *said])


def _sentences(path: Sequence[str]) -> str:
    """Tell each step of a path from its subject to its object."""
    told = []
    for here, predicate, there in zip(path[::2], path[1::2], path[2::2], strict=False):
        relation = predicate.removeprefix("←").replace("_", " ")
        ends = (there, here) if predicate.startswith("←") else (here, there)
        told.append(f"{ends[0]} {relation} {ends[1]}")
    return ", ".join(told)


def _quoted(evidence: GraphEvidence) -> str:
    origin = ", ".join(filter(None, (f"{evidence.timestamp:%Y-%m-%d}", evidence.source)))
    return f'"{evidence.text}" ({origin})'
