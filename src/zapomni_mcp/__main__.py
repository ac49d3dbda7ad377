"""Run the server: `python -m zapomni_mcp`."""

from __future__ import annotations

import argparse

from zapomni_mcp.server import serve_stdio

__all__ = ["main"]


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="zapomni-mcp", description="Serve memory over MCP.")
    parser.add_argument("--transport", choices=["stdio"], default="stdio")
    parser.parse_args()
    serve_stdio()


if __name__ == "__main__":
    main()
