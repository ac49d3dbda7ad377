"""Zapomni over the Model Context Protocol: an adapter without logic of its own."""

from zapomni_mcp.server import MCPServer, ServerStats
from zapomni_mcp.tools import AddMemoryTool, GetStatsTool, MCPTool, SearchMemoryTool

__all__ = [
    "AddMemoryTool",
    "GetStatsTool",
    "MCPServer",
    "MCPTool",
    "SearchMemoryTool",
    "ServerStats",
]
