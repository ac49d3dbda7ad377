"""The tools that an agent can call."""

from zapomni_mcp.tools.add_document import AddDocumentTool
from zapomni_mcp.tools.add_memory import AddMemoryTool
from zapomni_mcp.tools.build_graph import BuildGraphTool
from zapomni_mcp.tools.clear_all import ClearAllTool
from zapomni_mcp.tools.code_overview import CodeOverviewTool
from zapomni_mcp.tools.code_status import CodeStatusTool
from zapomni_mcp.tools.control_job import ControlJobTool
from zapomni_mcp.tools.create_workspace import CreateWorkspaceTool
from zapomni_mcp.tools.delete_memory import DeleteMemoryTool
from zapomni_mcp.tools.delete_workspace import DeleteWorkspaceTool
from zapomni_mcp.tools.export_graph import ExportGraphTool
from zapomni_mcp.tools.get_call_graph import GetCallGraphTool
from zapomni_mcp.tools.get_memory import GetMemoryTool
from zapomni_mcp.tools.get_related import GetRelatedTool
from zapomni_mcp.tools.get_stats import GetStatsTool
from zapomni_mcp.tools.get_symbol import GetSymbolTool
from zapomni_mcp.tools.graph_status import GraphStatusTool
from zapomni_mcp.tools.index_codebase import IndexCodebaseTool
from zapomni_mcp.tools.keep_fact import KeepFactTool
from zapomni_mcp.tools.list_jobs import ListJobsTool
from zapomni_mcp.tools.list_memories import ListMemoriesTool
from zapomni_mcp.tools.list_workspaces import ListWorkspacesTool
from zapomni_mcp.tools.prune_memory import PruneMemoryTool
from zapomni_mcp.tools.search_code import SearchCodeTool
from zapomni_mcp.tools.search_memory import SearchMemoryTool
from zapomni_mcp.tools.set_current_workspace import SetCurrentWorkspaceTool
from zapomni_mcp.tools.set_model import SetModelTool
from zapomni_mcp.tools.tool import Call, MCPTool, Progress, Tool, ToolResult, error_result
from zapomni_mcp.tools.update_memory import UpdateMemoryTool

# In the order in which clients list them.
TOOLS = (
    AddMemoryTool,
    SearchMemoryTool,
    GetStatsTool,
    GetMemoryTool,
    ListMemoriesTool,
    UpdateMemoryTool,
    DeleteMemoryTool,
    ClearAllTool,
    PruneMemoryTool,
    AddDocumentTool,
    BuildGraphTool,
    GetRelatedTool,
    GraphStatusTool,
    ExportGraphTool,
    KeepFactTool,
    SetModelTool,
    IndexCodebaseTool,
    SearchCodeTool,
    GetSymbolTool,
    GetCallGraphTool,
    CodeOverviewTool,
    CodeStatusTool,
    ListJobsTool,
    ControlJobTool,
    ListWorkspacesTool,
    CreateWorkspaceTool,
    SetCurrentWorkspaceTool,
    DeleteWorkspaceTool,
)

__all__ = [
    "TOOLS",
    "AddDocumentTool",
    "AddMemoryTool",
    "BuildGraphTool",
    "Call",
    "ClearAllTool",
    "CodeOverviewTool",
    "CodeStatusTool",
    "ControlJobTool",
    "CreateWorkspaceTool",
    "DeleteMemoryTool",
    "DeleteWorkspaceTool",
    "ExportGraphTool",
    "GetCallGraphTool",
    "GetMemoryTool",
    "GetRelatedTool",
    "GetStatsTool",
    "GetSymbolTool",
    "GraphStatusTool",
    "IndexCodebaseTool",
    "KeepFactTool",
    "ListJobsTool",
    "ListMemoriesTool",
    "ListWorkspacesTool",
    "MCPTool",
    "Progress",
    "PruneMemoryTool",
    "SearchCodeTool",
    "SearchMemoryTool",
    "SetCurrentWorkspaceTool",
    "SetModelTool",
    "Tool",
    "ToolResult",
    "UpdateMemoryTool",
    "error_result",
]
