"""Pieces of Markdown and plain text: headings, fences, list items, lines and sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from zapomni_core.chunking.lines import Line, read_lines, trimmed_end
from zapomni_core.chunking.pieces import Grain, Kind, Piece, Rank
from zapomni_core.chunking.sentences import split_sentences

_MARKER = re.compile(
    r"(?P<fence>`{3,}(?=[^`]*\Z)|~{3,})"
    r"|(?P<heading>\#{1,6}(?=\s|\Z))"
    r"|(?P<underline>(?:={3,}|-{3,})\s*\Z)"
    r"|(?P<item>(?:[-*+•‣]|\d{1,3}[.)])\s)",
)
_FIRST_WORD = re.compile(r"[>\s]*(\S+)")
_WRAP_WIDTHS = range(40, 161)
_WIDEST_TITLE = 120


@dataclass(slots=True)
class _Block:
    """Hold lines that belong together; grows while they are read."""

    start: int
    end: int
    rank: Rank
    kind: Kind
    widest: int
    lines: int = 1

    def grow(self, line: Line) -> None:
        self.end = line.end
        self.lines += 1
        self.widest = max(self.widest, line.end - line.start)


def split_prose(text: str, start: int, end: int) -> Iterator[Piece]:
    """Yield the pieces of `text[start:end]` in order."""
    for block in _BlockReader(text).read(start, end):
        if block.kind is Kind.PROSE:
            yield from _split_paragraph(text, block)
        else:
            grain = Grain.OUTER_BLOCK if block.kind is Kind.CODE else Grain.LINE
            end = trimmed_end(text, block.start, block.end)
            yield Piece(block.start, end, block.rank, block.kind, grain)


class _BlockReader:
    """Group lines into blocks, keeping the one that may still grow."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: _Block | None = None
        self._fence = ""
        self._in_list = False

    def read(self, start: int, end: int) -> Iterator[_Block]:
        for line in read_lines(self._text, start, end):
            if self._fence:
                yield from self._read_fenced(line)
            elif line.is_blank:
                yield from self._close()
            else:
                yield from self._read_line(line)
        yield from self._close()

    def _read_fenced(self, line: Line) -> Iterator[_Block]:
        if line.is_blank or self._open is None:
            return
        self._open.grow(line)
        content = self._text[line.first : line.end].rstrip()
        if content.startswith(self._fence) and not content.strip(self._fence[0]):
            self._fence = ""
            yield from self._close()

    def _read_line(self, line: Line) -> Iterator[_Block]:
        match = _MARKER.match(self._text, line.first, line.end)
        marker = match.lastgroup if match else None
        if marker == "underline" and self._open is not None and self._is_title(self._open):
            yield self._underlined(self._open, line)
        elif marker == "heading":
            yield from self._close()
            self._in_list = False
            yield _begin(line, Rank.SECTION, Kind.HEADING)
        elif match and marker == "fence":
            yield from self._close()
            self._fence = match["fence"]
            self._open = _begin(line, Rank.PARAGRAPH, Kind.CODE)
        elif marker == "item":
            yield from self._begin_item(line)
        elif self._open is None:
            self._in_list = False
            self._open = _begin(line, Rank.PARAGRAPH, Kind.PROSE)
        else:
            self._open.grow(line)

    def _begin_item(self, line: Line) -> Iterator[_Block]:
        follows_list = self._in_list or self._open is not None
        yield from self._close()
        self._in_list = True
        rank = Rank.ITEM if follows_list else Rank.PARAGRAPH
        self._open = _begin(line, rank, Kind.PROSE)

    def _is_title(self, block: _Block) -> bool:
        return block.lines == 1 and block.widest <= _WIDEST_TITLE and not self._in_list

    def _underlined(self, title: _Block, line: Line) -> _Block:
        self._open = None
        return _Block(title.start, line.end, Rank.SECTION, Kind.HEADING, title.widest)

    def _close(self) -> Iterator[_Block]:
        if self._open is not None:
            yield self._open
            self._open = None


def _begin(line: Line, rank: Rank, kind: Kind) -> _Block:
    return _Block(line.first, line.end, rank, kind, widest=line.end - line.start)


def _split_paragraph(text: str, block: _Block) -> Iterator[Piece]:
    rank = block.rank
    for start, end in _split_hard_lines(text, block):
        for sentence_start, sentence_end in split_sentences(text, start, end):
            yield Piece(sentence_start, sentence_end, rank, Kind.PROSE, Grain.LINE)
            rank = Rank.SENTENCE
        rank = Rank.LINE


def _split_hard_lines(text: str, block: _Block) -> Iterator[tuple[int, int]]:
    """Yield the runs of lines that belong together because only the margin parts them."""
    start, previous = block.start, None
    for line in read_lines(text, block.start, block.end):
        if previous is not None and not _is_wrapped(text, previous, line, block.widest):
            yield start, trimmed_end(text, start, previous.end)
            start = line.first
        previous = line
    yield start, trimmed_end(text, start, block.end)


def _is_wrapped(text: str, previous: Line, line: Line, widest: int) -> bool:
    if widest not in _WRAP_WIDTHS or text[line.first] == "|":
        return False
    word = _FIRST_WORD.match(text, line.first, line.end)
    width = len(word[1]) if word else 0
    return previous.end - previous.start + 1 + width > widest
