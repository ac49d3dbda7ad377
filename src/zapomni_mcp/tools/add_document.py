"""add_document: read a file, a folder or a long text."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, ClassVar

from mcp_types import ToolAnnotations

from zapomni_core import ValidationError
from zapomni_mcp.schemas import AddDocumentRequest, AddDocumentResponse
from zapomni_mcp.tools.hidden import hidden_line
from zapomni_mcp.tools.tool import Call, Tool

if TYPE_CHECKING:
    from zapomni_core.intake import DocumentsAdded

__all__ = ["AddDocumentTool"]

_SHOWN = 100
_FILES_IN_WORDS = 10
_ORDER = ("failed", "gone", "updated", "added", "skipped", "unchanged")
_GONE = (
    "{} files that were read from here before are gone; their memories stay. If the user wants "
    "them forgotten: prune_memory with kinds gone_files and path {}."
)


class AddDocumentTool(Tool[AddDocumentRequest, AddDocumentResponse]):
    """Remembers documents, section by section."""

    name: ClassVar[str] = "add_document"
    title: ClassVar[str] = "Read a document"
    description: ClassVar[str] = (
        "Read a file or all files of a folder into memory: Markdown, HTML, PDF, Word, EPUB, "
        "e-mail, notebooks, tables, plain text, source code. Or hand in a text with a name. "
        "Every section becomes a memory that search_memory finds and that says where it stands: "
        "source (the path), heading, page, lines. Call it again after a change: files that are "
        "stored already are left alone but for new tags and metadata, and changed ones replace "
        "what they said before. Only files in folders that the user has allowed can be read. The "
        "answer accounts for every file, also for those that are gone; their memories stay. Long "
        "work goes on as a job: list_jobs tells how far it is."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    invalid_form: ClassVar[str] = "Invalid input - {field}: {}"
    request_model = AddDocumentRequest
    response_model = AddDocumentResponse

    async def _ask(self, request: AddDocumentRequest, call: Call) -> AddDocumentResponse:
        if (request.path is None) == (request.text is None):
            raise ValidationError("path", "must be given, or text together with name")
        if (request.text is None) != (request.name is None):
            raise ValidationError("name", "must be given together with text, and only then")
        metadata = request.given_metadata()
        if request.text is not None and request.name is not None:
            added = await call.engine.add_document_text(
                request.text, request.name, metadata=metadata, progress=call.progress
            )
        else:
            added = await call.engine.add_documents(
                [request.path or ""],
                metadata=metadata,
                exclude=request.exclude or (),
                progress=call.progress,
            )
        return _response(added, request.path)

    def _text(self, response: AddDocumentResponse) -> str:
        job = response.job
        states = {
            "running": f"Still at work: {job.done} of {job.total} files (job {job.id}).",
            "failed": f"The job {job.id} failed: {job.error}",
            "cancelled": f"The job {job.id} was given up after {job.done} files.",
        }
        counts = f"{response.added} added, {response.updated} updated"
        lines = [states[job.state]] if job.state in states else []
        lines += [
            f"Files: {counts}, {response.unchanged} unchanged, {response.failed} failed",
            f"Memories: {response.memories_added} added, {response.memories_removed} replaced"
            + (f", {n} got tags and metadata" if (n := response.memories_changed) else ""),
        ]
        lines += [f"Left out, {reason}: {n}" for reason, n in response.skipped.items()]
        failures = [each for each in response.files if each.outcome == "failed"]
        lines += [f"Not read: {f.path}: {f.reason}" for f in failures[:_FILES_IN_WORDS]]
        kept = [each for each in response.files if each.outcome == "unchanged" and each.reason]
        lines += [f"{each.path}: {each.reason}" for each in kept[:_FILES_IN_WORDS]]
        gone = [each for each in response.files if each.outcome == "gone"]
        lines += [f"Gone: {each.path}" for each in gone[:_FILES_IN_WORDS]]
        lines += [f"Note: {response.notice}"] if response.gone and response.notice else []
        return "\n".join(lines) + hidden_line(response.secrets_hidden)


def _response(added: DocumentsAdded, path: str | None) -> AddDocumentResponse:
    files = sorted(added.files, key=lambda each: _ORDER.index(each.outcome))
    given = dataclasses.asdict(dataclasses.replace(added, files=tuple(files[:_SHOWN])))
    if added.gone and added.notice is None:
        given["notice"] = _GONE.format(added.gone, path)
    return AddDocumentResponse.model_validate(
        given | {"files_not_shown": max(0, len(files) - _SHOWN)}
    )
