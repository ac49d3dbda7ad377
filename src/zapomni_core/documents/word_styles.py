"""What the styles of a DOCX say of their paragraphs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["Styles"]

_HEADING: Final = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_CODE: Final = re.compile(
    r"(?:source|html)?[ _-]?(?:code|preformatted|verbatim)(?:[ _-](?:block|text))?", re.IGNORECASE
)
_MAX_BASES: Final = 10


class Styles:
    """Reads `styles.xml`; a style that says nothing is asked through the one it is based on."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._levels: dict[str, int] = {}
        self._bases: dict[str, str] = {}
        self._current = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val", "")
        match tag:
            case "style":
                self._current = attributes.get("styleId", "")
            case "name" if self._current:
                self._names[self._current] = value
            case "basedOn":
                self._bases[self._current] = value
            case "outlineLvl" if value.isdecimal() and int(value) < 9:
                self._levels[self._current] = int(value) + 1

    def end(self, tag: str) -> None:
        if tag == "style":
            self._current = ""

    def data(self, text: str) -> None:
        """Styles hold no text."""

    def close(self) -> None:
        """Everything is known at the end of each style."""

    def level_of(self, style: str) -> int | None:
        """Tell the level of a heading."""
        for each in self._chain(style):
            found = _HEADING.fullmatch(self._names.get(each, each))
            if found:
                return int(found[1])
            if each in self._levels:
                return self._levels[each]
        return None

    def is_title(self, style: str) -> bool:
        """Tell the title of the whole document."""
        return self._names.get(style, style).lower() == "title"

    def is_code(self, style: str) -> bool:
        """Tell lines of code."""
        return any(_CODE.fullmatch(self._names.get(each, each)) for each in self._chain(style))

    def _chain(self, style: str) -> list[str]:
        chain: list[str] = []
        while style and len(chain) < _MAX_BASES:
            chain.append(style)
            style = self._bases.get(style, "")
        return chain
