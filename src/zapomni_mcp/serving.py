"""Run the HTTP application as a server that ends well."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Iterator
from typing import NoReturn

import structlog
import uvicorn
import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from zapomni_core import ConfigurationError, Settings
from zapomni_mcp.guard import is_loopback
from zapomni_mcp.http import HttpApplication
from zapomni_mcp.process import run_process
from zapomni_mcp.server import MCPServer, complete_server
from zapomni_mcp.signals import signals_call

__all__ = ["serve_application", "serve_http"]

# Requests in flight get this long after a signal; with closing the store the exit takes < 5 s.
_GRACE_S = 3
_KEEP_ALIVE_S = 15
_BACKLOG = 2048
_KEEP_ALIVE_PROBES = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}

_log = structlog.get_logger()


def serve_http(host: str | None = None, port: int | None = None) -> NoReturn:
    """Serve HTTP as a process until a signal arrives."""
    run_process(_serve, uvloop.new_event_loop, sse_host=host, sse_port=port)


async def _serve(settings: Settings) -> None:
    async with complete_server(settings) as server:
        await serve_application(server, settings)


async def serve_application(server: MCPServer, settings: Settings) -> None:
    """Serve the tools of a server over HTTP until a signal arrives."""
    if not is_loopback(settings.sse_host) and settings.auth_token is None:
        raise ConfigurationError(
            f"ZAPOMNI_SSE_HOST={settings.sse_host} lets other machines in; set "
            "ZAPOMNI_AUTH_TOKEN to a secret, or listen on 127.0.0.1."
        )
    application = HttpApplication(server, settings)
    with contextlib.closing(_listen(settings.sse_host, settings.sse_port)) as listener:
        http = _HttpServer(
            uvicorn.Config(
                application.asgi,
                http=_protocol(settings.client_timeout_s),
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
            application.sse.end_all()
            http.should_exit = True

        host, port = listener.getsockname()[:2]
        _log.info("http_listening", host=host, port=port, transport="sse")
        with signals_call(stop):
            await http.serve(sockets=[listener])


class _HttpServer(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to us: uvicorn would raise them again after a clean exit."""
        yield


def _protocol(timeout_s: float) -> type[HttpToolsProtocol]:
    class PunctualProtocol(HttpToolsProtocol):
        """Drops a connection whose client does not get on with its request."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            _notice_silence(transport)
            self._start_waiting = self.loop.call_later(timeout_s, self._drop_if_silent)

        def connection_lost(self, exc: Exception | None) -> None:
            self._start_waiting.cancel()
            super().connection_lost(exc)

        def _drop_if_silent(self) -> None:
            # uvicorn's own timer starts only after the first answer.
            if self.cycle is None:
                self.transport.close()

    return PunctualProtocol


def _notice_silence(transport: asyncio.Transport) -> None:
    """Have the system drop a client that has vanished without a word."""
    connection = transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEP_ALIVE_PROBES.items():
        if hasattr(socket, option):  # not every system has every one
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


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
