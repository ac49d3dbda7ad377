"""What the chunker is asked for and what it answers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Locate one chunk: it is exactly `text[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """Bound a chunk; `overlap_tokens` are counted inside `max_tokens`."""

    max_tokens: int
    overlap_tokens: int
    max_chars: int = 10_000

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.max_chars < 1:
            raise ValueError(
                f"max_tokens and max_chars must be at least 1,"
                f" got {self.max_tokens} and {self.max_chars}"
            )
        if not 0 <= 2 * self.overlap_tokens < self.max_tokens:
            raise ValueError(
                f"overlap_tokens must be at least 0 and less than half of max_tokens"
                f" ({self.max_tokens}), got {self.overlap_tokens}"
            )
