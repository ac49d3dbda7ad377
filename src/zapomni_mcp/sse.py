"""The HTTP+SSE transport: one stream per client, messages posted beside it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from uuid import UUID

import structlog
from anyio import BrokenResourceError, ClosedResourceError
from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from sse_starlette import EventSourceResponse
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from zapomni_mcp.activity import Activity, busy

__all__ = ["HEARTBEAT_S", "SseSessions"]

HEARTBEAT_S = 30
_LONGEST_LAST_REQUEST_S = 60.0
_GOODBYE = b"event: reconnect\r\ndata: This session has ended; connect again.\r\n\r\n"

_FIRST = asyncio.FIRST_COMPLETED

_log = structlog.get_logger()


class SseSessions:
    """Opens, bounds and ends the sessions of one server."""

    def __init__(
        self,
        server: Server[object],
        *,
        max_sessions: int,
        max_body_bytes: int,
        lifetime_s: float,
    ) -> None:
        # The SDK passes no interval on; this attribute is the only way to set it.
        EventSourceResponse.DEFAULT_PING_INTERVAL = HEARTBEAT_S
        self._server = server
        self._transport = SseServerTransport("/messages", max_request_body_size=max_body_bytes)
        self._max_sessions = max_sessions
        self._lifetime_s = lifetime_s
        self._sessions: dict[UUID, Activity] = {}
        self._opening = 0
        self._ending = asyncio.Event()

    def __len__(self) -> int:
        return len(self._sessions)

    async def connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """GET /sse: keep a stream open until the client leaves or the session is too old."""
        if self._opening >= self._max_sessions:
            refusal = PlainTextResponse("Too many sessions", 503, {"Retry-After": "5"})
            await refusal(scope, receive, send)
            return
        self._opening += 1
        stream = _Stream(send, self._sessions)
        try:
            async with self._transport.connect_sse(scope, receive, stream.send) as (read, write):
                options = self._server.create_initialization_options()
                serving = asyncio.create_task(self._server.run(read, write, options))
                ending = asyncio.create_task(self._ending.wait())
                try:
                    await asyncio.wait(
                        {serving, ending}, timeout=self._lifetime_s, return_when=_FIRST
                    )
                    if not serving.done():
                        await stream.retire()
                finally:
                    await _cancel(serving, ending)
        finally:
            self._opening -= 1
            stream.close()

    def end_all(self) -> None:
        """Have every session end as soon as it has nothing in flight."""
        self._ending.set()

    async def post(self, scope: Scope, receive: Receive, send: Send) -> None:
        """POST /messages/{session_id}: hand a message to its session."""
        try:
            session_id = UUID(scope["path_params"]["session_id"])
        except ValueError:
            session_id = None
        activity = self._sessions.get(session_id) if session_id else None
        if session_id is None or activity is None:
            await PlainTextResponse("Could not find session", 404)(scope, receive, send)
            return
        query = f"session_id={session_id.hex}".encode()
        with activity.current(), busy(), suppress(BrokenResourceError, ClosedResourceError):
            await self._transport.handle_post_message(
                {**scope, "query_string": query}, receive, send
            )


async def _cancel(*tasks: asyncio.Task[object]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class _Stream:
    """The client's end of a session: tells it where to post, and when to come back."""

    def __init__(self, send: Send, sessions: dict[UUID, Activity]) -> None:
        self._send = send
        self._sessions = sessions
        self._activity = Activity()
        self._session_id: UUID | None = None
        self._last_words = b""

    async def send(self, message: Message) -> None:
        """Pass a part of the response on; the first one names the session."""
        body = bytes(message.get("body", b""))
        if self._session_id is None and b"?session_id=" in body:
            head, _, rest = body.partition(b"?session_id=")
            self._session_id = UUID(rest[:32].decode())
            self._sessions[self._session_id] = self._activity
            message = {**message, "body": head + b"/" + str(self._session_id).encode() + rest[32:]}
            _log.info("session_opened", session=str(self._session_id), open=len(self._sessions))
        elif self._last_words and not message.get("more_body", True):
            message = {**message, "body": body + self._last_words}
        await self._send(message)

    async def retire(self) -> None:
        """Accept no more messages, wait for what is in flight, and end with a goodbye."""
        self._forget()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_LAST_REQUEST_S):
                await self._activity.idle()
        self._last_words = _GOODBYE
        _log.info("session_expired", session=str(self._session_id))

    def close(self) -> None:
        """Forget the session."""
        self._forget()
        if self._session_id is not None:
            _log.info("session_closed", session=str(self._session_id), open=len(self._sessions))

    def _forget(self) -> None:
        if self._session_id is not None:
            self._sessions.pop(self._session_id, None)
