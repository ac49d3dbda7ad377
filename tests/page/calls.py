"""Call a tool of a running server, as an agent would beside the page."""

from __future__ import annotations

from typing import Any

import anyio
from mcp import Client

__all__ = ["call", "remember"]


def call(url: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Return the structured answer."""

    async def ask() -> dict[str, Any]:
        async with Client(f"{url}/mcp") as client:
            answer = await client.call_tool(tool, arguments)
        assert answer.structured_content is not None, answer
        return dict(answer.structured_content)

    return anyio.run(ask)


def remember(url: str, text: str, **metadata: Any) -> str:
    """Store a memory and return its id."""
    return str(call(url, "add_memory", text=text, metadata=metadata)["memory_id"])
