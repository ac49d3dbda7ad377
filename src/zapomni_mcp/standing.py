"""Streams that carry no answer: they end with the server, so that it need not wait for them."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["StandingStreams"]


class StandingStreams:
    """ASGI wrapper that can end every GET of an endpoint; other requests get their answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._ending = asyncio.Event()

    def end_all(self) -> None:
        """End the streams."""
        self._ending.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request; a stream that is still open at the end is completed."""
        if scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        is_open = False

        async def receive_or_end() -> Message:
            return await _first(receive, self._ending)

        async def watch(message: Message) -> None:
            nonlocal is_open
            is_start = message["type"] == "http.response.start"
            is_open = is_start or message.get("more_body", False)
            await send(message)

        await self._app(scope, receive_or_end, watch)
        if is_open and self._ending.is_set():
            await send({"type": "http.response.body"})


async def _first(receive: Receive, ending: asyncio.Event) -> Message:
    receiving = asyncio.ensure_future(receive())
    waiting = asyncio.create_task(ending.wait())
    try:
        await asyncio.wait({receiving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        return receiving.result() if receiving.done() else {"type": "http.disconnect"}
    finally:
        for task in (receiving, waiting):
            task.cancel()
