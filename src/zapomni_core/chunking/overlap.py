"""How much of a chunk is said again at the start of the next one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zapomni_core.chunking.characters import EAST_ASIAN
from zapomni_core.chunking.pieces import Grain, Kind, Measured, Piece, Rank
from zapomni_core.chunking.ruler import Ruler
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
    ruler: Ruler,
    limits: ChunkLimits,
    before: Sequence[Measured],
    after: Measured,
    floor: int,
) -> Lead | None:
    """Choose whole sentences from the end of `before` to repeat before `after`.

    A sentence longer than the overlap lends its last words, unless a line or paragraph ends
    with it. The lead starts behind `floor`, so that chunks move on.
    """
    tokens = min(limits.overlap_tokens, limits.max_tokens - after.tokens)
    if tokens < 1 or not _may_overlap(before[-1].piece, after.piece):
        return None
    floor = max(floor, after.piece.end - limits.max_chars - 1)
    if before[-1].tokens <= limits.overlap_tokens:
        return _whole_pieces(before, tokens, floor)
    if after.piece.kind is Kind.CODE or after.piece.rank > Rank.SENTENCE:
        return None
    return _last_words(ruler, before[-1].piece, tokens, floor)


def _may_overlap(last: Piece, following: Piece) -> bool:
    if last.kind is not following.kind or last.grain == Grain.FRAGMENT:
        return False
    if following.kind is Kind.CODE:
        return following.rank <= Rank.LINE
    return following.kind is Kind.PROSE


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


def _last_words(ruler: Ruler, piece: Piece, tokens: int, floor: int) -> Lead | None:
    lead: Lead | None = None
    used = 0
    words = [word.span() for word in _WORD.finditer(ruler.text, piece.start, piece.end)]
    for start, end in reversed(words):
        used += ruler.measure(start, end)
        if used > tokens or start <= floor:
            break
        lead = Lead(start, used)
    return lead
