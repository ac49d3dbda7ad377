"""The files of the page, read once from the package."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["PageFile", "page_files"]

_MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as a browser gets it."""

    name: str
    content: bytes
    media_type: str
    etag: str


@cache
def page_files() -> tuple[PageFile, ...]:
    """Return every file of the page."""
    return tuple(_read())


def _read() -> Iterator[PageFile]:
    for entry in files("zapomni_mcp.web").joinpath("static").iterdir():
        media_type = _MEDIA_TYPES.get(entry.name.rpartition(".")[2])
        if media_type is not None:
            content = entry.read_bytes()
            etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
            yield PageFile(entry.name, content, media_type, etag)
