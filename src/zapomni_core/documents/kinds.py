"""Which kind of document a file is, by its name or by how it begins."""

from __future__ import annotations

import re
from posixpath import basename
from typing import Final

from zapomni_core.code.languages import language_of
from zapomni_core.documents.decoding import is_text
from zapomni_core.documents.model import Kind

__all__ = ["HEAD_BYTES", "kind_by_content", "kind_by_name", "language_by_name"]

HEAD_BYTES: Final = 4_096

_EXTENSIONS: Final[dict[Kind, str]] = {
    "docx": "docx docm",
    "email": "eml",
    "epub": "epub",
    "html": "html htm xhtml",
    "markdown": "md markdown mdx mkd",
    "mbox": "mbox mbx",
    "notebook": "ipynb",
    "pdf": "pdf",
    "rst": "rst rest",
    "subtitles": "srt vtt",
    "table": "csv tsv",
    "text": "txt text log adoc asciidoc org tex typ",
}
_BY_EXTENSION: Final = {
    extension: kind for kind, names in _EXTENSIONS.items() for extension in names.split()
}
# Drawings and property lists are XML, but nobody wrote them to be read.
_NOT_READ: Final = frozenset({"svg", "plist"})
_HTML: Final = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_MAIL: Final = re.compile(
    rb"(?:[A-Za-z][\w-]{0,60}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,60}?"
    rb"(?:Received|Return-Path|Message-ID|MIME-Version|From): ",
    re.IGNORECASE,
)


def kind_by_name(path: str) -> Kind | None:
    """Tell the kind by the name alone."""
    name = basename(path).lower()
    _, dot, extension = name.rpartition(".")
    if dot and extension in _NOT_READ:
        return None
    if dot and extension in _BY_EXTENSION and language_of(name) != "cmake":
        return _BY_EXTENSION[extension]
    language = language_of(name)
    return None if language is None else "text" if language == "text" else "code"


def kind_by_content(head: bytes) -> Kind | None:
    """Tell the kind by how a file begins; None if it is neither known nor text."""
    if head.startswith(b"%PDF-"):
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_archive(head)
    if _HTML.match(head):
        return "html"
    if re.match(rb"From \S+ .*\d\d:\d\d", head):
        return "mbox"
    if not head or not is_text(head):
        return None
    return "email" if _MAIL.match(head) and b"\nMessage-ID:" in head else "text"


def language_by_name(path: str) -> str:
    """Name the programming or markup language of source code."""
    return language_of(path) or ""


def _kind_of_archive(head: bytes) -> Kind | None:
    if b"mimetypeapplication/epub+zip" in head:
        return "epub"
    return "docx" if b"word/" in head or b"[Content_Types].xml" in head else None
