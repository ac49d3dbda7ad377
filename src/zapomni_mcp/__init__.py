"""Zapomni over the Model Context Protocol: an adapter without logic of its own."""

from typing import TYPE_CHECKING

from zapomni_mcp.tools import AddMemoryTool, GetStatsTool, MCPTool, SearchMemoryTool

if TYPE_CHECKING:
    from zapomni_mcp.server import MCPServer, ServerStats

__all__ = [
    "AddMemoryTool",
    "GetStatsTool",
    "MCPServer",
    "MCPTool",
    "SearchMemoryTool",
    "ServerStats",
]


def __getattr__(name: str) -> object:
    # Not imported above: `python -m zapomni_mcp.server` would warn that it already is.
    if name in ("MCPServer", "ServerStats"):
        from zapomni_mcp import server  # noqa: PLC0415

        return getattr(server, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
