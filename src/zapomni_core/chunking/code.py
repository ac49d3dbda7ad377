"""Blocks of source code, found by indentation and blank lines alone."""

import re
from collections.abc import Iterator

from zapomni_core.chunking.lines import Line, read_lines, trimmed_end

_CLOSES = re.compile(r"[})\]]|end\b")
_CONTINUES = re.compile(
    r"[{})\]]|(?:end|else|elif|elsif|except|finally|catch|rescue|ensure|then|do|done|fi|esac)\b"
)
_TAB_WIDTH = 4
# Deeper levels than this are tried rarely and cost one more pass over the block each.
_LEVELS_TRIED = 8


def split_top_blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the outermost blocks: definitions and blank-line separated groups."""
    yield from _blocks_at(text, start, end, level=0)


def split_inner_blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the blocks of the shallowest indentation that divides `text[start:end]`.

    Yields nothing where no indentation divides it.
    """
    level = _dividing_level(text, start, end)
    if level is not None:
        yield from _blocks_at(text, start, end, level)


def split_code_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the lines that are not blank, without indentation."""
    for line in read_lines(text, start, end):
        if not line.is_blank:
            yield line.first, trimmed_end(text, line.first, line.end)


def _dividing_level(text: str, start: int, end: int) -> int | None:
    lines = read_lines(text, _line_start(text, start), end)
    levels = sorted({_indent(text, line) for line in lines if not line.is_blank})
    for level in levels[:_LEVELS_TRIED]:
        starts = _block_starts(text, start, end, level)
        if next(starts, None) is not None and next(starts, None) is not None:
            return level
    return None


def _blocks_at(text: str, start: int, end: int, level: int) -> Iterator[tuple[int, int]]:
    block: int | None = None
    for begin in _block_starts(text, start, end, level):
        if block is not None:
            yield block, trimmed_end(text, block, begin)
        block = begin
    if block is not None:
        yield block, trimmed_end(text, block, end)


def _block_starts(text: str, start: int, end: int, level: int) -> Iterator[int]:
    previous: Line | None = None
    after_blank = False
    for line in read_lines(text, _line_start(text, start), end):
        if line.is_blank:
            after_blank = True
            continue
        if previous is None or _begins_block(text, previous, line, level, after_blank):
            yield line.first
        previous, after_blank = line, False


def _begins_block(text: str, previous: Line, line: Line, level: int, after_blank: bool) -> bool:
    if _indent(text, line) > level or _CONTINUES.match(text, line.first, line.end):
        return False
    if after_blank or _indent(text, previous) > level:
        return True
    return _CLOSES.match(text, previous.first, previous.end) is not None


def _indent(text: str, line: Line) -> int:
    return len(text[line.start : line.first].expandtabs(_TAB_WIDTH))


def _line_start(text: str, place: int) -> int:
    """Return where the indentation in front of `place` begins."""
    while place and text[place - 1] in " \t":
        place -= 1
    return place
