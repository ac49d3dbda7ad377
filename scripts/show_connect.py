"""Print, on standard error, how to connect a client to this installation."""

from __future__ import annotations

import json
import sys
from pathlib import Path

COMMAND = Path(sys.prefix) / "bin" / "zapomni-mcp"


def main() -> None:
    """Print the client configuration."""
    server = {"command": str(COMMAND), "args": ["--transport", "stdio"]}
    block = {"mcpServers": {"zapomni": server}}
    print("Add this to your MCP client's configuration:", file=sys.stderr)
    print(json.dumps(block, indent=2), file=sys.stderr)
    print("Serving on standard input; end with Ctrl-C or Ctrl-D.", file=sys.stderr)


if __name__ == "__main__":
    main()
