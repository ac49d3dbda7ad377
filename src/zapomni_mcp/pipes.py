"""Standard input and output as cancellable byte streams of our own.

While they are open, descriptor 0 reads nothing and descriptor 1 leads to standard error, so that
a stray `print` or a child process can neither eat nor corrupt a message.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from io import BufferedReader, BufferedWriter
from typing import IO, Protocol, cast

import anyio.to_thread

__all__ = ["LineReader", "LineTooLong", "LineWriter", "standard_pipes"]

_READ_BYTES = 1 << 18


class LineTooLong(Exception):
    """A line exceeds the limit; it has been skipped."""


class LineReader(Protocol):
    """Reads lines."""

    async def readline(self) -> bytes:
        """Return the next line with its end, or nothing at the end of input."""


class LineWriter(Protocol):
    """Writes lines."""

    async def write(self, line: bytes) -> None:
        """Write a whole line and flush it."""


@asynccontextmanager
async def standard_pipes(longest_line: int) -> AsyncIterator[tuple[LineReader, LineWriter]]:
    """Take standard input and output over until the block ends."""
    with _claimed(sys.stdin, 0) as source, _claimed(sys.stdout, 1) as target:
        reader = await _reader(source, longest_line)
        writer = await _writer(target)
        try:
            yield reader, writer
        finally:
            for pipe in (reader, writer):
                if isinstance(pipe, _PipeReader | _PipeWriter):
                    pipe.close()


class _PipeReader:
    def __init__(
        self, stream: asyncio.StreamReader, transport: asyncio.ReadTransport, longest: int
    ) -> None:
        self._stream = stream
        self._transport = transport
        self._longest = longest
        self._buffer = bytearray()

    async def readline(self) -> bytes:
        searched, is_skipping = 0, False
        while (end := self._buffer.find(b"\n", searched)) < 0:
            if len(self._buffer) > self._longest:
                self._buffer.clear()
                is_skipping = True
            searched = len(self._buffer)
            chunk = await self._stream.read(_READ_BYTES)
            if not chunk:
                end = len(self._buffer) - 1
                break
            self._buffer += chunk
        line = bytes(self._buffer[: end + 1])
        del self._buffer[: end + 1]
        if is_skipping or len(line) > self._longest:
            raise LineTooLong
        return line

    def close(self) -> None:
        self._transport.close()


class _PipeWriter:
    def __init__(self, stream: asyncio.StreamWriter) -> None:
        self._stream = stream

    async def write(self, line: bytes) -> None:
        self._stream.write(line)
        await self._stream.drain()

    def close(self) -> None:
        self._stream.close()


class _FileReader:
    """Reads what cannot be polled (a file, a terminal, a buffer) in a thread."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file

    async def readline(self) -> bytes:
        return await anyio.to_thread.run_sync(self._file.readline, abandon_on_cancel=True)


class _FileWriter:
    def __init__(self, file: BufferedWriter) -> None:
        self._file = file

    async def write(self, line: bytes) -> None:
        await anyio.to_thread.run_sync(self._write, line)

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()


@contextmanager
def _claimed(stream: IO[str], descriptor: int) -> Iterator[IO[bytes]]:
    buffer = stream.buffer  # type: ignore[attr-defined]
    if not _is_backed_by(buffer, descriptor):
        yield buffer
        return
    stream.flush() if descriptor else None
    private = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    diversion = os.dup(2) if descriptor else os.open(os.devnull, os.O_RDONLY)
    os.dup2(diversion, descriptor)
    os.close(diversion)
    file = os.fdopen(private, "wb" if descriptor else "rb", closefd=False)
    try:
        yield file
    finally:
        os.set_blocking(private, True)
        os.dup2(private, descriptor)
        os.close(private)


def _is_backed_by(buffer: IO[bytes], descriptor: int) -> bool:
    try:
        return buffer.fileno() == descriptor
    except OSError:
        return False


def _can_poll(file: IO[bytes]) -> bool:
    try:
        mode = os.fstat(file.fileno()).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


async def _reader(file: IO[bytes], longest: int) -> LineReader:
    if not _can_poll(file):
        return _FileReader(cast("BufferedReader", file))
    stream = asyncio.StreamReader(limit=_READ_BYTES)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), _duplicate(file, "rb")
    )
    return _PipeReader(stream, transport, longest)


async def _writer(file: IO[bytes]) -> LineWriter:
    if not _can_poll(file):
        return _FileWriter(cast("BufferedWriter", file))
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), _duplicate(file, "wb")
    )
    return _PipeWriter(asyncio.StreamWriter(transport, protocol, None, loop))


def _duplicate(file: IO[bytes], mode: str) -> IO[bytes]:
    # The transport closes what it is given; the claimed descriptor is still needed to restore.
    return cast("IO[bytes]", os.fdopen(os.dup(file.fileno()), mode, buffering=0))
