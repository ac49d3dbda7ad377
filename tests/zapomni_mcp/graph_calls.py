"""Calls of the graph's tools, checked against the schemas that they promise."""

from __future__ import annotations

from typing import Any

import jsonschema  # type: ignore[import-untyped]
from mcp import Client
from mcp.types import CallToolResult

from tests.zapomni_mcp.answers import structured


async def remember(client: Client, text: str, day: str) -> str:
    metadata = {"timestamp": f"{day}T12:00:00Z", "source": "notes"}
    answer = await client.call_tool("add_memory", {"text": text, "metadata": metadata})
    return str(structured(answer)["memory_id"])


async def ask(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """Call a tool, and check its answer against the schema that it promises."""
    return await checked(client, tool, await client.call_tool(tool, arguments))


async def checked(client: Client, tool: str, answer: CallToolResult) -> dict[str, Any]:
    schemas = {each.name: each.output_schema for each in (await client.list_tools()).tools}
    content = structured(answer)
    jsonschema.Draft202012Validator(
        schemas[tool] or {}, format_checker=jsonschema.FormatChecker()
    ).validate(content)
    return content
