"""index_codebase: read the source code of a folder."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_core import ValidationError
from zapomni_mcp.schemas import IndexCodebaseRequest, IndexCodebaseResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["IndexCodebaseTool"]


class IndexCodebaseTool(Tool[IndexCodebaseRequest, IndexCodebaseResponse]):
    """Brings the index of a repository up to date."""

    name: ClassVar[str] = "index_codebase"
    title: ClassVar[str] = "Read code"
    description: ClassVar[str] = (
        "Read the source code of a folder: every function, class and call, in more than twenty "
        "languages. Afterwards search_code finds code by name or meaning, get_call_graph tells "
        "who calls what, get_symbol shows one definition, and code_overview the whole. Call it "
        "again to take in changes; only changed files are read. Files in .gitignore, binaries, "
        "generated files and files of secrets are left out, and the answer says which. Only "
        "folders that the user has allowed can be read. Long work goes on as a job after the "
        "answer: code_status tells how far it is, cancel_job gives it up."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    invalid_form: ClassVar[str] = "Invalid input - {field}: {}"
    request_model = IndexCodebaseRequest
    response_model = IndexCodebaseResponse

    async def _ask(self, request: IndexCodebaseRequest, call: Call) -> IndexCodebaseResponse:
        if (request.path is None) == (request.cancel_job is None):
            raise ValidationError("path", "must be given, or cancel_job alone")
        if request.path is None:
            done = await call.engine.cancel_indexing(str(request.cancel_job))
        else:
            done = await call.engine.index_codebase(
                request.path,
                languages=request.languages,
                exclude=request.exclude,
                is_full=request.full,
                progress=call.progress,
            )
        return IndexCodebaseResponse(**dataclasses.asdict(done))

    def _text(self, response: IndexCodebaseResponse) -> str:
        job = response.job
        states = {
            "running": f"Still at work: {job.done} of {job.total} files (job {job.id}).",
            "done": f"Indexed {response.repository} in {job.seconds:.1f} s.",
            "failed": f"The job {job.id} failed: {job.error}",
            "cancelled": f"The job {job.id} was given up after {job.done} files.",
        }
        languages = ", ".join(f"{name} {n}" for name, n in response.languages.items())
        lines = [
            states[job.state],
            f"Files: {response.indexed} read, {response.unchanged} unchanged, "
            f"{response.removed} gone" + (f" ({languages})" if languages else ""),
            f"Symbols: {response.symbols}; calls: {response.calls}",
            f"Calls to somewhere unknown: {response.unresolved}",
        ]
        lines += [f"Left out, {reason}: {n}" for reason, n in response.skipped.items()]
        if response.secrets_hidden:
            lines.append(f"Secrets blacked out: {response.secrets_hidden}")
        return "\n".join(lines) + (f"\n\nNote: {response.notice}" if response.notice else "")
