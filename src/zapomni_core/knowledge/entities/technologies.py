"""Known technologies: where a text names one, and how certain that is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Technology", "is_known", "technologies_in"]

LIST = Path(__file__).with_name("technologies.txt")
FIRST_WORD = re.compile(r"[^\W_]+|\.(?=NET)")
# After a name: neither the rest of a longer word nor a name in an address.
NAME_GOES_ON = re.compile(r"\w|[-+#]\w|[+#]|\.[A-Za-z]\w*\(|@|://|\.(?:com|org|net|io)\b")
NAME_WENT_ON = re.compile(r"[\w@/\\#-]$|\w\.$")


@dataclass(frozen=True, slots=True)
class Technology:
    """A listed name in a text; one that is not certain needs a text about technology."""

    start: int
    end: int
    is_certain: bool


@dataclass(frozen=True, slots=True)
class _Listed:
    name: str
    mark: str

    def read(self, written: str) -> bool | None:
        """Tell whether this is certainly the technology; None if it is not it at all."""
        if written == self.name:
            return self.mark != "?"
        if self.mark == "?":
            return None
        return False if self.mark == "=" else len(written) > 3 or written.isupper()


def technologies_in(text: str) -> Iterator[Technology]:
    """Yield the listed names in a text, in order, the longest where several begin."""
    done = 0
    for word in FIRST_WORD.finditer(text):
        if word.start() < done:
            continue
        for listed in _BY_FIRST_WORD.get(word[0].casefold(), ()):
            end = word.start() + len(listed.name)
            written = text[word.start() : end]
            if written.casefold() != listed.name.casefold() or not _is_whole(
                text, word.start(), end
            ):
                continue
            is_certain = listed.read(written)
            if is_certain is not None:
                yield Technology(word.start(), end, is_certain)
                done = end
                break


def is_known(name: str) -> bool:
    """Tell whether the list has a name."""
    return name.casefold() in _NAMES


def _is_whole(text: str, start: int, end: int) -> bool:
    return not NAME_GOES_ON.match(text, end) and not NAME_WENT_ON.search(text[:start][-2:])


def _listed() -> Iterator[_Listed]:
    for line in LIST.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            for entry in line.split(", "):
                mark = entry[0] if entry[0] in "=?" else ""
                yield _Listed(entry.removeprefix(mark), mark)


def _by_first_word() -> dict[str, list[_Listed]]:
    table: dict[str, list[_Listed]] = {}
    for listed in sorted(_listed(), key=lambda one: -len(one.name)):
        first = FIRST_WORD.match(listed.name)
        assert first is not None
        table.setdefault(first[0].casefold(), []).append(listed)
    return table


_BY_FIRST_WORD = _by_first_word()
_NAMES = frozenset(listed.name.casefold() for listed in _listed())
