"""Worker processes that read documents, and that may hang or crash without harm."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from zapomni_core.documents.model import Document, DocumentLimits, DocumentRefused
from zapomni_core.documents.wire import Request, unpacked_answer
from zapomni_core.errors import ZapomniError
from zapomni_core.workers.asking import Program, Workers

__all__ = ["DocumentReader"]

_MODULE: Final = "zapomni_core.documents.worker"
_TASK: Final = "reads documents"
_MAX_WORKERS: Final = 2
_LIMIT_S: Final = 60.0


class DocumentReader:
    """Keeps workers that are started when they are needed and stay until `close`."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        limit_s: float = _LIMIT_S,
        python: str = sys.executable,
    ) -> None:
        self._limit_s = limit_s
        count = workers or min(os.cpu_count() or 1, _MAX_WORKERS)
        self._workers = Workers(Program(_MODULE, _TASK, python), count, limit_s=limit_s)

    async def read(
        self, source: Path | bytes, name: str = "", limits: DocumentLimits | None = None
    ) -> Document:
        """Read a document as `read_document` does; what takes too long is refused."""
        request = Request.of(source, name, limits or DocumentLimits())
        if len(request.content) > request.limits.input_bytes:
            raise DocumentRefused(
                request.name,
                f"is bigger than {request.limits.input_bytes:,} bytes; split it",
            )
        answer = await self._answered(request)
        if isinstance(answer, ZapomniError):
            raise answer
        return answer

    async def close(self) -> None:
        """End the workers; those at work end with the `read` that they work for."""
        await self._workers.close()

    async def _answered(self, request: Request) -> Document | ZapomniError:
        # A worker may have been ended while it waited; what ends two is the document.
        for _ in range(2):
            try:
                return unpacked_answer(await self._workers.ask(request.packed()))
            except ConnectionError:
                continue
            except TimeoutError:
                return DocumentRefused(
                    request.name,
                    f"takes longer than {self._limit_s:g} s to read; split it into smaller files",
                )
        return DocumentRefused(
            request.name, "makes the program that reads it crash; save it again in another form"
        )
