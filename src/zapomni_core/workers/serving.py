"""The side of a worker: it answers one request after another.

A library may crash or never come back, and nothing inside of a process can stop it. So a worker
does nothing else; who started it may end it at any time.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from typing import BinaryIO, Final

from zapomni_core.workers.message import HEAD_BYTES, Message, lengths

__all__ = ["serve"]

_MAX_MEMORY: Final = 1_500_000_000


def _rest() -> None:
    """Do nothing."""


def serve(
    answer: Callable[[Message], Message],
    *,
    alarm_s: int,
    max_memory: int = _MAX_MEMORY,
    meanwhile: Callable[[], None] = _rest,
) -> None:
    """Answer requests until there are no more.

    The alarm ends a worker that hangs after the one who would end it has died. What it does
    `meanwhile` comes after an answer, before it looks for the next request.
    """
    requests, answers = _private_pipes()
    _limit_resources(max_memory)
    _write(answers, Message(b"ready"))
    while len(head := requests.read(HEAD_BYTES)) == HEAD_BYTES:
        text, content = lengths(head)
        request = Message(requests.read(text), requests.read(content))
        signal.alarm(alarm_s)
        answered = answer(request)
        signal.alarm(0)
        _write(answers, answered)
        signal.alarm(alarm_s)
        meanwhile()
        signal.alarm(0)


def _write(answers: BinaryIO, message: Message) -> None:
    answers.write(message.framed())
    answers.flush()


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take the pipes away, so that nothing else can read from them or print into them."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return requests, answers


def _limit_resources(max_memory: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        resource.setrlimit(resource.RLIMIT_AS, (max_memory, max_memory))
    except (OSError, ValueError):
        return  # macOS refuses
