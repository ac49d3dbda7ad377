"""The side of a worker: it answers one request after another.

A library may crash or never come back, and nothing inside of a process can stop it. So a worker
does nothing else; who started it may end it at any time.
"""

from __future__ import annotations

import fcntl
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, Final

from zapomni_core.workers.message import HEAD_BYTES, Message, lengths

__all__ = ["serve"]

_MAX_MEMORY: Final = 1_500_000_000
_PIPE_BYTES: Final = 1 << 20


def _rest() -> bool:
    """Do nothing."""
    return False


def serve(
    answer: Callable[[Message], Message],
    *,
    alarm_s: int,
    max_memory: int = _MAX_MEMORY,
    meanwhile: Callable[[], bool] = _rest,
) -> None:
    """Answer requests until there are no more.

    The alarm ends a worker that hangs after the one who would end it has died. What it does
    `meanwhile` comes after an answer, and again until it has done all or there is a request.
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
        while meanwhile() and not _is_waiting(requests):
            signal.alarm(alarm_s)
        signal.alarm(0)


def _is_waiting(requests: BinaryIO) -> bool:
    return bool(select.select([requests], [], [], 0)[0])


def _write(answers: BinaryIO, message: Message) -> None:
    answers.write(message.framed())
    answers.flush()


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take the pipes away, so that nothing else can read from them or print into them."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _widen(requests)
    _widen(answers)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return requests, answers


def _widen(pipe: BinaryIO) -> None:
    """Let a whole message wait in a pipe: the other side may be busy, and this one goes on."""
    if sys.platform == "linux":
        with suppress(OSError):  # the user may have too many pipes for that
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _limit_resources(max_memory: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        resource.setrlimit(resource.RLIMIT_AS, (max_memory, max_memory))
    except (OSError, ValueError):
        return  # macOS refuses
