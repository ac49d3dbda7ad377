"""HTTP connections that do not wait for ever, nor take in more than they must."""

from __future__ import annotations

import asyncio
import socket
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["punctual_protocol"]

_LONGEST_HEAD_BYTES = 65_536
_KEEP_ALIVE_PROBES = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}


def punctual_protocol(timeout_s: float) -> type[HttpToolsProtocol]:
    """Return a protocol that gives a client so long for a head and between parts of a body."""
    return type("TimedProtocol", (_PunctualProtocol,), {"timeout_s": timeout_s})


class _PunctualProtocol(HttpToolsProtocol):
    """Drops a connection whose client does not get on with its request or with our answer."""

    timeout_s: ClassVar[float]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        _tune(transport.get_extra_info("socket"))
        self._fruitless_bytes = 0
        self._unsent_bytes = 0
        self._deadline = self.loop.call_later(self.timeout_s, self._check_progress)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._fruitless_bytes += len(data)
        super().data_received(data)
        # httptools collects headers, trailers and chunk extensions of any length.
        if self._fruitless_bytes > _LONGEST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("Request header too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._postpone()

    def on_header(self, name: bytes, value: bytes) -> None:
        # httptools 0.9 leaves the blanks after a value; they are not part of it (RFC 9110).
        super().on_header(name, value.rstrip(b" \t"))

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._fruitless_bytes = 0
        self._postpone()

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._fruitless_bytes = 0
        if not self.cycle.response_complete:  # else nobody waits for the rest of it
            self._postpone()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._fruitless_bytes = 0

    def _postpone(self) -> None:
        self._deadline.cancel()
        self._deadline = self.loop.call_later(self.timeout_s, self._check_progress)

    def _check_progress(self) -> None:
        unsent_bytes = self.transport.get_write_buffer_size()
        is_ignored = self.flow.write_paused and unsent_bytes == self._unsent_bytes
        self._unsent_bytes = unsent_bytes
        if is_ignored:  # nothing was read of an answer since the last look
            self.transport.abort()
        elif self._is_our_turn():
            self._postpone()
        else:
            self.transport.close()

    def _is_our_turn(self) -> bool:
        # uvicorn's own timer watches a connection that rests between two requests; any byte
        # stops that timer, even one that begins no request.
        is_resting = self.timeout_keep_alive_task is not None
        is_answering = self.cycle is not None and not self.cycle.response_complete
        is_read = is_answering and not self.cycle.more_body
        return is_resting or is_read or self.flow.read_paused


def _tune(connection: socket.socket) -> None:
    """Have the system drop a client that has vanished without a word, and send at once."""
    # asyncio does this only where the listening socket names its protocol; 40 ms per answer.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEP_ALIVE_PROBES.items():
        if hasattr(socket, option):  # not every system has every one
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
