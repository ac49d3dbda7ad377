"""Error answers that do not repeat what was sent."""

from __future__ import annotations

import orjson
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Discreet"]

# After these the SDK (mcp 2.3) puts the text of the exception, and that quotes the request.
_KINDS = ("Parse error", "Validation error")


class Discreet:
    """ASGI wrapper that cuts the details off the errors of a JSON-RPC endpoint."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the wrapped endpoint does, or with less."""
        held: Message | None = None

        async def send_less(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start" and message["status"] == 400:
                held = message  # its length depends on the body
                return
            if held is not None:
                message = {**message, "body": _without_details(message["body"])}
                MutableHeaders(scope=held)["content-length"] = str(len(message["body"]))
                await send(held)
                held = None
            await send(message)

        await self._app(scope, receive, send_less)


def _without_details(body: bytes) -> bytes:
    try:
        answer = orjson.loads(body)
        kind, _, details = answer["error"]["message"].partition(": ")
    except (ValueError, LookupError, TypeError):
        return body
    if not details or kind not in _KINDS:
        return body
    answer["error"]["message"] = kind
    return orjson.dumps(answer)
