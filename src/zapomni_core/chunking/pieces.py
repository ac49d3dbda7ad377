"""The parts a text is taken apart into before they are packed into chunks."""

from dataclasses import dataclass
from enum import Enum, IntEnum


class Kind(Enum):
    """Say what a piece belongs to."""

    HEADING = "heading"
    PROSE = "prose"
    CODE = "code"


class Rank(IntEnum):
    """Rate the boundary in front of a piece: the higher, the better a place to cut."""

    GLUED = -1
    FRAGMENT = 0
    WORD = 1
    SENTENCE = 2
    LINE = 3
    ITEM = 4
    PARAGRAPH = 5
    SECTION = 6


class Grain(IntEnum):
    """Size a piece: one that is too large divides into pieces of a lower grain.

    Code blocks nest, so their grain runs from OUTER_BLOCK down to BLOCK.
    """

    FRAGMENT = 0
    WORD = 1
    WORDS = 2
    LINE = 3
    BLOCK = 4
    OUTER_BLOCK = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """Mark a stretch of text that begins and ends with a visible character."""

    start: int
    end: int
    rank: Rank
    kind: Kind
    grain: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Hold a piece together with its own token count."""

    piece: Piece
    tokens: int
