"""Source text as bytes: what a node says, on which line, under which comment."""

from __future__ import annotations

import bisect
import re
from functools import cache
from io import BytesIO
from itertools import accumulate
from typing import Final

from tree_sitter import Node

__all__ = ["SourceText", "child_at", "clean_comment", "collapse"]

_SIGNATURE_LENGTH: Final = 300
_DOC_LENGTH: Final = 1_000
# A comment is looked for in so many bytes above a definition.
_COMMENT_BYTES: Final = 4_000
_COMMENT_MARKS: Final = re.compile(r"^[ \t]*(?:/\*+!?|\*+/|\*(?!\*)|//+!?|#+|--+|%+|;+)?[ \t]?")
_QUOTED: Final = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
_OPENS_BODY: Final = " {:;="
_ATTRIBUTE_LINE: Final = re.compile(
    rb"[ \t]*(?:#!?\[.*\]|@[\w.]+(?:\(.*\))?|\[[\w.]+(?:\(.*\))?\])[ \t]*$"
)


class SourceText:
    """The bytes of a file, with the places of its line breaks and one in front of it."""

    __slots__ = ("_characters", "_comment", "breaks", "data")

    def __init__(self, data: bytes, comment: bytes = b"//") -> None:
        self.data = data
        self._comment = comment
        # Where a byte is a character, cutting takes a quarter of the time of decoding.
        self._characters = data.decode("ascii") if data.isascii() else None
        self.breaks = [*accumulate(map(len, BytesIO(data)), initial=-1)]
        if data and not data.endswith(b"\n"):
            self.breaks.pop()

    def line(self, position: int) -> int:
        """Tell the line, counted from 1, of a byte."""
        return bisect.bisect_left(self.breaks, position)

    def of(self, node: Node) -> str:
        """Read what a node says."""
        return self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> str:
        """Read the text between two bytes."""
        if self._characters is not None:
            return self._characters[start:end]
        return self.data[start:end].decode("utf-8", "replace")

    def signature(self, start: int, end: int) -> str:
        """Read a head in one line, without comments and without what opens the body."""
        end = min(end, start + 4 * _SIGNATURE_LENGTH)
        if self._characters is not None:
            head = self._characters[start:end]
        else:
            head = self.data[start:end].decode("utf-8", "ignore")
        mark = self._comment.decode()
        if mark in head:
            head = _line_comments(mark).sub(_text_in_quotes, head)
        return _without_opening(collapse(head)[:_SIGNATURE_LENGTH])

    def comment_above(self, start: int) -> str:
        """Read the comment that ends on the line above a byte."""
        if not self._may_have_comment(start):
            return ""
        floor = max(0, start - _COMMENT_BYTES)
        lines = self.data[floor:start].split(b"\n")
        if lines.pop().strip() not in {b"", b"type"}:
            return ""
        while lines and _ATTRIBUTE_LINE.match(lines[-1]):
            lines.pop()
        if not lines:
            return ""
        if lines[-1].rstrip().endswith(b"*/"):
            return _block_comment(lines)
        first = len(lines)
        while first and lines[first - 1].lstrip().startswith(self._comment):
            first -= 1
        return clean_comment(b"\n".join(lines[first:]).decode("utf-8", "replace"))

    def _may_have_comment(self, start: int) -> bool:
        # Most definitions stand under an empty line, which is cheaper to see than to cut.
        line_end = self.data.rfind(b"\n", 0, start)
        if line_end < 0 or self.data.endswith(b"\n", 0, line_end):
            return False
        above = self.data[self.data.rfind(b"\n", 0, line_end) + 1 : line_end].strip()
        return above.startswith((self._comment, b"@", b"#", b"[")) or above.endswith(b"*/")


@cache
def _line_comments(mark: str) -> re.Pattern[str]:
    # A mark in quotes begins no comment, and neither does one inside of a word.
    return re.compile(rf"({_QUOTED})|(?:^|(?<=\s)){re.escape(mark)}[^\n]*", re.MULTILINE)


def _text_in_quotes(found: re.Match[str]) -> str:
    return found[1] or ""


def _without_opening(head: str) -> str:
    bare = head.rstrip(_OPENS_BODY)
    while bare.endswith("=>"):
        bare = bare[:-2].rstrip(_OPENS_BODY)
    return bare


def _block_comment(lines: list[bytes]) -> str:
    above = b"\n".join(lines).rstrip()
    opening = above.rfind(b"/*")
    if opening < 0 or above.rfind(b"\n", 0, opening) != _last_break(above, opening):
        return ""
    return clean_comment(above[opening:].decode("utf-8", "replace"))


def _last_break(above: bytes, opening: int) -> int:
    # A comment behind code on the same line belongs to that code.
    line_start = above.rfind(b"\n", 0, opening)
    return line_start if not above[line_start + 1 : opening].strip() else -2


def clean_comment(comment: str) -> str:
    """Take the comment marks off."""
    body = comment.strip().removesuffix("*/")
    lines = (_COMMENT_MARKS.sub("", line, count=1).rstrip() for line in body.split("\n"))
    return "\n".join(lines).strip()[:_DOC_LENGTH]


def collapse(text: str) -> str:
    """Write text in one line."""
    return " ".join(text.split())


def child_at(node: Node, index: int) -> Node | None:
    """Return a named child, if there are so many."""
    # py-tree-sitter 0.26 raises where its stubs promise None.
    return node.named_child(index) if 0 <= index < node.named_child_count else None
