"""A look for the name of a symbol in files as they are now."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from zapomni_core.code.files.screening import decoded
from zapomni_core.code.files.secrets import redacted
from zapomni_core.code.files.tests import is_test_path
from zapomni_core.code.languages import PLAIN_LANGUAGES, TEXT_LANGUAGES
from zapomni_core.code.lines import NamingLine, Sort, named, naming_lines, sort_of
from zapomni_core.code.parsing.opening import Inside, Unreadable
from zapomni_core.code.resolution.modules import world_of
from zapomni_core.code.results import CodeUse

__all__ = ["Hit", "Look", "Named", "Place", "Seen"]

_MOST_FILES: Final = 40
_ENOUGH_USES: Final = 40
_MOST_HITS: Final = 200
_MOST_BYTES: Final = 400_000
_MOST_CHARS: Final = 160
# To blank out the secrets of a whole file takes a hundred times as long as to find a name in it;
# those that reach over lines do not reach over more, but for keys that have a head.
_CHARS_AROUND: Final = 1_000
_HEAD_OF_KEY: Final = "-----BEGIN "
# Sentences that only happen to have a word in them; tables, templates and markup name code.
_PROSE: Final = frozenset({"asciidoc", "latex", "markdown", "org", "rst", "text", "typst"})
_MARKUP: Final = frozenset(TEXT_LANGUAGES) - _PROSE
_CALLED: Final = re.compile(r"[\w$]+[!?]?\s*\(")

# Names in such a file are written in other bytes.
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

type Place = tuple[str, int]


class Hit(NamedTuple):
    """A line with the name on it, in a text from which it is to be shown without secrets."""

    sort: Sort
    path: str
    line: NamingLine
    text: str
    language: str

    def use(self) -> CodeUse:
        """Show the line."""
        shown = _without_secrets(self.text, self.line, self.language)
        return CodeUse(self.path, self.line.number, _cut(shown, self.line.at))


class Seen(NamedTuple):
    """What a look through files has found, and whether they were all read."""

    hits: list[Hit]
    is_whole: bool


class Named(NamedTuple):
    """A name to look for, of something that stands in a file and is written in a language.

    Both are empty for a name of nobody knows what.
    """

    name: str
    language: str = ""
    path: str = ""


class Look:
    """A look for lines with a name, but for places that are known.

    If these are not all that are, no line is told that looks like a call.
    """

    def __init__(
        self, root: Path, of: Named, known: Collection[Place] = (), *, has_all: bool = True
    ) -> None:
        self._root = root
        self._of = of
        self._known = known
        self._has_all = has_all
        self._name = named(of.name, of.language)
        # What its name is shortened to where it is used, at the most.
        self._stem = of.name.removesuffix("=").removesuffix("Attribute").encode()

    def through(self, languages: Mapping[str, str]) -> Seen:
        """Read files, given with their languages, the nearest first, until enough is found."""
        hits: list[Hit] = []
        code = size = 0
        with Inside(str(self._root)) as inside:
            for count, path in enumerate(self._nearest(languages)):
                if size > _MOST_BYTES or count >= _MOST_FILES:
                    return Seen(hits, is_whole=False)
                text = self._text_with_name(inside, path)
                size += len(text)
                for hit in self._in_file(path, text, languages[path]) if text else ():
                    hits.append(hit)
                    code += hit.sort == Sort.CODE
                    if code >= _ENOUGH_USES or len(hits) >= _MOST_HITS:
                        return Seen(hits, is_whole=False)
        return Seen(hits, is_whole=True)

    def _nearest(self, languages: Mapping[str, str]) -> list[str]:
        """List files that can hold the name, those nearest to what it is of first."""
        _, of, own = self._of
        folder = PurePosixPath(own).parent
        alike = (
            path
            for path, language in languages.items()
            if path == own or not of or world_of(language) == world_of(of) or language in _MARKUP
        )
        return sorted(alike, key=lambda path: _distance(folder, path, own))

    def _text_with_name(self, inside: Inside, path: str) -> str:
        """Read a file, if the name is in it: in most it is not."""
        try:
            raw = inside.read(path).raw
        except Unreadable:
            return ""
        source = decoded(raw) if self._stem in raw or raw.startswith(_WIDE) else None
        return "" if source is None else source.text.decode(errors="replace")

    def _in_file(self, path: str, text: str, language: str) -> Iterator[Hit]:
        for line in naming_lines(text, language, self._name):
            is_call = not self._has_all and _CALLED.match(line.text, line.at)
            if not is_call and (path, line.number) not in self._known:
                sort = sort_of(text, line, language)
                if sort == Sort.CODE and language in _MARKUP:
                    sort = Sort.MARKUP
                elif sort == Sort.CODE and is_test_path(path):
                    sort = Sort.TEST
                yield Hit(sort, path, line, text, language)


def _without_secrets(text: str, line: NamingLine, language: str) -> str:
    near = max(0, line.start - _CHARS_AROUND)
    start = 0 if _HEAD_OF_KEY in text else text.rfind("\n", 0, near) + 1
    around = text[start : line.start + len(line.text) + _CHARS_AROUND].encode(errors="replace")
    blanked, _ = redacted(around, has_plain_values=language in PLAIN_LANGUAGES)
    return blanked.decode(errors="replace").split("\n")[text.count("\n", start, line.start)]


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
