"""A process that reads one document after another.

A library may crash or never come back, and nothing inside of a process can stop it. So this one
does nothing else; who started it may end it at any time.
"""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path
from typing import BinaryIO, Final

from zapomni_core.documents.model import Document, DocumentRefused
from zapomni_core.documents.reading import read_document
from zapomni_core.documents.wire import HEAD_BYTES, Request, lengths, packed_answer
from zapomni_core.errors import ZapomniError

__all__ = ["main"]

_MAX_MEMORY: Final = 1_500_000_000
# Ends a worker that hangs in a library after the one who would end it has died.
_ALARM_S: Final = 90


def main() -> None:
    """Answer requests until there are no more."""
    requests, answers = _private_pipes()
    _limit_resources()
    _write(answers, packed_answer(DocumentRefused("", "")))
    while len(head := requests.read(HEAD_BYTES)) == HEAD_BYTES:
        text, content = lengths(head)
        request = Request.unpacked(requests.read(text), requests.read(content))
        signal.alarm(_ALARM_S)
        answer = packed_answer(_guarded(request))
        signal.alarm(0)
        _write(answers, answer)


def _guarded(request: Request) -> Document | ZapomniError:
    source = request.content if request.path is None else Path(request.path)
    try:
        return read_document(source, request.name, request.limits)
    except ZapomniError as exc:
        return exc
    except MemoryError:
        return DocumentRefused(request.name, "needs too much memory; split it into smaller files")
    except Exception as exc:  # noqa: BLE001  (one strange file must not end the work on others)
        return DocumentRefused(
            request.name, f"is broken ({type(exc).__name__}); save it again in another form"
        )


def _write(answers: BinaryIO, answer: bytes) -> None:
    answers.write(answer)
    answers.flush()


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take the pipes away, so that nothing else can read from them or print into them."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return requests, answers


def _limit_resources() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY, _MAX_MEMORY))
    except (OSError, ValueError):
        return  # macOS refuses


if __name__ == "__main__":
    main()
