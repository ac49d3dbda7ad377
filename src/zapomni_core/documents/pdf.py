"""PDF: one section per page, under the headings of the bookmarks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from typing import Any, Final

from zapomni_core.documents.dates import iso_date
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.libraries import pdfium
from zapomni_core.documents.model import Section

__all__ = ["read_pdf"]

_WRONG_PASSWORD: Final = 4
_MAX_PAGES: Final = 20_000
_MAX_BOOKMARKS: Final = 5_000
_MAX_DEPTH: Final = 10
_FEWEST_PAGES: Final = 4
_PLACEHOLDERS: Final = frozenset({"anonymous", "unknown", "unspecified", "untitled"})
_NUMBER: Final = re.compile(r"\d+")
# PDFium's sign for a hyphen that only divides a word at the end of a line.
_DIVIDED: Final = re.compile("\ufffe\r?\n?")

type _Bookmark = tuple[int, int, str]


def read_pdf(raw: bytes, draft: Draft) -> None:
    """Read the text of every page; scanned pages have none."""
    library = pdfium()
    try:
        with closing(library.PdfDocument(raw)) as document:
            _read(document, draft, library.PdfiumError)
    except library.PdfiumError as exc:
        if getattr(exc, "err_code", None) == _WRONG_PASSWORD:
            raise draft.refused("is encrypted; save a copy without a password") from exc
        raise draft.refused("is no PDF that can be read; print it to a new PDF file") from exc


def _read(document: Any, draft: Draft, failure: type[Exception]) -> None:
    count = len(document)
    if count > _MAX_PAGES:
        raise draft.refused(f"has more than {_MAX_PAGES:,} pages; split it into smaller files")
    facts = document.get_metadata_dict()
    draft.title, draft.author = _stated(facts, "Title"), _stated(facts, "Author")
    draft.date = iso_date(facts.get("CreationDate", "")) or iso_date(facts.get("ModDate", ""))
    pages = [_text_of(document, number, draft, failure) for number in range(count)]
    headings = _headings(_bookmarks(document, failure), count)
    for number, text in enumerate(_without_running_lines(pages)):
        if text.strip():
            draft.add(Section(text, headings[number], page=number + 1))
        else:
            draft.leave_out("pages without text (pictures of text are not read)")


def _stated(facts: dict[str, str], name: str) -> str:
    value = facts.get(name, "").strip()
    return "" if value.lower().strip("()") in _PLACEHOLDERS else value


def _text_of(document: Any, number: int, draft: Draft, failure: type[Exception]) -> str:
    try:
        with closing(document[number]) as page, closing(page.get_textpage()) as text:
            found = str(text.get_text_bounded())
    except failure:
        draft.leave_out("broken pages")
        return ""
    return _DIVIDED.sub("", found).replace("\r\n", "\n")


def _bookmarks(document: Any, failure: type[Exception]) -> list[_Bookmark]:
    found = []
    try:
        for each in islice(document.get_toc(max_depth=_MAX_DEPTH), _MAX_BOOKMARKS):
            target = each.get_dest()
            page = None if target is None else target.get_index()
            if page is not None:
                found.append((page, each.level, each.get_title()))
    except failure:
        return []
    return found


def _headings(bookmarks: Sequence[_Bookmark], count: int) -> list[tuple[str, ...]]:
    """Tell for every page which headings it begins under, or is the first to begin."""
    ahead = sorted(enumerate(bookmarks), key=lambda each: (each[1][0], each[0]))
    position, path, found = 0, list[tuple[int, str]](), []
    for page in range(count):
        shown: tuple[str, ...] | None = None
        while position < len(ahead) and ahead[position][1][0] <= page:
            _, (_, level, title) = ahead[position]
            path = [*(each for each in path if each[0] < level), (level, title)]
            shown = shown or (
                tuple(each for _, each in path) if _begins(ahead, position) else None
            )
            position += 1
        found.append(shown or tuple(each for _, each in path))
    return found


def _begins(ahead: Sequence[tuple[int, _Bookmark]], position: int) -> bool:
    """Tell if a bookmark is not just the parent of the next one on the same page."""
    if position + 1 == len(ahead):
        return True
    (page, level, _), (next_page, next_level, _) = ahead[position][1], ahead[position + 1][1]
    return next_page != page or next_level <= level


def _without_running_lines(pages: Sequence[str]) -> list[str]:
    """Drop the first and the last line of a page where most pages have the same one."""
    if len(pages) < _FEWEST_PAGES:
        return list(pages)
    stripped = [page.strip("\n").split("\n") for page in pages]
    for end in (0, -1):
        seen = Counter(_NUMBER.sub("#", lines[end].strip()) for lines in stripped if lines)
        common = {line for line, times in seen.items() if line and times > len(pages) / 2}
        for lines in stripped:
            if lines and _NUMBER.sub("#", lines[end].strip()) in common:
                lines.pop(end)
    return ["\n".join(lines) for lines in stripped]
