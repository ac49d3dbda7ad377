"""A process that reads one document after another."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from zapomni_core.documents.model import Document, DocumentRefused
from zapomni_core.documents.reading import read_document
from zapomni_core.documents.wire import Request, packed_answer
from zapomni_core.errors import ZapomniError
from zapomni_core.workers.message import Message
from zapomni_core.workers.serving import serve

__all__ = ["main"]

_ALARM_S: Final = 90


def main() -> None:
    """Answer requests until there are no more."""
    serve(_answer, alarm_s=_ALARM_S)


def _answer(message: Message) -> Message:
    return packed_answer(_guarded(Request.unpacked(message)))


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


if __name__ == "__main__":
    main()
