"""Count the tokens of pieces and divide those that do not fit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from zapomni_core.chunking.division import divide
from zapomni_core.chunking.pieces import Kind, Measured, Piece, Rank
from zapomni_core.chunking.ruler import Ruler
from zapomni_core.chunking.spans import ChunkLimits


@dataclass(frozen=True, slots=True)
class _Room:
    tokens: int
    chars: int


@dataclass(frozen=True, slots=True)
class _Headings:
    """Sum up the headings that stand right above a piece."""

    start: int
    tokens: int


class Measurer:
    """Make pieces small enough to share a chunk with the headings right above them."""

    def __init__(self, ruler: Ruler, limits: ChunkLimits) -> None:
        self._ruler = ruler
        self._whole = _Room(limits.max_tokens, limits.max_chars)
        self._headings: _Headings | None = None

    def measure(self, pieces: Iterable[Piece]) -> Iterator[Measured]:
        """Yield the pieces or their parts in order; what follows a heading is glued to it."""
        for piece in pieces:
            room = self._room_for(piece)
            for measured in self._divide_to_fit(piece, room):
                yield self._below_headings(measured)

    def _room_for(self, piece: Piece) -> _Room:
        if self._headings is None:
            return self._whole
        tokens = self._whole.tokens - self._headings.tokens
        chars = self._whole.chars - (piece.start - self._headings.start)
        if 2 * tokens >= self._whole.tokens and 2 * chars >= self._whole.chars:
            return _Room(tokens, chars)
        self._headings = None
        return self._whole

    def _divide_to_fit(self, piece: Piece, room: _Room) -> Iterator[Measured]:
        size = piece.end - piece.start
        if size == 1 or size <= room.chars:
            tokens = self._ruler.measure(piece.start, piece.end)
            if size == 1 or tokens <= room.tokens:
                yield Measured(piece, tokens)
                return
        for part in divide(self._ruler.text, piece):
            yield from self._divide_to_fit(part, room)

    def _below_headings(self, measured: Measured) -> Measured:
        above = self._headings
        piece = measured.piece
        if piece.kind is not Kind.HEADING:
            self._headings = None
        elif above is None:
            self._headings = _Headings(piece.start, measured.tokens)
        else:
            self._headings = _Headings(above.start, above.tokens + measured.tokens)
        if above is None:
            return measured
        return Measured(replace(piece, rank=Rank.GLUED), measured.tokens)
