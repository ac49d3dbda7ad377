"""Print, on standard error, how to connect a client to this installation."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from zapomni_core import load_settings

COMMAND = Path(sys.prefix) / "bin" / "zapomni-mcp"


def http_block(port: int) -> dict[str, Any]:
    """Return the configuration of a client that connects over HTTP."""
    return {"mcpServers": {"zapomni": {"type": "http", "url": f"http://127.0.0.1:{port}/mcp"}}}


def stdio_block() -> dict[str, Any]:
    """Return the configuration of a client that starts the server by itself."""
    server = {"command": str(COMMAND), "args": ["--transport", "stdio"]}
    return {"mcpServers": {"zapomni": server}}


def main() -> None:
    """Print both."""
    settings = load_settings()
    print("Connect your MCP clients to this server:", file=sys.stderr)
    print(json.dumps(http_block(settings.sse_port), indent=2), file=sys.stderr)
    print("or let a client that knows no HTTP start one of its own:", file=sys.stderr)
    print(json.dumps(stdio_block(), indent=2), file=sys.stderr)
    print("Both share one memory. End with Ctrl-C.", file=sys.stderr)


if __name__ == "__main__":
    main()
