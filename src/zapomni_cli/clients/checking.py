"""Reach the server as a client does, and see that it offers its tools."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TextIO

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from zapomni_cli.clients.launch import Command, Launch

__all__ = ["Answer", "NoAnswer", "check"]

_PATIENCE_S = 30
_LINES_SHOWN = 5
_FAILURES = (MCPError, OSError, httpx2.HTTPError)


class NoAnswer(Exception):
    """The server did not answer; the message says why as far as it is known."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How many tools the server offers, and how long it took to say so."""

    tools: int
    seconds: float


def check(launch: Launch) -> Answer:
    """Connect, ask for the tools, and disconnect."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            return asyncio.run(_ask(launch, log))
        except (*_FAILURES, BaseExceptionGroup) as exc:
            raise NoAnswer(f"{_reason(exc)}{_last_lines(log)}") from exc


async def _ask(launch: Launch, log: TextIO) -> Answer:
    started = time.monotonic()
    with anyio.fail_after(_PATIENCE_S):
        async with _connected(launch, log) as client:
            tools = await client.list_tools()
            seconds = time.monotonic() - started
    return Answer(len(tools.tools), seconds)


@asynccontextmanager
async def _connected(launch: Launch, log: TextIO) -> AsyncIterator[Client]:
    # "legacy" begins with `initialize`, as most clients do.
    if isinstance(launch, Command):
        server = StdioServerParameters(
            command=launch.program, args=list(launch.arguments), env=dict(launch.variables)
        )
        async with Client(stdio_client(server, errlog=log), mode="legacy") as client:
            yield client
        return
    async with (
        httpx2.AsyncClient(headers=launch.headers, timeout=_PATIENCE_S) as http,
        Client(streamable_http_client(launch.url, http_client=http), mode="legacy") as client,
    ):
        yield client


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, _FAILURES):
        raise error
    if isinstance(error, TimeoutError):
        return f"no answer within {_PATIENCE_S} s"
    return str(error) or type(error).__name__


def _last_lines(log: TextIO) -> str:
    log.seek(0)
    lines = log.read().strip().splitlines()[-_LINES_SHOWN:]
    return "".join(f"\n  {line}" for line in lines)
