"""Tools that need only their arguments: they are registered like the tools of the product."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import mcp_types as types
from pydantic import BaseModel

from tests.conformance.contents import audio, embedded, image, text
from zapomni_core import MemoryEngine
from zapomni_mcp.tools import Call, MCPTool, Tool, ToolResult

__all__ = ["plain_tools"]

_NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}
_ALL_OF_JSON_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
_MIRRORED_IN_A_HEADER: dict[str, Any] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
}


@dataclass(frozen=True, slots=True)
class FixedTool:
    """Always gives the same answer."""

    name: str
    description: str
    answer: tuple[types.ContentBlock, ...]
    input_schema: dict[str, Any] = field(default_factory=lambda: _NO_ARGUMENTS)

    async def execute(self, _arguments: dict[str, Any]) -> ToolResult:
        """Answer."""
        return types.CallToolResult(content=list(self.answer)).model_dump(by_alias=True)


class FailingTool:
    """Has a bug."""

    name = "test_error_handling"
    description = "Fail."
    input_schema = _NO_ARGUMENTS

    async def execute(self, _arguments: dict[str, Any]) -> ToolResult:
        """Fail."""
        raise RuntimeError("This tool fails on purpose")


class Nothing(BaseModel):
    """No arguments."""


class Finished(BaseModel):
    """Says how far the work has come."""

    percent: int


class GradualTool(Tool[Nothing, Finished]):
    """Reports how far it has come."""

    name: ClassVar[str] = "test_tool_with_progress"
    title: ClassVar[str] = "Progress"
    description: ClassVar[str] = "Report progress at 0, 50 and 100 percent."
    annotations: ClassVar[types.ToolAnnotations] = types.ToolAnnotations(read_only_hint=True)
    request_model = Nothing
    response_model = Finished

    async def _ask(self, _request: Nothing, call: Call) -> Finished:
        assert call.progress is not None
        for percent in (0, 50, 100):
            await call.progress(percent, 100)
        return Finished(percent=100)

    def _text(self, response: Finished) -> str:
        return f"{response.percent} percent done"


def plain_tools(engine: MemoryEngine) -> list[MCPTool]:
    """Return the tools that the scenarios call and that need no word with the client."""
    numbers = embedded("test://mixed-content-resource", '{"value": 123}', "application/json")
    note = embedded("test://embedded-resource", "A resource inside an answer")
    done = (text("Done"),)
    return [
        FixedTool("test_simple_text", "Return text.", (text("Simple text"),)),
        FixedTool("test_image_content", "Return a picture.", (image(),)),
        FixedTool("test_audio_content", "Return a sound.", (audio(),)),
        FixedTool("test_embedded_resource", "Return a resource.", (note,)),
        FixedTool(
            "test_multiple_content_types",
            "Return text, a picture and a resource.",
            (text("Three kinds of content"), image(), numbers),
        ),
        FixedTool("json_schema_2020_12_tool", "Have a rich schema.", done, _ALL_OF_JSON_SCHEMA),
        FixedTool("test_header_tool", "Have a header.", done, _MIRRORED_IN_A_HEADER),
        FailingTool(),
        GradualTool(engine),
    ]
