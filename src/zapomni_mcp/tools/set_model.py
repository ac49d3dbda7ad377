"""set_model: choose the language model that reads for the knowledge graph."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from mcp_types import ToolAnnotations

from zapomni_mcp.schemas.graph import SetModelRequest, SetModelResponse
from zapomni_mcp.tools.tool import Call, Tool

__all__ = ["SetModelTool"]

_RULES = "the built-in rules alone"


class SetModelTool(Tool[SetModelRequest, SetModelResponse]):
    """Changes the language model while the server runs."""

    name: ClassVar[str] = "set_model"
    title: ClassVar[str] = "Choose the reader"
    description: ClassVar[str] = (
        "Choose the language model of the local Ollama service that reads facts for the knowledge "
        "graph along with the built-in rules, or null for the rules alone. It reads new memories "
        "from now on until the server ends; OLLAMA_LLM_MODEL makes a choice last. Use it only "
        "when the user asks for it."
    )
    annotations: ClassVar[ToolAnnotations] = ToolAnnotations(
        read_only_hint=False,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=False,
    )
    request_model = SetModelRequest
    response_model = SetModelResponse

    async def _ask(self, request: SetModelRequest, call: Call) -> SetModelResponse:
        change = await call.engine.set_language_model(request.model)
        return SetModelResponse(**dataclasses.asdict(change))

    def _text(self, response: SetModelResponse) -> str:
        before, after = response.before or _RULES, response.after or _RULES
        if before == after:
            return f"Facts are read by {after}, as before."
        return (
            f"Facts are now read by {after}, until now by {before}.\n"
            "Memories that were read before are as they were; build_graph reads them again."
        )
