"""Tools that only tests have."""

from __future__ import annotations

from typing import Any

import anyio

from zapomni_mcp.tools import ToolResult

NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


class BuggyTool:
    """Raises what no tool should raise."""

    name = "buggy"
    description = "Fail."
    input_schema = NO_ARGUMENTS

    async def execute(self, _arguments: dict[str, Any]) -> ToolResult:
        """Fail."""
        raise RuntimeError("Unexpected bug at /home/user/secret.py")


class EchoTool:
    """Answers at once."""

    name = "echo"
    description = "Answer."
    input_schema = NO_ARGUMENTS

    async def execute(self, _arguments: dict[str, Any]) -> ToolResult:
        """Answer."""
        return {"content": [{"type": "text", "text": "here"}], "isError": False}


class SlowTool:
    """Answers when it is allowed to."""

    name = "slow"
    description = "Wait, then answer."
    input_schema = NO_ARGUMENTS

    def __init__(self) -> None:
        self.started = anyio.Event()
        self.allowed = anyio.Event()

    async def execute(self, _arguments: dict[str, Any]) -> ToolResult:
        """Answer when allowed."""
        self.started.set()
        await self.allowed.wait()
        return {"content": [{"type": "text", "text": "at last"}], "isError": False}
