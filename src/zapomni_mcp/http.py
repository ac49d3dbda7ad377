"""The HTTP server: SSE, streamable HTTP, health, metrics and the page in one application."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from importlib.metadata import version

from mcp.server.streamable_http_manager import (
    StreamableHTTPASGIApp,
    StreamableHTTPSessionManager,
)
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from zapomni_core import Settings, ZapomniError
from zapomni_mcp.discretion import Discreet
from zapomni_mcp.guard import Guard, Rules
from zapomni_mcp.metrics import Metrics, watch_loop_lag
from zapomni_mcp.server import MCPServer
from zapomni_mcp.sse import SseSessions
from zapomni_mcp.standing import StandingStreams
from zapomni_mcp.web import page_paths, page_routes

__all__ = ["HttpApplication"]

_HEALTH_TIMEOUT_S = 5.0


class HttpApplication:
    """The endpoints in front of a server, and what they share."""

    def __init__(self, server: MCPServer, settings: Settings) -> None:
        self._server = server
        self._engine = server.core_engine
        self._metrics = Metrics()
        self._started = time.monotonic()
        server.observe_calls(self._metrics.observe_call)
        self._sse = SseSessions(
            server.sdk_server,
            max_sessions=settings.max_sessions,
            max_body_bytes=settings.max_request_bytes,
            lifetime_s=settings.session_lifetime_s,
        )
        self._streamable = StreamableHTTPSessionManager(
            server.sdk_server,
            max_request_body_size=settings.max_request_bytes,
            max_sessions=settings.max_sessions,
            session_idle_timeout=settings.session_lifetime_s,
        )
        self._standing = StandingStreams(Discreet(StreamableHTTPASGIApp(self._streamable)))

        self.asgi = Starlette(
            routes=[
                Route("/sse", _Endpoint(self._sse.connect), methods=["GET"]),
                Route("/messages/{session_id}", _Endpoint(self._sse.post), methods=["POST"]),
                Route("/mcp", self._standing),
                Route("/health", self._health, methods=["GET"]),
                Route("/metrics", self._show_metrics, methods=["GET"]),
                *page_routes(),
            ],
            middleware=[
                Middleware(Guard, rules=_rules(settings)),
                _cross_origin(),
            ],
            lifespan=self._lifespan,
        )

    def end_streams(self) -> None:
        """Have every stream end as soon as it has nothing to wait for."""
        self._sse.end_all()
        self._standing.end_all()

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Run what lives as long as the server."""
        lag = asyncio.create_task(watch_loop_lag(self._metrics.observe_lag))
        opening = asyncio.create_task(self._server.open_engine())
        try:
            async with self._streamable.run():
                yield
        finally:
            for task in (lag, opening):
                task.cancel()
            await asyncio.gather(lag, opening, return_exceptions=True)

    async def _health(self, _: Request) -> JSONResponse:
        """GET /health: 200 while the store answers, 503 when it does not."""
        try:
            async with asyncio.timeout(_HEALTH_TIMEOUT_S):
                await self._engine.get_stats()
            is_healthy = True
        except (ZapomniError, TimeoutError):
            is_healthy = False
        body = {
            "status": "healthy" if is_healthy else "unhealthy",
            "active_sessions": len(self._sse),
            "uptime_seconds": int(time.monotonic() - self._started),
            "version": version("zapomni"),
            "event_loop_lag_max_ms": round(self._metrics.worst_lag_s * 1000, 1),
        }
        return JSONResponse(body, 200 if is_healthy else 503)

    async def _show_metrics(self, _: Request) -> Response:
        """GET /metrics: numbers for Prometheus; the store's are left out while it is away."""
        with contextlib.suppress(ZapomniError):
            self._metrics.observe_store(await self._engine.get_stats())
        return Response(self._metrics.text(len(self._sse)), media_type="text/plain; version=0.0.4")


class _Endpoint:
    """A bare ASGI endpoint; Starlette would take a function for a request handler."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


def _cross_origin() -> Middleware:
    return Middleware(
        CORSMiddleware,
        allow_origin_regex=".*",  # the guard has refused every page that may not call
        allow_methods=["GET", "POST", "DELETE", "OPTIONS"],
        allow_headers=["*"],
        allow_credentials=True,
        allow_private_network=True,
        # With credentials a browser does not read `*` as "all": name what clients need.
        expose_headers=["*", "Mcp-Session-Id", "Mcp-Protocol-Version"],
    )


def _rules(settings: Settings) -> Rules:
    token = settings.auth_token
    return Rules(
        hosts=_hosts(settings),
        origins=frozenset(settings.sse_cors_origins) - {"*"},
        token=token.get_secret_value() if token else None,
        max_body_bytes=settings.max_request_bytes,
        open_paths=page_paths() | {"/health"},
    )


def _hosts(settings: Settings) -> frozenset[str]:
    """Name the hosts that requests may be meant for.

    On all interfaces the names of the machine are anybody's guess, and the token, which is
    required there, already keeps out a page that has rebound its name to us.
    """
    if settings.sse_host in ("0.0.0.0", "::") and not settings.allowed_hosts:  # noqa: S104
        return frozenset({"*"})
    return frozenset(name.lower() for name in (settings.sse_host, *settings.allowed_hosts))
