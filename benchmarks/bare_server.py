"""The least an MCP server can do with the same SDK: three tools that answer at once."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

_NAMES = ("add_memory", "search_memory", "get_stats")


async def _list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[types.Tool(name=name, input_schema={"type": "object"}) for name in _NAMES]
    )


async def _call_tool(_context: Any, _params: Any) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text="done")])


async def main() -> None:
    """Serve standard input."""
    server: Server[Any] = Server("bare", on_list_tools=_list_tools, on_call_tool=_call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
