"""Structured logs: JSON lines on standard error, never the text of a memory."""

from __future__ import annotations

import logging
import os
import select
from collections.abc import Buffer
from io import BufferedIOBase, TextIOWrapper
from typing import TextIO

import structlog

__all__ = ["configure_logs"]

# These print request bodies or connection details of their own accord.
_NOISY = ("mcp", "httpx2", "httpcore2", "asyncio")
_STDERR = 2
# A pipe that is ready takes this much without waiting.
_READY_FOR = select.PIPE_BUF


def configure_logs(level: str = "INFO", stream: TextIO | None = None) -> None:
    """Send every log line of this process to standard error as JSON."""
    threshold = logging.getLevelNamesMapping()[level]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _tracebacks_without_values(),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(file=stream or _standard_error()),
        cache_logger_on_first_use=False,
    )
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _tracebacks_without_values() -> structlog.typing.Processor:
    # The default transformer writes local variables, and those hold memory texts.
    transformer = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return structlog.processors.ExceptionRenderer(transformer)


def _standard_error() -> TextIO:
    return TextIOWrapper(
        _NeverWaiting(), encoding="utf-8", errors="backslashreplace", write_through=True
    )


class _NeverWaiting(BufferedIOBase):
    """Standard error that loses lines rather than waits: a client may ignore what we log."""

    name = "<stderr>"

    def __init__(self) -> None:
        self._lost = 0
        self._is_cut = False

    def writable(self) -> bool:
        return True

    def write(self, line: Buffer) -> int:
        data = bytes(line)
        if self._lost and self._send(b'{"event": "log_lines_lost", "count": %d}\n' % self._lost):
            self._lost = 0
        self._lost += not self._send(data)
        return len(data)

    def _send(self, line: bytes) -> bool:
        data = b"\n" * self._is_cut + line
        for start in range(0, len(data), _READY_FOR):
            if not _put(data[start : start + _READY_FOR]):
                self._is_cut = self._is_cut or start > 0
                return False
        self._is_cut = False
        return True


def _put(data: bytes) -> bool:
    poll = select.poll()
    poll.register(_STDERR, select.POLLOUT)
    if poll.poll(0) != [(_STDERR, select.POLLOUT)]:
        return False
    os.write(_STDERR, data)
    return True
