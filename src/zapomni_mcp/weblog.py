"""What the web server has to say, in the same form as the rest of the log."""

from __future__ import annotations

import logging

import structlog

__all__ = ["adopt_web_log"]

_log = structlog.get_logger()


class _Adopted(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _log.log(
            record.levelno, "web_server", detail=record.getMessage(), exc_info=record.exc_info
        )


def adopt_web_log() -> None:
    """Have the warnings of uvicorn written as ours are; it would print bare lines."""
    logger = logging.getLogger("uvicorn")
    logger.handlers = [_Adopted(logging.WARNING)]
    logger.propagate = False
