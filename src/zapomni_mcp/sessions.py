"""What each client has chosen for the rest of its connection."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from mcp.server.session import ServerSession

__all__ = ["Session", "Sessions"]


@dataclass(slots=True)
class Session:
    """The choices of one client; no workspace means that of the server."""

    workspace: str | None = None


class Sessions:
    """The sessions of a server; one that has ended is forgotten."""

    def __init__(self) -> None:
        self._by_channel: WeakKeyDictionary[object, Session] = WeakKeyDictionary()

    def of(self, session: ServerSession) -> Session | None:
        """Return the session of a request; None if each request stands for itself."""
        # The SDK (2.3) makes its own session and, since the protocol of 2026, its connection anew
        # for each request. Only the channel back to the client lives as long as the client is
        # connected, and a request without one comes alone.
        connection = session._connection  # noqa: SLF001
        if not connection.has_standalone_channel:
            return None
        return self._by_channel.setdefault(connection.outbound, Session())
