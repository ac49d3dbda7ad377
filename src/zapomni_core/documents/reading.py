"""Read one document of any kind."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from posixpath import basename
from typing import Final

from zapomni_core.documents.decoding import is_text
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.epub import read_epub
from zapomni_core.documents.kinds import HEAD_BYTES, kind_by_content, kind_by_name
from zapomni_core.documents.mail import read_email, read_mbox
from zapomni_core.documents.model import Document, DocumentLimits, DocumentRefused, Kind
from zapomni_core.documents.notebooks import read_notebook
from zapomni_core.documents.pdf import read_pdf
from zapomni_core.documents.plain import read_code, read_markdown, read_rst, read_text
from zapomni_core.documents.spreadsheets import read_table
from zapomni_core.documents.subtitles import read_subtitles
from zapomni_core.documents.webpages import read_html
from zapomni_core.documents.word import read_docx

__all__ = ["file_content", "read_document"]

type _Reader = Callable[[bytes, Draft], None]

_BINARY: Final = frozenset({"docx", "epub", "pdf"})
_KINDS: Final = (
    "Markdown, HTML, PDF, DOCX, EPUB, e-mail, notebooks, subtitles, tables, text and source code"
)
_NOT_A_FILE: Final = "is not a regular file; name a file"
# Opening a pipe for reading waits for somebody to write into it.
_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def read_document(
    source: Path | bytes, name: str = "", limits: DocumentLimits | None = None
) -> Document:
    """Read a file, or bytes under a name, into text that knows where it stands.

    A hostile file may take all the time and memory it can get, and PDFium is not made for
    threads: `DocumentReader` does the same in a process of its own.
    """
    limits = limits or DocumentLimits()
    name = name or (source.name if isinstance(source, Path) else "document")
    raw = file_content(source, name, limits) if isinstance(source, Path) else source
    draft = Draft(name, limits)
    return draft.finished(_read(raw, name, draft))


def _read(raw: bytes, name: str, draft: Draft) -> Kind:
    if len(raw) > draft.limits.input_bytes:
        raise _too_big(draft.name, draft.limits)
    if not raw.strip(b"\0 \t\r\n"):
        raise draft.refused("is empty; there is nothing to remember")
    kind = kind_by_name(basename(name)) or kind_by_content(raw[:HEAD_BYTES])
    if kind is None:
        raise draft.refused(f"is of no kind that can be read; those are {_KINDS}")
    if kind not in _BINARY and not is_text(raw):
        raise draft.refused("is not text, whatever its name says; check the file")
    try:
        _READERS[kind](raw, draft)
    except RecursionError as exc:
        raise draft.refused("is nested too deeply; save it again in a simpler form") from exc
    return kind


def _read_part(raw: bytes, name: str, draft: Draft) -> None:
    _read(raw, name, draft)


def file_content(path: Path, name: str, limits: DocumentLimits) -> bytes:
    """Read a regular file that is not too big."""
    try:
        with open(path, "rb", opener=_opened) as file:
            _check(os.fstat(file.fileno()), name, limits)
            return file.read(limits.input_bytes + 1)
    except IsADirectoryError as exc:
        raise DocumentRefused(name, _NOT_A_FILE) from exc
    except (OSError, ValueError) as exc:
        raise DocumentRefused(name, "cannot be opened; check that you may read it") from exc


def _check(status: os.stat_result, name: str, limits: DocumentLimits) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise DocumentRefused(name, _NOT_A_FILE)
    if status.st_size > limits.input_bytes:
        raise _too_big(name, limits)


def _opened(path: str, _flags: int) -> int:
    return os.open(path, _FLAGS)


def _too_big(name: str, limits: DocumentLimits) -> DocumentRefused:
    return DocumentRefused(
        name, f"is bigger than {limits.input_bytes:,} bytes; split it into smaller files"
    )


_READERS: Final[Mapping[Kind, _Reader]] = {
    "code": read_code,
    "docx": read_docx,
    "email": partial(read_email, read_part=_read_part),
    "epub": read_epub,
    "html": read_html,
    "markdown": read_markdown,
    "mbox": partial(read_mbox, read_part=_read_part),
    "notebook": read_notebook,
    "pdf": read_pdf,
    "rst": read_rst,
    "subtitles": read_subtitles,
    "table": read_table,
    "text": read_text,
}
