"""DOCX: the body of the text with its headings, lists, tables and notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zapomni_core.documents.archive import Archive
from zapomni_core.documents.cleaning import collapsed, fenced
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.markup import parse_xml
from zapomni_core.documents.outline import Outline
from zapomni_core.documents.properties import Properties
from zapomni_core.documents.rows import Rows
from zapomni_core.documents.word_styles import Styles

__all__ = ["read_docx"]

_BODY: Final = "word/document.xml"
_STYLES: Final = "word/styles.xml"
_PROPERTIES: Final = "docProps/core.xml"
_NOTES: Final = (("word/footnotes.xml", "Footnotes"), ("word/endnotes.xml", "Endnotes"))
# The same shape for older programs; numbers of pages; text that was struck out.
_UNSEEN: Final = frozenset({"Fallback", "instrText", "delText", "del", "moveFrom"})
_SIGNS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_OLD_OR_ENCRYPTED: Final = b"\xd0\xcf\x11\xe0"


def read_docx(raw: bytes, draft: Draft) -> None:
    """Read a document of Word."""
    if raw.startswith(_OLD_OR_ENCRYPTED):
        raise draft.refused(
            "is encrypted or of the time before DOCX; save it as DOCX without a password"
        )
    archive = Archive(raw, draft)
    if _PROPERTIES in archive:
        properties = Properties(draft)
        parse_xml(archive.read(_PROPERTIES), properties, draft)
        properties.hand_over()
    styles = Styles()
    if _STYLES in archive:
        parse_xml(archive.read(_STYLES), styles, draft)
    outline, body = Outline(draft), archive.read(_BODY)
    if b"lastRenderedPageBreak" in body:
        outline.turn_page(1)
    parse_xml(body, _Body(draft, outline, styles), draft)
    outline.close()
    for path, title in _NOTES:
        if path in archive:
            notes = Outline(draft, (title,))
            parse_xml(archive.read(path), _Body(draft, notes, styles), draft)
            notes.close()


class _Body:
    def __init__(self, draft: Draft, outline: Outline, styles: Styles) -> None:
        self._draft = draft
        self._outline = outline
        self._styles = styles
        self._unseen = 0
        self._is_text = False
        self._inline: list[str] = []
        self._style = ""
        self._level: int | None = None
        self._list_depth: int | None = None
        self._code: list[str] = []
        self._tables: list[Rows] = []
        self._page = 1

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._unseen or tag in _UNSEEN:
            self._unseen += 1
            return
        match tag:
            case "p":
                self._inline, self._style = [], ""
                self._level = self._list_depth = None
            case "t":
                self._is_text = True
            case "tab" | "br" | "cr" | "noBreakHyphen":
                self._inline.append(_SIGNS[tag])
            case "lastRenderedPageBreak":
                self._turn_page()
            case "drawing" | "pict" | "object":
                self._draft.leave_out("images and drawings")
            case "tbl":
                self._start_table()
            case "tr" if self._tables:
                self._tables[-1].start_row()
            case _:
                self._take_property(tag, attributes)

    def _take_property(self, tag: str, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val", "")
        match tag:
            case "pStyle":
                self._style = value
            case "outlineLvl" if value.isdecimal() and int(value) < 9:
                self._level = int(value) + 1
            case "ilvl" if value.isdecimal():
                self._list_depth = min(int(value), 9)
            case "numId":
                self._list_depth = None if value == "0" else self._list_depth or 0

    def end(self, tag: str) -> None:
        if self._unseen:
            self._unseen -= 1
            return
        match tag:
            case "t":
                self._is_text = False
            case "p":
                self._end_paragraph()
            case "tc" if self._tables:
                self._end_code()
                self._tables[-1].end_cell()
            case "tr" if self._tables:
                self._tables[-1].end_row()
            case "tbl" if self._tables:
                self._end_table()

    def data(self, text: str) -> None:
        if self._is_text and not self._unseen:
            self._inline.append(text)

    def close(self) -> None:
        self._end_code()
        while self._tables:
            self._end_table()

    def _end_paragraph(self) -> None:
        text = "".join(self._inline)
        self._inline = []
        if self._styles.is_code(self._style):
            self._code.append(text)
            return
        self._end_code()
        if not text.strip():
            return
        is_in_table = bool(self._tables) and self._tables[-1].is_in_row
        level = self._level or self._styles.level_of(self._style)
        if self._styles.is_title(self._style) and not self._draft.title:
            self._draft.title = text
        if level and not is_in_table:
            self._outline.heading(level, collapsed(text))
        elif self._list_depth is None or is_in_table:
            self._put(text.strip("\n"))
        else:
            self._outline.item(f"{'  ' * self._list_depth}- {text.strip()}")

    def _put(self, text: str) -> None:
        if self._tables and self._tables[-1].is_in_row:
            self._tables[-1].add(text)
        else:
            self._outline.block(text)

    def _end_code(self) -> None:
        code, self._code = "\n".join(self._code), []
        if code.strip():
            self._put(fenced(code))

    def _turn_page(self) -> None:
        self._page += 1
        # A table or a paragraph that goes over two pages belongs to the first.
        if not self._tables and not "".join(self._inline).strip():
            self._outline.turn_page(self._page)

    def _start_table(self) -> None:
        self._end_code()
        for text in self._tables[-1].dissolved() if self._tables else ():
            self._outline.block(text)
        self._tables.append(Rows())

    def _end_table(self) -> None:
        if text := self._tables.pop().text():
            self._put(text)
