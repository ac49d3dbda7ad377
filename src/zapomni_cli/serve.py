"""`zapomni serve`: the server that clients talk to."""

from __future__ import annotations

import os

import click

from zapomni_cli.options import workspace_option

__all__ = ["serve"]


@click.command()
@click.option("--stdio", is_flag=True, help="Serve the one client that has started this process.")
@click.option("--host", help="Address to listen on (default: ZAPOMNI_SSE_HOST).")
@click.option("--port", type=int, help="Port to listen on (default: ZAPOMNI_SSE_PORT).")
@workspace_option
def serve(host: str | None, port: int | None, workspace: str | None, *, stdio: bool) -> None:
    """Serve the memory over HTTP to any number of clients, until you press Ctrl+C."""
    if workspace is not None:
        # The server reads its settings by itself.
        os.environ["ZAPOMNI_WORKSPACE"] = workspace
    # Each transport imports only what it needs: a host waits for the stdio handshake.
    if stdio:
        if host is not None or port is not None:
            raise click.UsageError("--host and --port are for HTTP, not for --stdio.")
        from zapomni_mcp.server import serve_stdio  # noqa: PLC0415

        serve_stdio()
    from zapomni_mcp.serving import serve_http  # noqa: PLC0415

    serve_http(host, port)
