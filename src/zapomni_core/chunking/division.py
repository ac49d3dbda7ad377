"""Take a piece apart into smaller pieces, by the strongest structure it still has."""

import re
from collections.abc import Iterator

from zapomni_core.chunking.characters import cut_run
from zapomni_core.chunking.code import split_code_lines, split_inner_blocks
from zapomni_core.chunking.lines import trimmed_end
from zapomni_core.chunking.pieces import Grain, Kind, Piece, Rank

# In groups, 10 million characters without a full stop split in 3.5 s; word by word it was 16 s,
# and an estimate rounded up at every word.
_WORDS = re.compile(r"(?:\S++\s*+){1,8}+")
_WORD = re.compile(r"\S++")
_FRAGMENT_CHARS = 32


def divide(text: str, piece: Piece) -> Iterator[Piece]:
    """Yield the parts of a piece, the first of which keeps its rank.

    A single character yields itself.
    """
    rank = piece.rank
    for start, end, inner_rank, grain in _parts(text, piece):
        yield Piece(start, end, rank, _kind_of_part(piece), grain)
        rank = inner_rank


def _kind_of_part(piece: Piece) -> Kind:
    return Kind.CODE if piece.kind is Kind.CODE else Kind.PROSE


def _parts(text: str, piece: Piece) -> Iterator[tuple[int, int, Rank, int]]:
    if piece.grain >= Grain.BLOCK:
        return _block_parts(text, piece)
    if piece.grain == Grain.LINE:
        return _word_groups(text, piece)
    if piece.grain == Grain.WORDS:
        return _words(text, piece)
    return _fragments(text, piece)


def _block_parts(text: str, piece: Piece) -> Iterator[tuple[int, int, Rank, int]]:
    is_divided = False
    if piece.grain > Grain.BLOCK:
        for start, end in split_inner_blocks(text, piece.start, piece.end):
            is_divided = True
            yield start, end, Rank.ITEM, piece.grain - 1
    if not is_divided:
        for start, end in split_code_lines(text, piece.start, piece.end):
            yield start, end, Rank.LINE, Grain.LINE


def _word_groups(text: str, piece: Piece) -> Iterator[tuple[int, int, Rank, int]]:
    for match in _WORDS.finditer(text, piece.start, piece.end):
        end = trimmed_end(text, match.start(), match.end())
        yield match.start(), end, Rank.WORD, Grain.WORDS


def _words(text: str, piece: Piece) -> Iterator[tuple[int, int, Rank, int]]:
    for match in _WORD.finditer(text, piece.start, piece.end):
        yield match.start(), match.end(), Rank.WORD, Grain.WORD


def _fragments(text: str, piece: Piece) -> Iterator[tuple[int, int, Rank, int]]:
    start = piece.start
    step = min(_FRAGMENT_CHARS, max(1, (piece.end - start) // 2))
    while start < piece.end:
        end = cut_run(text, start, start + step, piece.end)
        if end - start == piece.end - piece.start:
            end = start + step
        yield start, end, Rank.FRAGMENT, Grain.FRAGMENT
        start = end
