"""EPUB: the chapters in the order of reading."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from zapomni_core.documents.archive import Archive
from zapomni_core.documents.decoding import decoded
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.markup import parse_xml
from zapomni_core.documents.outline import Outline
from zapomni_core.documents.properties import Properties
from zapomni_core.documents.webpages import add_html

__all__ = ["read_epub"]

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_PAGES: Final = frozenset({"application/xhtml+xml", "text/html"})
_NCX: Final = "application/x-dtbncx+xml"
# In HTML `<title/>` begins a title and does not end it.
_CLOSED: Final = re.compile(r"<(a|div|i|b|em|p|script|span|style|td|th|title)\b([^<>]*)/>")
_HEADING: Final = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)


def read_epub(raw: bytes, draft: Draft) -> None:
    """Read a book."""
    archive = Archive(raw, draft)
    container = _Container()
    parse_xml(archive.read(_CONTAINER), container, draft)
    package = _Package(draft)
    parse_xml(archive.read(container.package), package, draft)
    package.properties.hand_over()
    folder = posixpath.dirname(container.package)
    locked = _locked_files(archive, draft)
    titles = _titles(archive, package, folder, draft)
    for address in package.chapters():
        path = _joined(folder, address)
        if path in locked:
            raise draft.refused("is protected by a shop's lock; get a copy without one")
        if path in archive:
            _add_chapter(decoded(archive.read(path)), titles.get(path, ""), path, draft)
        else:
            draft.leave_out("chapters that are missing in the file")


def _add_chapter(text: str, title: str, path: str, draft: Draft) -> None:
    above = (title,) if title and not _HEADING.search(text) else ()
    outline = Outline(draft, above, place=path)
    book = draft.title
    add_html(_CLOSED.sub(r"<\1\2></\1>", text), draft, outline)
    draft.title = book or draft.title
    outline.close()


def _locked_files(archive: Archive, draft: Draft) -> set[str]:
    if _ENCRYPTION not in archive:
        return set()
    encryption = _Encryption()
    parse_xml(archive.read(_ENCRYPTION), encryption, draft)
    return encryption.files


def _titles(archive: Archive, package: _Package, folder: str, draft: Draft) -> dict[str, str]:
    path = _joined(folder, package.contents)
    if not package.contents or path not in archive:
        return {}
    contents = _Contents(posixpath.dirname(path))
    parse_xml(archive.read(path), contents, draft)
    return contents.titles


def _joined(folder: str, address: str) -> str:
    path = unquote(address.partition("#")[0])
    return posixpath.normpath(posixpath.join(folder, path))


class _Container:
    def __init__(self) -> None:
        self.package = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "rootfile" and not self.package:
            self.package = attributes.get("full-path", "")

    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...
    def close(self) -> None: ...


class _Encryption:
    def __init__(self) -> None:
        self.files: set[str] = set()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "CipherReference":
            self.files.add(_joined("", attributes.get("URI", "")))

    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...
    def close(self) -> None: ...


class _Package:
    def __init__(self, draft: Draft) -> None:
        self.properties = Properties(draft)
        self.contents = ""
        self._items: dict[str, tuple[str, str]] = {}
        self._order: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.properties.start(tag, attributes)
        if tag == "item":
            kind, address = attributes.get("media-type", ""), attributes.get("href", "")
            self._items[attributes.get("id", "")] = (address, kind)
            if kind == _NCX:
                self.contents = address
        elif tag == "itemref":
            self._order.append(attributes.get("idref", ""))

    def end(self, tag: str) -> None:
        self.properties.end(tag)

    def data(self, text: str) -> None:
        self.properties.data(text)

    def close(self) -> None: ...

    def chapters(self) -> list[str]:
        """List the addresses of the pages in order, each once."""
        items = (self._items.get(name, ("", "")) for name in self._order)
        return list(dict.fromkeys(address for address, kind in items if kind in _PAGES))


class _Contents:
    """Reads a table of contents of the older form, which most books still carry."""

    def __init__(self, folder: str) -> None:
        self.titles: dict[str, str] = {}
        self._folder = folder
        self._label: list[str] = []
        self._is_label = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "navLabel":
            self._label, self._is_label = [], True
        elif tag == "content":
            path = _joined(self._folder, attributes.get("src", ""))
            self.titles.setdefault(path, "".join(self._label).strip())

    def end(self, tag: str) -> None:
        if tag == "navLabel":
            self._is_label = False

    def data(self, text: str) -> None:
        if self._is_label:
            self._label.append(text)

    def close(self) -> None: ...
