"""The tools that an agent can call."""

from zapomni_mcp.tools.add_memory import AddMemoryTool
from zapomni_mcp.tools.get_stats import GetStatsTool
from zapomni_mcp.tools.search_memory import SearchMemoryTool
from zapomni_mcp.tools.tool import MCPTool, Progress, Tool, ToolResult, error_result

__all__ = [
    "AddMemoryTool",
    "GetStatsTool",
    "MCPTool",
    "Progress",
    "SearchMemoryTool",
    "Tool",
    "ToolResult",
    "error_result",
]
