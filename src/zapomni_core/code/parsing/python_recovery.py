"""Python's definitions where the grammar gave up, found again by their indentation.

Somebody is in the middle of writing, or a bracket goes on further left than where it began
(the grammar takes that for the end of a block): the heads stand where they stood.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from zapomni_core.code.model import Kind
from zapomni_core.code.parsing.reading import Draft
from zapomni_core.code.parsing.text import SourceText

__all__ = ["lost_in_python"]

_SILENT: Final = re.compile(
    rb"""(\"{3}|'{3})(?:\\.|.)*?\1|\#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)
_NOT_A_LINE_END: Final = re.compile(rb"[^\n]")
_HEAD: Final = re.compile(rb"^([ \t]*)((?:async[ \t]+)?def|class)[ \t]+(\w+)", re.MULTILINE)
_LINE: Final = re.compile(rb"^([ \t]*)([^\s])", re.MULTILINE)
_SIGN: Final = re.compile(rb"[()\[\]{}:]")
_STEPS: Final = {b"(": 1, b"[": 1, b"{": 1, b")": -1, b"]": -1, b"}": -1, b":": 0}
_CLOSING: Final = b")]}"
_LONGEST_HEAD: Final = 2_000
_BASES: Final = re.compile(rb"\(([^()]*)\)\s*\Z")
_BASE: Final = re.compile(r"[A-Za-z_][\w.]*")


def lost_in_python(text: SourceText, known: Collection[int]) -> Iterator[Draft]:
    """Yield the definitions whose first bytes are not among those that are known."""
    code = _SILENT.sub(lambda found: _NOT_A_LINE_END.sub(b" ", found[0]), text.data)
    for head in _HEAD.finditer(code):
        at = head.start(2)
        colon = _end_of_head(code, head.end()) if at not in known else None
        if colon is None:
            continue
        kind: Kind = "class" if head[2] == b"class" else "function"
        name = head[3].decode("utf-8", "replace")
        yield Draft(
            name=name,
            kind=kind,
            at=at,
            start=at,
            end=_end_of_block(code, colon, len(head[1])),
            inner=colon,
            signature=text.signature(at, colon),
            doc=text.comment_above(at),
            bases=_bases(code[head.end() : colon]) if kind == "class" else (),
            exported=not name.startswith("_") or name.endswith("__"),
        )


def _end_of_head(code: bytes, start: int) -> int | None:
    depth = 0
    for sign in _SIGN.finditer(code, start, start + _LONGEST_HEAD):
        depth += _STEPS[sign[0]]
        if sign[0] == b":" and depth == 0:
            return sign.end()
    return None


def _end_of_block(code: bytes, start: int, indentation: int) -> int:
    end = len(code)
    for line in _LINE.finditer(code, code.find(b"\n", start) + 1 or end):
        if len(line[1]) <= indentation and line[2] not in _CLOSING:
            end = line.start()
            break
    return start + max(len(code[start:end].rstrip()), 1)


def _bases(head: bytes) -> tuple[str, ...]:
    listed = _BASES.search(head.rstrip(b": \t"))
    written = "" if listed is None else listed[1].decode("utf-8", "replace")
    return tuple(each.strip() for each in written.split(",") if _BASE.fullmatch(each.strip()))
