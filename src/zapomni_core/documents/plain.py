"""Files that are text already: prose, source code, Markdown, reStructuredText."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from zapomni_core.documents.dates import iso_date
from zapomni_core.documents.decoding import decoded
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.kinds import language_by_name
from zapomni_core.documents.model import Section
from zapomni_core.documents.outline import Outline

__all__ = ["add_markdown", "read_code", "read_markdown", "read_rst", "read_text"]

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_SETEXT: Final = re.compile(r" {0,3}(=+|-+)[ \t]*")
_NOT_SETEXT: Final = re.compile(r"[ \t]*(?:[-*+>|#]|\d+[.)])|    |\t")
_CLOSING: Final = re.compile(r"[ \t]+#+[ \t]*\Z")
_FRONT: Final = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD: Final = re.compile(r"(title|author|date):[ \t]*['\"]?([^\n]*?)['\"]?[ \t]*", re.IGNORECASE)
_EMBEDDED: Final = re.compile(r"data:[\w/+.;=-]{0,80};base64,[A-Za-z0-9+/=\s]{200,}")
_RST_RULE: Final = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*")


class _Heading(NamedTuple):
    level: int
    title: str
    height: int


def read_text(raw: bytes, draft: Draft) -> None:
    """Take a text as it is."""
    text = decoded(raw)
    draft.add(Section(text, lines=_all_lines(text)))


def read_code(raw: bytes, draft: Draft) -> None:
    """Take source code as it is."""
    draft.language = language_by_name(draft.name)
    read_text(raw, draft)


def read_markdown(raw: bytes, draft: Draft) -> None:
    """Cut Markdown at its headings; the text stays as it is written."""
    text = _normal(decoded(raw))
    first = 1
    if front := _FRONT.match(text):
        _take_fields(front[1], draft)
        first += front[0].count("\n")
        text = text[front.end() :]
    outline = Outline(draft, gap="\n")
    add_markdown(text, outline, draft, first)
    outline.close()


def add_markdown(text: str, outline: Outline, draft: Draft, first: int | None = None) -> None:
    """Put the lines of a Markdown text under their headings."""
    text, images = _EMBEDDED.subn(lambda found: "data:" + "\n" * found[0].count("\n"), text)
    if images:
        draft.leave_out("embedded images", images)
    lines = text.split("\n")
    fence, at = "", 0
    while at < len(lines):
        number = None if first is None else first + at
        fence = _fence_after(fence, lines[at])
        found = None if fence else _markdown_heading(lines, at)
        at += _put(outline, lines, at, number, found)


def read_rst(raw: bytes, draft: Draft) -> None:
    """Cut reStructuredText at its titles; the text stays as it is written."""
    outline = Outline(draft, gap="\n")
    styles: list[str] = []
    lines = _normal(decoded(raw)).split("\n")
    at = 0
    while at < len(lines):
        at += _put(outline, lines, at, at + 1, _rst_title(lines, at, styles))
    outline.close()


def _put(
    outline: Outline, lines: list[str], at: int, number: int | None, found: _Heading | None
) -> int:
    """Put what stands on a line, and say how many lines that were."""
    if found is None:
        outline.block(lines[at] or " ", number)
        return 1
    shown = "\n".join(lines[at : at + found.height])
    outline.heading(found.level, found.title, shown, number)
    return found.height


def _markdown_heading(lines: list[str], at: int) -> _Heading | None:
    text = lines[at]
    if found := _ATX.fullmatch(text):
        return _Heading(len(found[1]), _CLOSING.sub("", found[2]), 1)
    if at + 1 == len(lines) or not text.strip() or _NOT_SETEXT.match(text):
        return None
    if under := _SETEXT.fullmatch(lines[at + 1]):
        return _Heading(1 if under[1][0] == "=" else 2, text, 2)
    return None


def _rst_title(lines: list[str], at: int, styles: list[str]) -> _Heading | None:
    """Read a title; its level is the place of its style among those used so far."""
    over = _RST_RULE.fullmatch(lines[at])
    title, under = (*lines[at + bool(over) : at + bool(over) + 2], "", "")[:2]
    rule = _RST_RULE.fullmatch(under)
    if not title.strip() or not rule or _RST_RULE.fullmatch(title):
        return None
    if over and over[1] != rule[1]:
        return None
    # A line above a rule that is shorter or further left is the end of a table or a list.
    if len(under.rstrip()) < len(title.rstrip()) or (title[0].isspace() and not over):
        return None
    style = rule[1] * (2 if over else 1)
    if style not in styles:
        styles.append(style)
    return _Heading(styles.index(style) + 1, title, 3 if over else 2)


def _fence_after(fence: str, text: str) -> str:
    found = _FENCE.match(text)
    if found is None:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) and not text[found.end() :].strip() else fence


def _take_fields(front: str, draft: Draft) -> None:
    for line in front.split("\n"):
        if found := _FIELD.fullmatch(line):
            match found[1].lower():
                case "title":
                    draft.title = found[2]
                case "author":
                    draft.author = found[2]
                case _:
                    draft.date = iso_date(found[2])


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _all_lines(text: str) -> tuple[int, int]:
    """Tell the first and the last line that are not blank."""
    text = _normal(text)
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    return text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
