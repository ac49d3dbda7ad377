"""MCP over standard input and output, so that nothing is lost and nothing hangs.

Differs from the SDK's transport where a host would notice: a malformed line gets an answer, work
in flight is finished after the end of input, and reading can be cancelled (no thread blocks in
`readline`), so that a signal ends the server at once.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR
from pydantic_core import PydanticSerializationError

from zapomni_mcp.pipes import LineReader, LineTooLong, LineWriter, standard_pipes

__all__ = ["MAX_LINE_BYTES", "StdioTransport", "check_stdio"]

MAX_LINE_BYTES = 100_000_000
_TOO_LONG = f"The message is longer than {MAX_LINE_BYTES:,} bytes"

type Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
type Outgoing = MemoryObjectSendStream[SessionMessage]


def check_stdio() -> None:
    """Raise ConnectionError unless both standard streams can carry bytes."""
    for name, stream in (("stdin", sys.stdin), ("stdout", sys.stdout)):
        if not hasattr(stream, "buffer"):
            raise ConnectionError(f"{name} not available in binary mode")
        if stream.closed or stream.buffer.closed:
            raise ConnectionError(f"{name} is closed")


class StdioTransport:
    """Reads messages from standard input and writes messages to standard output."""

    def __init__(self) -> None:
        self._pending: set[types.RequestId] = set()
        self._settled = anyio.Event()
        self._is_closing = False
        self.is_broken = False
        self._reading: asyncio.Task[None] | None = None

    def close_input(self) -> None:
        """Take no further message; requests in flight may still be answered."""
        if self._reading is not None:
            self._reading.cancel()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[tuple[Incoming, Outgoing]]:
        """Yield the streams that an MCP server runs on; they end when all work is answered."""
        to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        async with standard_pipes(MAX_LINE_BYTES) as (reader, writer):
            self._reading = asyncio.create_task(self._read(reader, to_server, outgoing.clone()))
            writing = asyncio.create_task(self._write(from_server, writer))
            try:
                yield incoming, outgoing
            finally:
                self._reading.cancel()
                outgoing.close()
                await asyncio.gather(self._reading, return_exceptions=True)
                await asyncio.gather(writing, return_exceptions=True)

    async def _read(
        self,
        reader: LineReader,
        to_server: MemoryObjectSendStream[SessionMessage | Exception],
        answers: Outgoing,
    ) -> None:
        async with to_server, answers:
            with suppress(asyncio.CancelledError):
                while (message := await _next_message(reader)) is not None:
                    await self._accept(message, to_server, answers)
            self._is_closing = True
            if self._pending:
                await self._settled.wait()

    async def _accept(
        self,
        message: types.JSONRPCMessage,
        to_server: MemoryObjectSendStream[SessionMessage | Exception],
        answers: Outgoing,
    ) -> None:
        if isinstance(message, types.JSONRPCError):
            await answers.send(SessionMessage(message))
            return
        if isinstance(message, types.JSONRPCRequest):
            self._pending.add(message.id)
        await to_server.send(SessionMessage(message))
        self._settle_if_cancelled(message)

    async def _write(
        self, from_server: MemoryObjectReceiveStream[SessionMessage], writer: LineWriter
    ) -> None:
        async with from_server:
            try:
                async for item in from_server:
                    await writer.write(_line(item.message))
                    if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                        self._settle(item.message.id)
            except OSError:
                self.is_broken = True
                self._pending.clear()
                self.close_input()

    def _settle_if_cancelled(self, message: types.JSONRPCMessage) -> None:
        match message:
            case types.JSONRPCNotification(method="notifications/cancelled", params=params):
                self._settle((params or {}).get("requestId"))

    def _settle(self, request_id: types.RequestId | None) -> None:
        self._pending.discard(request_id)
        if self._is_closing and not self._pending:
            self._settled.set()


async def _next_message(reader: LineReader) -> types.JSONRPCMessage | None:
    """Read the next message, or the error to answer an unreadable one with; None at the end."""
    try:
        while line := await reader.readline():
            if line.strip():
                return _parse(line)
    except LineTooLong:
        return _error(PARSE_ERROR, _TOO_LONG)
    return None


def _parse(line: bytes) -> types.JSONRPCMessage:
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        pass
    try:
        # Reads an unpaired surrogate, which others refuse: the call that holds it wants an answer.
        given = json.loads(line)
    except (ValueError, RecursionError):
        return _error(PARSE_ERROR, "Parse error: the line is not JSON")
    try:
        return types.jsonrpc_message_adapter.validate_python(given, by_name=False)
    except ValueError:
        message = "Invalid Request: not a JSON-RPC 2.0 message"
        return _error(INVALID_REQUEST, message, _request_id(given))


def _request_id(given: object) -> types.RequestId | None:
    match given:
        case {"id": bool()}:
            return None
        case {"id": int() | str() as request_id}:
            return request_id
    return None


def _line(message: types.JSONRPCMessage) -> bytes:
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:  # it repeats an unpaired surrogate, which has to be escaped
        text = json.dumps(message.model_dump(by_alias=True, exclude_unset=True, mode="json"))
    return text.encode() + b"\n"


def _error(
    code: int, message: str, request_id: types.RequestId | None = None
) -> types.JSONRPCError:
    return types.JSONRPCError(
        jsonrpc="2.0", id=request_id, error=types.ErrorData(code=code, message=message)
    )
