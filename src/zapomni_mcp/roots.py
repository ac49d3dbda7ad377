"""Ask a client which folders its user works in."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import unquote, urlsplit

import mcp_types as types
import structlog
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError

__all__ = ["folders_of"]

# A client that has the capability answers from memory; one that hangs must not block the call.
_PATIENCE_S = 2.0

_log = structlog.get_logger()


async def folders_of(session: ServerSession) -> list[Path]:
    """List the folders that a client has as roots; none if it does not know of roots."""
    if not session.check_client_capability(
        types.ClientCapabilities(roots=types.RootsCapability())
    ):
        return []
    try:
        # Not `session.list_roots`: it warns that roots are to go, and older clients have them.
        async with asyncio.timeout(_PATIENCE_S):
            answer = await session.send_request(types.ListRootsRequest(), types.ListRootsResult)
    except (TimeoutError, MCPError) as exc:
        _log.warning("roots_not_listed", error=type(exc).__name__)
        return []
    urls = [urlsplit(str(root.uri)) for root in answer.roots]
    return [Path(unquote(url.path)) for url in urls if url.scheme == "file"]
