"""Lines of a file that name something, and what sort of line each is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

__all__ = ["NamingLine", "Sort", "named", "naming_lines", "sort_of"]

_HASHES = {"bash", "elixir", "graphql", "julia", "make", "perl", "powershell", "python"}
_HASHES |= {"r", "ruby", "starlark", "toml", "yaml"}
_DASHES: Final = frozenset({"haskell", "lua", "sql"})
_COMMENTS: Final = {
    **dict.fromkeys(_HASHES, re.compile(r"\s*#")),
    **dict.fromkeys(_DASHES, re.compile(r"\s*--")),
    "erlang": re.compile(r"\s*%"),
    # `#[Route]` is an attribute.
    "php": re.compile(r"\s*(?://|#(?!\[)|/\*|\*(?:\s|/|$))"),
}
# `*out = f` is none, ` * f` stands in one.
_SLASHES: Final = re.compile(r"\s*(?://|/\*|\*(?:\s|/|$))")
_QUOTES: Final = ('"""', "'''")
_BEGINS: Final = (
    r"[ \t]*(?:from\s+\S+\s+import\b|import\b|(?:pub(?:\([^)\n]*\))?\s+)?use\s+[\w\\:{]"
    r"|using\s+[\w.]+\s*;|export\s*(?:type\s*)?[{*]|require(?:_relative)?\b|alias\s|open\s)"
)
_IMPORT: Final = re.compile(_BEGINS)
# Up to the name stands the beginning of an import in brackets that are still open.
_OPEN_IMPORT: Final = re.compile(rf"^{_BEGINS}[^\n({{]*[({{][^)}};]*\Z", re.MULTILINE)
_LONGEST_IMPORT: Final = 1_500


class Sort(IntEnum):
    """What a line is, those first that matter most to who changes what it names."""

    CODE = 0
    TEST = 1
    MARKUP = 2
    PROSE = 3
    IMPORT = 4


class NamingLine(NamedTuple):
    """A line, counted from 1, where it begins, where in it the name stands, and all of it."""

    number: int
    start: int
    at: int
    text: str


def named(name: str, language: str) -> re.Pattern[str]:
    """Make an expression that finds a name as it is written where it is used."""
    written = [name]
    if language == "ruby" and name.endswith("=") and name[:1].isidentifier():
        written.append(name[:-1])  # `def title=(x)` is used as `it.title = x`
    if language == "csharp":
        written.append(name.removesuffix("Attribute") or name)
    either = "|".join(map(re.escape, dict.fromkeys(written)))
    front = r"(?<!\w)" if name[:1].isidentifier() else ""
    behind = r"(?!\w)" if re.match(r"\w", written[-1][-1:]) else ""
    return re.compile(rf"{front}(?:{either}){behind}")


def naming_lines(text: str, language: str, name: re.Pattern[str]) -> Iterator[NamingLine]:
    """Find the lines with a name on them that are no comments."""
    comment = _COMMENTS.get(language, _SLASHES)
    number, counted, line_end = 1, 0, -1
    for found in name.finditer(text):
        at = found.start()
        if at < line_end:
            continue
        line_start = text.rfind("\n", 0, at) + 1
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        number, counted = number + text.count("\n", counted, line_start), line_start
        line = text[line_start:line_end]
        if not comment.match(line):
            yield NamingLine(number, line_start, at - line_start, line)


def sort_of(text: str, line: NamingLine, language: str) -> Sort:
    """Tell what sort of line of a text one is, wherever the text stands."""
    if language == "python" and _is_docstring(text, line):
        return Sort.PROSE
    if _IMPORT.match(line.text):
        return Sort.IMPORT
    before = text[max(0, line.start - _LONGEST_IMPORT) : line.start]
    return Sort.IMPORT if _OPEN_IMPORT.search(before) else Sort.CODE


def _is_docstring(text: str, line: NamingLine) -> bool:
    if line.text.lstrip(" \trR").startswith(_QUOTES):
        return True
    return sum(text.count(each, 0, line.start) for each in _QUOTES) % 2 == 1
