"""A look for the name of a symbol in files as they are now."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from zapomni_core.code.files.screening import decoded
from zapomni_core.code.files.tests import is_test_path
from zapomni_core.code.languages import TEXT_LANGUAGES
from zapomni_core.code.lines import Sort, named, naming_lines
from zapomni_core.code.parsing.opening import Unreadable, read_inside
from zapomni_core.code.resolution.modules import world_of
from zapomni_core.code.results import CodeUse
from zapomni_core.code.sources import lines_of
from zapomni_db.code import Symbol

__all__ = ["Look", "Place", "Seen"]

_MOST_FILES: Final = 200
# As long as nothing is found: to be sure that nothing names a symbol, all files are read.
_MOST_FILES_AT_ALL: Final = 5_000
_ENOUGH_USES: Final = 60
# To blank out secrets takes 0.2 s for each megabyte.
_MOST_BYTES: Final = 2_000_000
_MOST_CHARS: Final = 160
# Sentences that only happen to have a word in them; tables, templates and markup name code.
_PROSE: Final = frozenset({"asciidoc", "latex", "markdown", "org", "rst", "text", "typst"})
_MARKUP: Final = frozenset(TEXT_LANGUAGES) - _PROSE
_CALLED: Final = re.compile(r"[\w$]+[!?]?\s*\(")

type Place = tuple[str, int]


class Seen(NamedTuple):
    """What a look through files has found, and whether they were all read."""

    uses: list[tuple[Sort, CodeUse]]
    is_whole: bool


class Look:
    """A look for lines with the name of a symbol, but for places that are known.

    If these are not all that are, no line is told that looks like a call.
    """

    def __init__(
        self, root: Path, symbol: Symbol, known: Collection[Place], *, has_all: bool
    ) -> None:
        self._root = root
        self._symbol = symbol
        self._known = known
        self._has_all = has_all
        self._name = named(symbol.name, symbol.language)

    def through(self, languages: Mapping[str, str]) -> Seen:
        """Read files, given with their languages, the nearest first, until enough is found."""
        uses: list[tuple[Sort, CodeUse]] = []
        code = size = 0
        for count, path in enumerate(self._nearest(languages)):
            is_enough = code >= _ENOUGH_USES or size > _MOST_BYTES
            is_much = count >= _MOST_FILES and (uses or count >= _MOST_FILES_AT_ALL)
            if is_enough or is_much:
                return Seen(uses, is_whole=False)
            if held := self._bytes_with_name(path):
                found = [*self._in_file(path, languages[path])]
                code += sum(sort == Sort.CODE for sort, _ in found)
                size += held
                uses += found
        return Seen(uses, is_whole=True)

    def _nearest(self, languages: Mapping[str, str]) -> list[str]:
        """List files that can name the symbol, those nearest to its definition first."""
        own = self._symbol.path
        world, folder = world_of(self._symbol.language), PurePosixPath(own).parent
        alike = (
            path
            for path, language in languages.items()
            if path == own or world_of(language) == world or language in _MARKUP
        )
        return sorted(alike, key=lambda path: _distance(folder, path, own))

    def _bytes_with_name(self, path: str) -> int:
        """Tell how long a file is that has the name in it; most have not."""
        try:
            raw = read_inside(str(self._root), path).raw
        except Unreadable:
            return 0
        source = decoded(raw)
        if source is None or not self._name.search(source.text.decode(errors="replace")):
            return 0
        return len(raw)

    def _in_file(self, path: str, language: str) -> Iterator[tuple[Sort, CodeUse]]:
        lines, is_test = lines_of(self._root, path), is_test_path(path)
        for number, at, sort in naming_lines(lines, language, self._name):
            line = lines[number - 1]
            is_call = not self._has_all and _CALLED.match(line, at)
            if not is_call and (path, number) not in self._known:
                told = Sort.MARKUP if language in _MARKUP else Sort.TEST if is_test else sort
                yield told if sort == Sort.CODE else sort, CodeUse(path, number, _cut(line, at))


def _cut(line: str, at: int) -> str:
    """Show a part of a long line with the name in it."""
    text = line.strip()
    start = max(0, at - (len(line) - len(line.lstrip())) - _MOST_CHARS // 2)
    return text if len(text) <= _MOST_CHARS else text[start : start + _MOST_CHARS]


def _distance(folder: PurePosixPath, path: str, own: str) -> tuple[bool, bool, int]:
    other = PurePosixPath(path).parent
    shared = sum(one == two for one, two in zip(folder.parts, other.parts, strict=False))
    away = len(folder.parts) + len(other.parts) - 2 * shared
    return path != own, is_test_path(path), away
