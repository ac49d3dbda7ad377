"""Definitions that a grammar loses where it gives up, found again by how they are laid out.

Macros make C and Objective-C what no grammar without a preprocessor can parse: `LUA_API T f(x) {`,
`UV_REQ_FIELDS` in a struct, C++ in an `.mm` file. The heads still begin at the left margin, and
what they open ends there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

from zapomni_core.code.model import Kind
from zapomni_core.code.parsing.reading import Captures, Draft, Reader, Reading
from zapomni_core.code.parsing.text import SourceText

__all__ = ["lost_in_c", "lost_in_objc", "recovering"]

type Lost = Callable[[bytes, SourceText], Iterator[Draft]]

_SILENT: Final = re.compile(
    rb"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)
_NOT_A_LINE_END: Final = re.compile(rb"[^\n]")
_MACRO: Final = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\\\n|[^\n])*", re.MULTILINE)
_FUNCTION: Final = re.compile(
    rb"^(?:[A-Za-z_]\w*[ \t*]+)+?\(?(?!(?:if|for|while|switch|return)\b)([A-Za-z_]\w*)\)?[ \t]*"
    rb"\((?:[^;{}()]|\((?:[^;{}()]|\([^;{}()]*\))*\))*\)\s*(?=\{)",
    re.MULTILINE,
)
_RECORD: Final = re.compile(
    rb"^(?:typedef[ \t]+)?(struct|union|enum)[ \t]+(\w+)\s*(?=\{)", re.MULTILINE
)
_FUNCTION_TYPE: Final = re.compile(
    rb"^typedef\b[^;{}()]*\([\w \t]*\*[ \t]*(\w+)\s*\)\s*\([^;{}]*;", re.MULTILINE
)
_TYPE: Final = re.compile(rb"^typedef\b[^;{}()]*?\b(\w+)[ \t]*(?:\[[^;\]]*\])*;", re.MULTILINE)
_CLOSED_TYPE: Final = re.compile(rb"^\}[ \t]*(?:[A-Z_]+[ \t]+)?(\w+)[ \t]*;", re.MULTILINE)
_CLOSING: Final = re.compile(rb"^\}[^\n]*", re.MULTILINE)
_CLASS: Final = re.compile(
    rb"^@(implementation|interface|protocol)\s+(\w+)(?![^\n]*;)", re.MULTILINE
)
_END: Final = re.compile(rb"^@end\b", re.MULTILINE)
_METHOD: Final = re.compile(rb"^[-+]\s*\([^;{}#\\]*(?=([{;]))", re.MULTILINE)
_BRACKETS: Final = re.compile(rb"\([^()]*\)")
_LABEL: Final = re.compile(rb"([A-Za-z_]\w*)?[ \t]*:|([A-Za-z_]\w*)")
_RUN: Final = frozenset({"function", "method"})


def recovering(reader: Reader, lost: Lost) -> Reader:
    """Let a reader add what stands in a file whose grammar gave up somewhere."""

    def read(captures: Captures, text: SourceText) -> Reading:
        reading = reader(captures, text)
        if captures.get("error"):
            reading.drafts = _together(
                reading.drafts, list(lost(_without_silent(text.data), text))
            )
            heads = {draft.at for draft in reading.drafts}
            reading.calls = [call for call in reading.calls if call[0] not in heads]
        return reading

    return read


def _together(parsed: list[Draft], laid_out: list[Draft]) -> list[Draft]:
    """Add what was lost, and drop what a grammar makes of the body of a lost function."""
    known = {draft.at for draft in parsed}
    lost = [draft for draft in laid_out if draft.at not in known]
    bodies = sorted((draft.at, draft.end) for draft in lost if draft.kind in _RUN)
    starts = [start for start, _ in bodies]

    def is_inside(draft: Draft) -> bool:
        place = bisect_left(starts, draft.at) - 1
        return draft.kind in _RUN and place >= 0 and draft.at < bodies[place][1]

    return [draft for draft in parsed if not is_inside(draft)] + lost


def lost_in_c(plain: bytes, text: SourceText) -> Iterator[Draft]:
    """Find macros, functions, records and types at the left margin."""
    for found in _MACRO.finditer(plain):
        yield _draft(found, "macro", found.end(), text)
    for found in _FUNCTION.finditer(plain):
        yield _draft(found, "function", _closing(plain, found.end()), text)
    for found in _RECORD.finditer(plain):
        kind: Kind = (
            "enum" if found[1] == b"enum" else "union" if found[1] == b"union" else "struct"
        )
        yield _draft(found, kind, _closing(plain, found.end()), text, group=2)
    for pattern in (_FUNCTION_TYPE, _TYPE, _CLOSED_TYPE):
        for found in pattern.finditer(plain):
            yield _draft(found, "type", found.end(), text)


def lost_in_objc(plain: bytes, text: SourceText) -> Iterator[Draft]:
    """Find classes, protocols and their methods as well."""
    yield from lost_in_c(plain, text)
    for found in _CLASS.finditer(plain):
        ending = _END.search(plain, found.end())
        kind: Kind = "interface" if found[1] == b"protocol" else "class"
        yield _draft(found, kind, ending.end() if ending else len(plain), text, group=2)
    for found in _METHOD.finditer(plain):
        named = _selector(found)
        if named is not None:
            is_body = found[1] == b"{"
            end = _closing(plain, found.end()) if is_body else found.end() + 1
            yield _made(*named, "method", (found.start(), end, found.end()), text)


def _without_silent(source: bytes) -> bytes:
    """Blank comments and strings; every byte stays where it is."""
    return _SILENT.sub(lambda found: _NOT_A_LINE_END.sub(b" ", found[0]), source)


def _closing(plain: bytes, start: int) -> int:
    line_end = plain.find(b"\n", start)
    line = plain[start : line_end if line_end >= 0 else len(plain)]
    if line.count(b"{") and line.count(b"{") == line.count(b"}"):
        return start + len(line.rstrip())
    closing = _CLOSING.search(plain, start)
    return closing.end() if closing else len(plain)


def _selector(found: re.Match[bytes]) -> tuple[str, int] | None:
    """Join the labels of a method: `- (T)a:(U)b c:(V)d` is called `a:c:`."""
    head, before = found[0], b""
    while head != before:
        before, head = head, _BRACKETS.sub(lambda inner: b" " * len(inner[0]), head)
    first = _LABEL.search(head)
    if first is None:
        return None
    at = found.start() + first.start()
    if first[2] is not None:
        return first[2].decode(), at
    labels = [label[1] or b"" for label in _LABEL.finditer(head) if label[2] is None]
    return "".join(f"{label.decode()}:" for label in labels), at


def _draft(
    found: re.Match[bytes], kind: Kind, end: int, text: SourceText, group: int = 1
) -> Draft:
    name = found[group].decode("utf-8", "replace")
    return _made(name, found.start(group), kind, (found.start(), end, found.end()), text)


def _made(name: str, at: int, kind: Kind, span: tuple[int, int, int], text: SourceText) -> Draft:
    start, end, head_end = span
    return Draft(
        name,
        kind,
        at,
        start,
        end,
        start,
        signature=text.signature(start, head_end),
        doc=text.comment_above(start),
    )
