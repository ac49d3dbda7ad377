"""Decide who may talk to the HTTP server at all, before anything else looks at a request."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Guard", "Rules", "is_loopback"]


@dataclass(frozen=True, slots=True)
class Rules:
    """Who may connect, and how much they may send."""

    hosts: frozenset[str]
    origins: frozenset[str]
    token: str | None
    max_body_bytes: int
    open_paths: frozenset[str] = frozenset()

    def allows_host(self, host: str) -> bool:
        """Tell whether a Host header names this server; a name from elsewhere is an attack."""
        name = _host_name(host)
        return is_loopback(name) or name in self.hosts or "*" in self.hosts

    def allows_origin(self, origin: str, host: str) -> bool:
        """Tell whether a web page may call: ours, one served from this machine, or a listed one.

        Ours is the one that comes from the host it calls; that host has been allowed before.
        """
        place = origin.partition("://")[2]
        return origin in self.origins or place == host or is_loopback(_host_name(place))

    def allows_token(self, authorization: str) -> bool:
        """Tell whether the caller knows the token, in constant time."""
        if self.token is None:
            return True
        scheme, _, given = authorization.partition(" ")
        same = secrets.compare_digest(given.strip().encode("latin-1"), self.token.encode())
        return same and scheme.lower() == "bearer"


class Guard:
    """ASGI middleware that refuses uninvited and oversized requests."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            refusal = self._refusal(Headers(scope=scope), scope["method"], scope["path"])
            with suppress(ClientDisconnect):  # in the middle of a request: nobody wants an answer
                await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers, method: str, path: str) -> PlainTextResponse | None:
        rules, host = self._rules, headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not rules.allows_host(host):
            return PlainTextResponse("Unknown host", 421)
        if not all(rules.allows_origin(origin, host) for origin in headers.getlist("origin")):
            return PlainTextResponse("Origin not allowed", 403)
        is_open = path in rules.open_paths or _is_preflight(headers, method)
        if not is_open and not rules.allows_token(headers.get("authorization", "")):
            return PlainTextResponse("Token required", 401, {"WWW-Authenticate": "Bearer"})
        length = headers.get("content-length", "0")
        if not length.isdigit():
            return PlainTextResponse("Bad Content-Length", 400)
        if int(length) > rules.max_body_bytes:
            return PlainTextResponse("Request too large", 413)
        return None


def is_loopback(name: str) -> bool:
    """Tell whether a host name or address means this machine."""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def _is_preflight(headers: Headers, method: str) -> bool:
    """Tell whether a browser asks what it may send; it never shows a token when it asks."""
    asks = "origin" in headers and "access-control-request-method" in headers
    return asks and method == "OPTIONS"


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
