"""A server with tools that only tests have. Run as a script: `toy_server.py [longest line]`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import Any

import zapomni_mcp.stdio
from zapomni_core import MemoryEngine, configure_logs, load_settings
from zapomni_mcp import MCPServer
from zapomni_mcp.tools import ToolResult

NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}


def answer(text: str) -> ToolResult:
    return {"content": [{"type": "text", "text": text}], "isError": False}


class Toy:
    """A tool without arguments."""

    input_schema = NO_ARGUMENTS

    def __init__(self, name: str, allowed: asyncio.Event) -> None:
        self.name = self.description = name
        self._allowed = allowed

    async def execute(self, _arguments: dict[str, Any]) -> ToolResult:
        """Do what the name says."""
        match self.name:
            case "wait":
                await self._allowed.wait()
                self._allowed.clear()
            case "allow":
                self._allowed.set()
            case "print":
                print("a stray print", flush=True)  # noqa: T201
                os.write(1, b"a stray write\n")
                subprocess.run(["echo", "a stray child"], check=True)  # noqa: ASYNC221
                assert sys.stdin.read() == ""
        return answer(self.name)


async def main() -> None:
    """Serve every tool of Zapomni, and the toys."""
    allowed = asyncio.Event()
    async with MemoryEngine(load_settings()) as engine:
        server = MCPServer(engine)
        server.register_all_tools()
        for name in ("wait", "allow", "print", "echo"):
            server.register_tool(Toy(name, allowed))
        await server.run()


if __name__ == "__main__":
    configure_logs("INFO")
    if len(sys.argv) > 1:
        zapomni_mcp.stdio.MAX_LINE_BYTES = int(sys.argv[1])
    asyncio.run(main())
