"""Structured logs: JSON lines on standard error, never the text of a memory."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

import structlog

__all__ = ["configure_logs"]

# These print request bodies or connection details of their own accord.
_NOISY = ("mcp", "httpx2", "httpcore2", "asyncio")


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
        logger_factory=structlog.PrintLoggerFactory(file=stream or sys.stderr),
        cache_logger_on_first_use=False,
    )
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _tracebacks_without_values() -> structlog.typing.Processor:
    # The default transformer writes local variables, and those hold memory texts.
    transformer = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return structlog.processors.ExceptionRenderer(transformer)
