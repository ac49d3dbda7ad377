"""Arguments and answers of the tools for the knowledge graph."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from zapomni_core import MAX_DEPTH, MAX_LIMIT, MAX_NAME_CHARS, MAX_TEXT_CHARS
from zapomni_mcp.schemas.forms import Answer, Arguments
from zapomni_mcp.schemas.requests import MemoryMetadata, given_metadata

__all__ = [
    "BuildGraphRequest",
    "BuildGraphResponse",
    "ExportGraphRequest",
    "ExportGraphResponse",
    "GetRelatedRequest",
    "GetRelatedResponse",
    "GraphEntity",
    "GraphEvidence",
    "GraphJob",
    "GraphRelation",
    "GraphStatusRequest",
    "GraphStatusResponse",
    "KeepFactRequest",
    "KeepFactResponse",
    "SetModelRequest",
    "SetModelResponse",
]

_DEFAULT_RELATIONS = 20
_FORMATS = ("graphml", "cytoscape", "cypher", "jsonld", "json")
_NO_ERROR = "Always null: a failed call answers with isError and a text instead"


def _given_depth(value: object) -> object:
    # Many clients send null for what they mean to leave out.
    return 1 if value is None else value


def _given_relations(value: object) -> object:
    return _DEFAULT_RELATIONS if value is None else value


def _given_format(value: object) -> object:
    if value is not None and value not in _FORMATS:
        raise ValueError(f"must be one of {', '.join(_FORMATS)}")
    return "json" if value is None else value


def _given_keep(value: object) -> object:
    return True if value is None else value


def _without_nul(value: str) -> str:
    if "\0" in value:
        raise ValueError("must not contain NUL characters")
    return value


# The engine checks it, in words that say what a name may have.
type FileName = Annotated[
    str, WithJsonSchema({"type": "string", "pattern": r"^[\w-][\w.-]{0,99}$"})
]


class BuildGraphRequest(Arguments):
    """Arguments of build_graph."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_CHARS)] | None = (
        Field(
            default=None,
            description="Text to read; it becomes a memory, unless the same text was read before",
        )
    )
    memory_ids: list[str] | None = Field(
        default=None,
        description="Memories to read again, by their UUIDs; without text and ids, every memory "
        "that is not in the graph yet",
    )
    metadata: MemoryMetadata | None = Field(
        default=None, description="Metadata of the text, as in add_memory"
    )
    cancel_job: str | None = Field(
        default=None, description="Id of a running job to give up; what it has done stays"
    )

    def given_metadata(self) -> dict[str, object]:
        """Return the metadata as it was given."""
        return given_metadata(self.metadata)


class GetRelatedRequest(Arguments):
    """Arguments of get_related."""

    entity: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS)] = Field(
        description="Name of a person or thing, in any usual spelling, or its id"
    )
    depth: Annotated[int, Field(ge=1, le=MAX_DEPTH), BeforeValidator(_given_depth)] = Field(
        default=1, description=f"How many steps to go, 1 (what is said of it) to {MAX_DEPTH}"
    )
    relations: list[str] | None = Field(
        default=None,
        description="Only these relations, e.g. 'works_at', 'lives_in', 'mentioned_with'",
    )
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT), BeforeValidator(_given_relations)] = Field(
        default=_DEFAULT_RELATIONS, description=f"Maximum relations to return (1-{MAX_LIMIT})"
    )
    as_of: str | None = Field(
        default=None,
        description="Answer with what had been said by then (ISO 8601 date, its end, or time); "
        "now if left out",
    )


class GraphStatusRequest(Arguments):
    """Arguments of graph_status: none."""


class ExportGraphRequest(Arguments):
    """Arguments of export_graph."""

    format: Annotated[
        Literal["graphml", "cytoscape", "cypher", "jsonld", "json"], BeforeValidator(_given_format)
    ] = Field(default="json", description="Format to write")
    file_name: FileName | None = Field(
        default=None,
        description="Write into a file of this name in the folder 'exports' of the data folder "
        "instead of returning the content; a file of that name is replaced",
    )


class GraphEntity(Answer):
    """A person or thing."""

    id: str = Field(description="Id of the entity")
    name: str = Field(description="Name as it is written most often")
    type: str = Field(
        description="person, organisation, place, technology, event, work, date, concept or "
        "reference"
    )
    mentions: int = Field(ge=0, description="Number of texts that name it")
    aliases: list[str] = Field(default_factory=list, description="Other names for it")


class GraphEvidence(Answer):
    """Where it is said."""

    memory_id: str = Field(description="UUID of the memory")
    text: str = Field(description="The sentence")
    source: str = Field(description="Source of the memory")
    timestamp: datetime = Field(description="When the memory was said or stored")


class GraphRelation(Answer):
    """One relation."""

    entity: GraphEntity = Field(description="What it leads to")
    predicate: str = Field(description="Relation of the last step")
    is_outgoing: bool = Field(description="False if the last step runs against the relation")
    depth: int = Field(ge=1, description="Number of steps")
    path: list[str] = Field(
        description="Names and relations from the start to the end; ← marks a step against the "
        "relation"
    )
    confidence: float = Field(ge=0.0, le=1.0, description="How sure the reading is, 1 is certain")
    strength: int = Field(
        ge=0, description="Number of memories that say so, or of texts that name both"
    )
    status: Literal["current", "ended", "superseded", "conflicting", "upcoming"] = Field(
        description="current, ended, superseded, conflicting or upcoming, as of the time asked for"
    )
    fact_id: str | None = Field(description="Id of the fact; null if both are only named together")
    since: datetime | None = Field(description="Since when it holds, if that is said")
    until: datetime | None = Field(
        description="Until when it holds, if that is said or something has replaced it"
    )
    said: datetime | None = Field(description="When it was last said")
    why: str | None = Field(description="Why it does not hold, or not surely; null if it does")
    evidence: list[GraphEvidence] = Field(
        description="Sentences that say so or name both, newest first, at most 3"
    )


class GetRelatedResponse(Answer):
    """What is known about an entity."""

    status: Literal["success"] = "success"
    entity: GraphEntity | None = Field(description="What was asked for; null if it is not known")
    relations: list[GraphRelation] = Field(
        description="What is known: nearest first, facts before shared texts, what holds before "
        "what held"
    )
    suggestions: list[str] = Field(description="Names that come close, if it is not known")
    as_of: datetime | None = Field(description="The time that was asked for; null means now")
    notice: str | None = Field(description="In what way the answer may be incomplete, if so")
    error: None = Field(default=None, description=_NO_ERROR)


class GraphJob(Answer):
    """A job and how far it is."""

    id: str = Field(description="Id of the job")
    kind: str = Field(description="What it does")
    state: Literal["running", "done", "failed", "cancelled", "interrupted"] = Field(
        description="How it is; interrupted if its process has ended before it"
    )
    done: int = Field(ge=0, description="Memories or files that it has read")
    total: int = Field(ge=0, description="Those that it is to read, as far as it knows")
    seconds: float = Field(ge=0.0, description="How long it has taken")
    error: str = Field(default="", description="Why it failed, if it did")
    failures: list[str] = Field(default=[], description="What could not be done, by name")
    failed: int = Field(default=0, ge=0, description="How many could not be done")


class BuildGraphResponse(Answer):
    """What was added to the graph."""

    status: Literal["success"] = "success"
    job: GraphJob = Field(description="The job that reads; it goes on if it is still running")
    memories: int = Field(ge=0, description="Memories that were read")
    entities_created: int = Field(ge=0, description="Entities that are new")
    entities_merged: int = Field(ge=0, description="Entities that were known already")
    mentions: int = Field(ge=0, description="New places where a text names an entity")
    facts: int = Field(ge=0, description="New statements of facts")
    aliases: int = Field(ge=0, description="New short names for longer ones")
    confidence: float | None = Field(description="Mean confidence of all that was found")
    entities: list[GraphEntity] = Field(
        description="Entities of the given text; empty if no text was given"
    )
    notice: str | None = Field(description="What went wrong or was left out, if anything")
    error: None = Field(default=None, description=_NO_ERROR)


class GraphStatusResponse(Answer):
    """The state of the graph."""

    status: Literal["success"] = "success"
    entities: int = Field(ge=0, description="People and things in the graph")
    entities_by_type: dict[str, int] = Field(description="How many there are of each type")
    facts: int = Field(ge=0, description="Facts, each counted once however often it is said")
    mentions: int = Field(ge=0, description="Pairs of a text and an entity that it names")
    aliases: int = Field(ge=0, description="Short names for longer ones")
    density: float = Field(ge=0.0, description="Facts for each possible pair of entities")
    largest_component: int = Field(
        ge=0, description="Entities in the largest part that facts connect"
    )
    top_entities: list[GraphEntity] = Field(description="Entities that most texts name")
    memories_built: int = Field(ge=0, description="Memories that are in the graph")
    memories_total: int = Field(ge=0, description="Memories stored")
    extractor: str = Field(description="What reads; another one reads everything again")
    jobs: list[GraphJob] = Field(description="Jobs of this server, oldest first")
    error: None = Field(default=None, description=_NO_ERROR)


class ExportGraphResponse(Answer):
    """An exported graph."""

    status: Literal["success"] = "success"
    format: str = Field(description="Format that was written")
    entities: int = Field(ge=0, description="Entities that were written")
    facts: int = Field(ge=0, description="Facts that were written")
    content: str | None = Field(description="The file's content, if no file_name was given")
    path: str | None = Field(description="Where the file is, if file_name was given")
    error: None = Field(default=None, description=_NO_ERROR)


class KeepFactRequest(Arguments):
    """Arguments of keep_fact."""

    fact_id: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_NAME_CHARS, strip_whitespace=True),
        AfterValidator(_without_nul),
    ] = Field(description="Id of the fact, as get_related shows it")
    keep: Annotated[bool, BeforeValidator(_given_keep)] = Field(
        default=True, description="True lets no newer fact replace it, false takes that back"
    )


class KeepFactResponse(Answer):
    """Whether a fact is kept."""

    status: Literal["success"] = "success"
    fact_id: str = Field(description="Id of the fact")
    is_kept: bool = Field(description="True if no newer fact replaces it")
    error: None = Field(default=None, description=_NO_ERROR)


class SetModelRequest(Arguments):
    """Arguments of set_model."""

    model: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS)] | None = (
        Field(
            default=None,
            description="Name of a language model of Ollama, such as 'llama3.2:3b'; if left out, "
            "the built-in rules read alone",
        )
    )


class SetModelResponse(Answer):
    """Which language model reads."""

    status: Literal["success"] = "success"
    before: str | None = Field(description="Model that has read until now; null if none has")
    after: str | None = Field(description="Model that reads from now on; null if none does")
    error: None = Field(default=None, description=_NO_ERROR)
