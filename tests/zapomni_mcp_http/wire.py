"""Requests byte by byte, for what no well-behaved client would send."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from tests.zapomni_mcp_http.running import LOOPBACK

PATIENCE_S = 20.0
HOST = b"Host: 127.0.0.1\r\n"
JSON = b"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
HEALTH = b"GET /health HTTP/1.1\r\n"
LAST_HEALTH = HEALTH + HOST + b"Connection: close\r\n\r\n"
TOO_MUCH = b": " + b"a" * 200_000
NOBODY = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True, slots=True)
class Heard:
    """Everything that came back until the server closed the connection."""

    raw: bytes

    @property
    def statuses(self) -> list[int]:
        """The status of each answer; one per request, or something is wrong."""
        heads = self.raw.split(b"HTTP/1.1 ")[1:]
        return [int(head[:3]) for head in heads]


@contextmanager
def connection(port: int) -> Iterator[socket.socket]:
    """Connect to the server."""
    with socket.create_connection((LOOPBACK, port), timeout=PATIENCE_S) as sock:
        yield sock


@contextmanager
def connections(port: int, count: int) -> Iterator[list[socket.socket]]:
    """Connect many times."""
    with ExitStack() as stack:
        yield [stack.enter_context(connection(port)) for _ in range(count)]


def exchange(port: int, *parts: bytes) -> Heard:
    """Send parts and listen until the server hangs up; fail if it never does."""
    with connection(port) as sock:
        for part in parts:
            sock.sendall(part)
        return Heard(until_closed(sock))


def until_closed(sock: socket.socket) -> bytes:
    """Read until the other side hangs up."""
    heard = bytearray()
    try:
        while data := sock.recv(65536):
            heard += data
    except ConnectionResetError:
        pass  # it hung up before it had read everything
    return bytes(heard)


def answer(sock: socket.socket) -> bytes:
    """Read one answer that has a Content-Length."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += sock.recv(65536)
    head, _, body = heard.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += sock.recv(65536)
    return head + b"\r\n\r\n" + body


def post(path: str, body: bytes, headers: bytes = b"") -> bytes:
    """Return a complete POST after which the server is asked to hang up."""
    length = f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
    return f"POST {path} HTTP/1.1\r\n".encode() + HOST + JSON + headers + length + body
