"""Lines of a text by offset, for every line ending that str.splitlines knows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ENDING = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_INDENT = rf"[^\S{_ENDING}]"
_LINE = re.compile(
    rf"(?:{_INDENT}*+[{_ENDING}])++(?:{_INDENT}++\Z)?+"
    rf"|{_INDENT}*+(?P<content>[^{_ENDING}]++)(?:\r\n|[{_ENDING}])?+"
    rf"|{_INDENT}++\Z"
)


@dataclass(frozen=True, slots=True)
class Line:
    """Locate a line without its ending; `first` is its first visible character, -1 if blank."""

    start: int
    first: int
    end: int

    @property
    def is_blank(self) -> bool:
        return self.first < 0


def read_lines(text: str, start: int, end: int) -> Iterator[Line]:
    """Yield the lines of `text[start:end]` in order, a run of blank lines as one."""
    for match in _LINE.finditer(text, start, end):
        line_start = match.start()
        first, line_end = match.span("content")
        yield Line(line_start, first, line_end if first >= 0 else match.end())


def trimmed_end(text: str, start: int, end: int) -> int:
    """Return `end` moved back over trailing whitespace."""
    return start + len(text[start:end].rstrip())
