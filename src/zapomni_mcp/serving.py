"""Run the HTTP application as a server that ends well."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import socket
from collections.abc import Iterator
from typing import NoReturn

import structlog
import uvicorn
import uvloop

from zapomni_core import ConfigurationError, MemoryEngine, Settings, ZapomniError
from zapomni_mcp.guard import is_loopback
from zapomni_mcp.http import HttpApplication
from zapomni_mcp.process import run_process
from zapomni_mcp.punctual import punctual_protocol
from zapomni_mcp.server import MCPServer, complete_server
from zapomni_mcp.signals import signals_call
from zapomni_mcp.weblog import adopt_web_log

__all__ = ["serve_application", "serve_http"]

# Requests in flight get this long after a signal; with closing the store the exit takes < 5 s.
_GRACE_S = 3
_KEEP_ALIVE_S = 15
_BACKLOG = 2048

_log = structlog.get_logger()


def serve_http(host: str | None = None, port: int | None = None) -> NoReturn:
    """Serve HTTP as a process until a signal arrives."""
    run_process(_serve, uvloop.new_event_loop, sse_host=host, sse_port=port)


async def _serve(settings: Settings) -> None:
    async with complete_server(settings) as server:
        settling = asyncio.create_task(_settle(server.core_engine))
        try:
            await serve_application(server, settings)
        finally:
            settling.cancel()


async def _settle(engine: MemoryEngine) -> None:
    """Have the garbage collector pass over what is there for good once the engine is open."""
    with contextlib.suppress(ZapomniError):
        await engine.initialize()
        # A full collection of all that has been imported holds the event loop up for 110 ms.
        gc.freeze()


async def serve_application(server: MCPServer, settings: Settings) -> None:
    """Serve the tools of a server over HTTP until a signal arrives."""
    if not is_loopback(settings.sse_host) and settings.auth_token is None:
        raise ConfigurationError(
            f"ZAPOMNI_SSE_HOST={settings.sse_host} lets other machines in; set "
            "ZAPOMNI_AUTH_TOKEN to a secret, or listen on 127.0.0.1."
        )
    adopt_web_log()
    application = HttpApplication(server, settings)
    with contextlib.closing(_listen(settings.sse_host, settings.sse_port)) as listener:
        http = _HttpServer(
            uvicorn.Config(
                application.asgi,
                http=punctual_protocol(settings.client_timeout_s),
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_S,
                timeout_graceful_shutdown=_GRACE_S,
            )
        )

        def stop() -> None:
            application.end_streams()
            http.should_exit = True

        server.announce("sse")
        host, port = listener.getsockname()[:2]
        _log.info("http_listening", host=host, port=port, transport="sse")
        with signals_call(stop):
            await http.serve(sockets=[listener])


class _HttpServer(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to us: uvicorn would raise them again after a clean exit."""
        yield


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as exc:
        if exc.errno == errno.EADDRINUSE:
            raise ConfigurationError(
                f"Port {port} is taken; `lsof -i :{port}` shows by whom. Stop that program, or "
                "choose another port with --port or ZAPOMNI_SSE_PORT."
            ) from exc
        raise ConfigurationError(
            f"Cannot listen on {host}:{port} ({exc.strerror}); check ZAPOMNI_SSE_HOST."
        ) from exc
