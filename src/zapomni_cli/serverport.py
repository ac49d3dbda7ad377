"""Who listens where the HTTP server would."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Literal

__all__ = ["Server", "find_server"]

_PATIENCE_S = 3.0
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104


@dataclass(frozen=True, slots=True)
class Server:
    """What answers at an address: our server, another program, or nothing."""

    url: str
    state: Literal["ours", "other", "none"]
    version: str | None = None
    is_healthy: bool = False


def find_server(host: str, port: int) -> Server:
    """Ask whoever listens whether it is our server."""
    name = _ANYWHERE.get(host, host)
    shown = f"[{name}]" if ":" in name else name
    url = f"http://{shown}:{port}/"
    try:
        with socket.create_connection((name, port), timeout=_PATIENCE_S):
            pass
    except OSError:
        return Server(url, "none")
    try:
        status, body = _health(name, port)
    except (OSError, HTTPException, ValueError):
        return Server(url, "other")
    if not isinstance(body, dict) or "uptime_seconds" not in body or "version" not in body:
        return Server(url, "other")
    return Server(url, "ours", str(body["version"]), is_healthy=status == 200)


def _health(host: str, port: int) -> tuple[int, object]:
    connection = HTTPConnection(host, port, timeout=_PATIENCE_S)
    try:
        connection.request("GET", "/health")
        response = connection.getresponse()
        return response.status, json.loads(response.read(65_536))
    finally:
        connection.close()
