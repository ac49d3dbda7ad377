"""HTML: the text that a reader sees, written as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from zapomni_core.documents.cleaning import collapsed, fenced
from zapomni_core.documents.dates import iso_date
from zapomni_core.documents.decoding import decoded
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.libraries import etree
from zapomni_core.documents.outline import Outline
from zapomni_core.documents.rows import Rows

__all__ = ["add_html", "read_html"]

_UNSEEN_TAGS: Final = (
    "audio button canvas datalist dialog iframe nav noscript object option script select style"
    " svg template video"
)
_UNSEEN: Final = frozenset(_UNSEEN_TAGS.split())
_UNSEEN_ROLES: Final = frozenset({"banner", "contentinfo", "navigation", "search"})
_UNSEEN_CLASS_NAMES: Final = (
    "breadcrumb breadcrumbs headerlink linenodiv linenos menu nav navbar navigation skip-link"
    " sphinxsidebar visually-hidden"
)
_UNSEEN_CLASSES: Final = frozenset(_UNSEEN_CLASS_NAMES.split())
_ALWAYS_SEEN: Final = frozenset({"article", "body", "html", "main"})
# Line ends in the source of a page are blanks; this one is a line end.
_BREAK: Final = "\v"
_BLOCK_TAGS: Final = (
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure"
    " footer form header hr legend li main ol p section summary ul"
)
_BLOCKS: Final = frozenset(_BLOCK_TAGS.split())
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_DATES: Final = frozenset(
    {"article:published_time", "date", "datepublished", "dc.date", "dcterms.created"}
)
_AUTHORS: Final = frozenset({"author", "dc.creator", "article:author"})
# The words of such a link say nothing without its address.
_EMPTY_WORDS: Final = frozenset({"click here", "here", "link", "read more", "this", "this link"})
_LANGUAGE: Final = re.compile(r"\b(?:language|highlight|lang)-([\w+#]{1,20})")


def read_html(raw: bytes, draft: Draft) -> None:
    """Read a page of HTML."""
    outline = Outline(draft)
    add_html(decoded(raw), draft, outline)
    outline.close()


def add_html(text: str, draft: Draft, outline: Outline) -> None:
    """Put the blocks of a page under their headings."""
    lxml = etree()
    page = _Page(draft, outline)
    # Text longer than ten million characters is allowed: the input has a limit of its own.
    parser = lxml.HTMLParser(target=page, encoding="utf-8", huge_tree=True)
    try:
        # Without a first element an empty page is an error.
        lxml.fromstring(b"<body>" + text.encode("utf-8", "replace"), parser)
    except (lxml.LxmlError, ValueError) as exc:
        raise draft.refused("is no HTML that can be read; check the file") from exc


class _Page:
    """Takes the events of the parser, whose starts and ends are always in pairs."""

    def __init__(self, draft: Draft, outline: Outline) -> None:
        self._draft = draft
        self._outline = outline
        self._inline: list[str] = []
        self._unseen = 0
        self._pre = 0
        self._main = 0
        self._quote = 0
        self._language = ""
        self._item = ""
        self._lists: list[int | None] = []
        self._tables: list[Rows] = []
        self._title: list[str] | None = None
        self._links: list[tuple[str, int]] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._unseen or self._is_unseen(tag, attributes):
            self._unseen += 1
            return
        if tag in _BLOCKS or tag in _HEADINGS:
            self._flush()
        match tag:
            case "pre":
                self._flush()
                self._pre += 1
            case "br":
                self._inline.append("\n" if self._pre else _BREAK)
            case "a":
                self._links.append((attributes.get("href", ""), len(self._inline)))
            case "code" | "kbd" | "samp" if not self._pre:
                self._inline.append("`")
            case "img" | "meta":
                self._take_attributes(tag, attributes)
            case _:
                self._start_structure(tag)
        if found := _LANGUAGE.search(attributes.get("class", "")):
            self._language = found[1]

    def _start_structure(self, tag: str) -> None:
        match tag:
            case "title":
                self._title = []
            case "ul":
                self._lists.append(None)
            case "ol":
                self._lists.append(0)
            case "li":
                self._item = self._next_item()
            case "blockquote":
                self._quote += 1
            case "article" | "main":
                self._main += 1
            case "table":
                self._start_table()
            case "tr" if self._tables:
                self._tables[-1].start_row()
            case "td" | "th":
                self._flush()

    def end(self, tag: str) -> None:
        if self._unseen:
            self._unseen -= 1
            return
        if level := _HEADINGS.get(tag):
            self._end_heading(level)
        elif tag in _BLOCKS:
            self._flush()
        match tag:
            case "title":
                self._draft.title = self._draft.title or "".join(self._title or ())
                self._title = None
            case "pre":
                self._end_pre()
            case "a" if self._links:
                self._end_link()
            case "code" | "kbd" | "samp" if not self._pre:
                self._inline.append("`")
            case _:
                self._end_structure(tag)

    def _end_structure(self, tag: str) -> None:
        match tag:
            case "ul" | "ol" if self._lists:
                self._lists.pop()
            case "li":
                self._item = ""
            case "blockquote":
                self._quote = max(0, self._quote - 1)
            case "article" | "main":
                self._main = max(0, self._main - 1)
            case "td" | "th" if self._tables:
                self._flush()
                self._tables[-1].end_cell()
            case "tr" if self._tables:
                self._flush()
                self._tables[-1].end_row()
            case "table" if self._tables:
                self._end_table()

    def data(self, text: str) -> None:
        if self._title is not None:
            self._title.append(text)
        elif not self._unseen:
            self._inline.append(text)

    def comment(self, text: str) -> None:
        """Leave out what is no text."""

    def pi(self, target: str, data: str | None = None) -> None:
        """Leave out what is no text."""

    def close(self) -> None:
        self._flush()
        while self._tables:
            self._end_table()

    def _is_unseen(self, tag: str, attributes: Mapping[str, str]) -> bool:
        return (
            tag in _UNSEEN
            or (tag == "footer" and not self._main)
            or attributes.get("role") in _UNSEEN_ROLES
            or attributes.get("aria-hidden") == "true"
            or "hidden" in attributes
            or _has_unseen_class(tag, attributes)
        )

    def _flush(self) -> None:
        """End the paragraph at hand."""
        if self._pre:
            return
        lines = "".join(self._inline).split(_BREAK)
        self._inline.clear()
        self._links.clear()
        text = "\n".join(filter(None, map(collapsed, lines)))
        if text.strip("`"):
            self._put(text)

    def _put(self, text: str) -> None:
        if self._tables and self._tables[-1].is_in_row:
            self._tables[-1].add(text)
            return
        is_item, text = bool(self._item), self._item + text
        self._item = ""
        if self._quote:
            text = "\n".join(f"> {line}" for line in text.split("\n"))
        if is_item:
            self._outline.item(text)
        else:
            self._outline.block(text)

    def _end_heading(self, level: int) -> None:
        title = collapsed("".join(self._inline))
        if self._tables and self._tables[-1].is_in_row:
            self._flush()
            return
        self._inline.clear()
        self._links.clear()
        self._outline.heading(level, title)

    def _end_pre(self) -> None:
        self._pre = max(0, self._pre - 1)
        if self._pre:
            return
        code = "".join(self._inline)
        self._inline.clear()
        if code.strip():
            self._dissolve_table()
            self._put(fenced(code, self._language))
        self._language = ""

    def _end_link(self) -> None:
        address, start = self._links.pop()
        words = collapsed("".join(self._inline[start:])).lower()
        if words in _EMPTY_WORDS and address.startswith(("http://", "https://")):
            self._inline.append(f" ({address[:500]})")

    def _next_item(self) -> str:
        indent = "  " * (min(len(self._lists), 20) - 1)
        if not self._lists or self._lists[-1] is None:
            return f"{indent}- "
        self._lists[-1] += 1
        return f"{indent}{self._lists[-1]}. "

    def _start_table(self) -> None:
        self._flush()
        self._dissolve_table()
        self._tables.append(Rows())

    def _dissolve_table(self) -> None:
        """Take a table around code or around another table as what arranges the page."""
        for text in self._tables[-1].dissolved() if self._tables else ():
            self._outline.block(text)

    def _end_table(self) -> None:
        self._flush()
        if text := self._tables.pop().text():
            self._put(text)

    def _take_attributes(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "img":
            self._take_image(attributes.get("alt", ""))
            return
        name = (attributes.get("name") or attributes.get("property") or "").lower()
        if name in _AUTHORS:
            self._draft.author = self._draft.author or attributes.get("content", "")
        elif name in _DATES:
            self._draft.date = self._draft.date or iso_date(attributes.get("content", ""))

    def _take_image(self, words: str) -> None:
        if words.strip():
            self._inline.append(f" [image: {collapsed(words)}] ")
        self._draft.leave_out("images")


def _has_unseen_class(tag: str, attributes: Mapping[str, str]) -> bool:
    names = {*attributes.get("class", "").split(), attributes.get("id", "")}
    return tag not in _ALWAYS_SEEN and not _UNSEEN_CLASSES.isdisjoint(names)
