"""Pack neighbouring pieces into chunks that end at the strongest boundary near the limit."""

from collections.abc import Iterable, Iterator

from zapomni_core.chunking.overlap import Lead, find_lead
from zapomni_core.chunking.pieces import Measured, Rank
from zapomni_core.chunking.ruler import Ruler
from zapomni_core.chunking.spans import ChunkLimits, Span

# How full a chunk must be before a boundary of this rank may end it early.
_LEAST_SHARE = {
    Rank.SECTION: 0.3,
    Rank.PARAGRAPH: 0.5,
    Rank.ITEM: 0.6,
    Rank.LINE: 0.7,
    Rank.SENTENCE: 0.75,
    Rank.WORD: 0.85,
}
_NEVER = 2.0


class Packer:
    """Fill one chunk after another with pieces that arrive in order."""

    def __init__(self, ruler: Ruler, limits: ChunkLimits) -> None:
        self._ruler = ruler
        self._limits = limits
        self._waiting: list[Measured] = []
        self._used = 0
        self._lead: Lead | None = None

    def pack(self, pieces: Iterable[Measured]) -> Iterator[Span]:
        """Yield the chunks in order."""
        for measured in pieces:
            self._waiting.append(measured)
            self._used += measured.tokens
            while self._overflows():
                yield self._finish_chunk(len(self._waiting) - 1)
        while self._waiting:
            yield self._finish_chunk(len(self._waiting))

    @property
    def _start(self) -> int:
        return self._lead.start if self._lead else self._waiting[0].piece.start

    def _overflows(self) -> bool:
        if len(self._waiting) == 1:
            return False
        chars = self._waiting[-1].piece.end - self._start
        return self._used > self._limits.max_tokens or chars > self._limits.max_chars

    def _finish_chunk(self, most: int) -> Span:
        cut = self._checked_cut(most)
        span = Span(self._start, self._waiting[cut - 1].piece.end)
        done, self._waiting = self._waiting[:cut], self._waiting[cut:]
        self._lead = None
        if self._waiting:
            following = self._waiting[0]
            self._lead = find_lead(self._ruler, self._limits, done, following, span.start)
        lead_tokens = self._lead.tokens if self._lead else 0
        self._used = lead_tokens + sum(measured.tokens for measured in self._waiting)
        return span

    def _checked_cut(self, most: int) -> int:
        """Return how many pieces to take, at most `most`, checked on the text they make.

        Sums of an additive count are exact and pass at once; estimates may need fewer pieces.
        """
        while True:
            cut = self._best_cut(most)
            end = self._waiting[cut - 1].piece.end
            tokens = self._ruler.measure(self._start, end)
            if tokens <= self._limits.max_tokens:
                return cut
            if cut > 1:
                most = max(1, min(cut - 1, cut * self._limits.max_tokens // tokens))
            elif self._lead:
                self._lead = None
            else:
                return cut

    def _best_cut(self, most: int) -> int:
        """Return the latest of the strongest boundaries where the chunk is full enough."""
        best, best_rank = 0, Rank.GLUED
        latest, latest_unglued = 1, 0
        for cut, share in self._shares(most):
            if cut == len(self._waiting):
                return cut
            rank = self._waiting[cut].piece.rank
            latest = cut
            if rank > Rank.GLUED:
                latest_unglued = cut
            if rank >= best_rank and share >= _LEAST_SHARE.get(rank, _NEVER):
                best, best_rank = cut, rank
        return best or latest_unglued or latest

    def _shares(self, most: int) -> Iterator[tuple[int, float]]:
        """Yield each cut that fits and how full the chunk would be."""
        tokens = self._lead.tokens if self._lead else 0
        for cut, measured in enumerate(self._waiting[:most], start=1):
            tokens += measured.tokens
            chars = measured.piece.end - self._start
            share = max(tokens / self._limits.max_tokens, chars / self._limits.max_chars)
            if share > 1 and cut > 1:
                return
            yield cut, share
