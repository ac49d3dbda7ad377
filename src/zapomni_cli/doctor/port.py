"""Look at the port of the HTTP server."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from zapomni_cli.doctor.findings import Finding, ok, warning
from zapomni_cli.serverport import find_server

if TYPE_CHECKING:
    from zapomni_core import Settings

__all__ = ["check_port"]


def check_port(settings: Settings) -> Finding:
    """See who listens there."""
    if settings.sse_port == 0:
        return ok("port", "The server takes a free port.")
    server = find_server(settings.sse_host, settings.sse_port)
    match server.state:
        case "none":
            return ok("port", f"{server.url} is free; `zapomni serve` listens there.")
        case "other":
            message = f"Another program listens at {server.url}, so `zapomni serve` cannot."
            return warning("port", message, "set ZAPOMNI_SSE_PORT to another port")
    if server.version != version("zapomni"):
        message = f"The Zapomni at {server.url} is of another version, {server.version}."
        return warning("port", message, "start that server again")
    if not server.is_healthy:
        message = f"The Zapomni at {server.url} does not reach its database."
        return warning("port", message, "start that server again")
    return ok("port", f"Zapomni {server.version} answers at {server.url}.")
