"""How much of a chunk is said again at the start of the next one."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zapomni_core.chunking.characters import EAST_ASIAN
from zapomni_core.chunking.pieces import Grain, Kind, Measured, Piece, Rank
from zapomni_core.chunking.spans import ChunkLimits

_WORD = re.compile(
    rf"[{EAST_ASIAN}][\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef]*|[^\s{EAST_ASIAN}]+"
)


@dataclass(frozen=True, slots=True)
class Lead:
    """Mark the repeated text in front of a chunk's own pieces."""

    start: int
    tokens: int


def find_lead(
    text: str,
    count_tokens: Callable[[str], int],
    limits: ChunkLimits,
    before: Sequence[Measured],
    after: Measured,
    floor: int,
) -> Lead | None:
    """Choose whole sentences, else words, from the end of `before` to repeat before `after`.

    The lead starts behind `floor`, so that chunks move on.
    """
    if not _may_overlap(before[-1].piece, after.piece):
        return None
    tokens = min(limits.overlap_tokens, limits.max_tokens - after.tokens)
    floor = max(floor, after.piece.end - limits.max_chars - 1)
    lead = _whole_pieces(before, tokens, floor)
    if lead is None and after.piece.kind is Kind.PROSE:
        lead = _last_words(text, count_tokens, before[-1].piece, tokens, floor)
    return lead


def _may_overlap(last: Piece, following: Piece) -> bool:
    if last.kind is not following.kind or last.kind is Kind.HEADING:
        return False
    if last.grain in (Grain.FRAGMENT, *range(Grain.BLOCK, Grain.OUTER_BLOCK + 1)):
        return False
    return following.rank <= (Rank.LINE if following.kind is Kind.CODE else Rank.PARAGRAPH)


def _whole_pieces(before: Sequence[Measured], tokens: int, floor: int) -> Lead | None:
    lead: Lead | None = None
    following: Piece | None = None
    used = 0
    for measured in reversed(before):
        piece = measured.piece
        used += measured.tokens
        if used > tokens or piece.start <= floor:
            break
        if following is not None and not _may_overlap(piece, following):
            break
        lead, following = Lead(piece.start, used), piece
    return lead


def _last_words(
    text: str, count_tokens: Callable[[str], int], piece: Piece, tokens: int, floor: int
) -> Lead | None:
    lead: Lead | None = None
    used = 0
    for start, end in reversed([m.span() for m in _WORD.finditer(text, piece.start, piece.end)]):
        used += count_tokens(text[start:end])
        if used > tokens or start <= floor:
            break
        lead = Lead(start, used)
    return lead
