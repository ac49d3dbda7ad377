"""Lines of a file that name something, and what sort of line each is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

__all__ = ["NamingLine", "Sort", "named", "naming_lines"]

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
_QUOTES: Final = re.compile(r"\"\"\"|'''")
_IMPORT: Final = re.compile(
    r"\s*(?:from\s+\S+\s+import\b|import\b|(?:pub(?:\([^)]*\))?\s+)?use\s+[\w\\:{]"
    r"|using\s+[\w.]+\s*;|export\s*(?:type\s*)?[{*]|require(?:_relative)?\b|alias\s|open\s)"
)
_CLOSED: Final = {"(": ")", "{": "}"}
_OPENED: Final = re.compile(r"([({])[^)}]*$")


class Sort(IntEnum):
    """What a line is, those first that matter most to who changes what it names."""

    CODE = 0
    TEST = 1
    MARKUP = 2
    PROSE = 3
    IMPORT = 4


class NamingLine(NamedTuple):
    """A line, counted from 1, and where the name stands in it."""

    number: int
    at: int
    sort: Sort


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


def naming_lines(
    lines: Sequence[str], language: str, name: re.Pattern[str]
) -> Iterator[NamingLine]:
    """Find the lines with a name on them that are no comments."""
    comment = _COMMENTS.get(language, _SLASHES)
    is_prose, closing = False, ""
    for number, line in enumerate(lines, 1):
        begins_in_prose = is_prose
        if language == "python":
            begins_in_prose |= line.lstrip(" \trR").startswith(('"""', "'''"))
            is_prose ^= len(_QUOTES.findall(line)) % 2 == 1
        begins_in_import = closing
        if closing:
            closing = "" if closing in line else closing
        elif _IMPORT.match(line) and (opened := _OPENED.search(line)):
            closing = _CLOSED[opened[1]]
        found = name.search(line)
        if found and not comment.match(line):
            sort = Sort.CODE
            if begins_in_prose:
                sort = Sort.PROSE
            elif begins_in_import or _IMPORT.match(line):
                sort = Sort.IMPORT
            yield NamingLine(number, found.start(), sort)
