"""Run the server: `python -m zapomni_mcp`."""

from __future__ import annotations

import argparse

__all__ = ["main"]


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="zapomni-mcp", description="Serve memory over MCP.")
    parser.add_argument(
        "--transport",
        choices=["sse", "stdio"],
        default="sse",
        help="sse: HTTP for many clients (default); stdio: one client that starts this process",
    )
    parser.add_argument("--host", help="address to listen on (default: ZAPOMNI_SSE_HOST)")
    parser.add_argument("--port", type=int, help="port to listen on (default: ZAPOMNI_SSE_PORT)")
    arguments = parser.parse_args()
    # Each transport imports only what it needs: a host waits for the stdio handshake.
    if arguments.transport == "stdio":
        from zapomni_mcp.server import serve_stdio  # noqa: PLC0415

        serve_stdio()
    from zapomni_mcp.serving import serve_http  # noqa: PLC0415

    serve_http(arguments.host, arguments.port)


if __name__ == "__main__":
    main()
