"""Rank chunks by BM25 over our own terms, exactly, in memory."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from zapomni_core.retrieval.filters import ChunkRows, Filters, PackedRows
from zapomni_core.retrieval.postings import Counted, Integers, Packed, Postings, counted
from zapomni_core.retrieval.snapshot import Snapshot, read_snapshot, write_snapshot
from zapomni_core.retrieval.strands import Strands
from zapomni_db import IndexEntry

__all__ = ["Filters", "Lexicon", "Ranking", "TermCounter", "terms_as_they_stand"]

type TermCounter = Callable[[Sequence[str]], Counted]

_LANES: Final = 32


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Rows and their scores, best first, the lower row first among equals."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Match:
    """The rows that hold one query term, and what a row gains from it at most."""

    rows: NDArray[np.intp]
    counts: Integers
    weight: np.float32


def terms_as_they_stand(texts: Sequence[str]) -> Counted:
    """Count terms that are joined by spaces."""
    return counted([text.split() for text in texts])


class Lexicon:
    """An inverted index of chunks.

    Row numbers, and so masks and rankings, hold until the next `add` or `remove_memories`.
    Only these two change the index; they must not run while another thread reads it.
    """

    def __init__(
        self,
        *,
        k1: float = 1.2,
        b: float = 0.75,
        fold_at: int = 2048,
        count: TermCounter = terms_as_they_stand,
    ) -> None:
        """Start empty; `fold_at` is the least number of loose rows worth packing.

        `count` counts the terms in what entries have as terms.
        """
        self._k1 = k1
        self._b = b
        self._fold_at = fold_at
        self._count = count
        self._rows = ChunkRows(PackedRows.none())
        self._terms = Postings(Packed.none())

    @classmethod
    def load(cls, path: Path, count: TermCounter = terms_as_they_stand) -> tuple[Self, str]:
        """Read a saved index and its position; raise SnapshotUnusable if there is none."""
        snapshot = read_snapshot(path)
        lexicon = cls(k1=float(snapshot.note["k1"]), b=float(snapshot.note["b"]), count=count)
        lexicon._rows = ChunkRows(PackedRows.from_arrays(snapshot.arrays))
        lexicon._terms = Postings(Packed.from_arrays(snapshot.arrays, "terms."))
        return lexicon, str(snapshot.note["position"])

    def save(self, path: Path, position: str) -> None:
        """Write the index in one step, with a note of the change it has seen last."""
        terms, rows = self._packed()
        note: dict[str, str | float] = {"k1": self._k1, "b": self._b, "position": position}
        write_snapshot(path, Snapshot(note, rows.arrays() | terms.arrays("terms.")))

    def __len__(self) -> int:
        """Count the live chunks."""
        return self._rows.live_count

    @property
    def memory_count(self) -> int:
        """Count the memories that have a live chunk."""
        return self._rows.memory_count

    def add(self, entries: Sequence[IndexEntry]) -> None:
        """Index chunks; one whose id is there already is left as it is."""
        fresh = self._rows.without_known(entries)
        if fresh:
            terms = self._count([entry.terms for entry in fresh])
            self._terms.add(len(self._rows), terms)
            self._rows.append(fresh, terms.lengths(len(fresh)))
        self._fold_if_due()

    def remove_memories(self, memory_ids: Collection[str]) -> int:
        """Take every chunk of these memories out, and count the chunks."""
        removed = self._rows.remove(memory_ids)
        self._fold_if_due()
        return removed

    def replace_memories(self, memory_ids: Collection[str], entries: Sequence[IndexEntry]) -> None:
        """Put other chunks in the place of these memories', in one step for readers."""
        if memory_ids:
            self._rows.remove(memory_ids)
        self.add(entries)

    def has_due(self, now_ms: int) -> bool:
        """Tell whether the time of any chunk is over."""
        return self._rows.has_due(now_ms)

    def expire(self, now_ms: int) -> int:
        """Take the chunks out whose time is over, and count them."""
        expired = self._rows.expire(now_ms)
        self._fold_if_due()
        return expired

    def _fold_if_due(self) -> None:
        packed = self._rows.packed_count
        loose = len(self._rows) - packed + len(self._rows) - self._rows.live_count
        if loose > max(self._fold_at, packed // 8):
            terms, rows = self._packed()
            self._terms, self._rows = Postings(terms), ChunkRows(rows)

    def _packed(self) -> tuple[Packed, PackedRows]:
        return self._terms.packed(self._rows.new_numbers()), self._rows.packed()

    def mask(self, filters: Filters) -> NDArray[np.bool_]:
        """Tell of each row whether it is live and matches."""
        return self._rows.mask(filters)

    def rows_of(self, chunk_ids: Sequence[str]) -> NDArray[np.int64]:
        """Give the row of each chunk, -1 for one that is unknown or removed."""
        return self._rows.find(chunk_ids)

    def chunk_ids(self, rows: NDArray[np.int64]) -> list[str]:
        """Give the chunk id of each row."""
        return self._rows.chunk_ids(rows)

    def memory_ids(self, rows: NDArray[np.int64]) -> list[str]:
        """Give the memory id of each row."""
        return self._rows.memory_ids(rows)

    def id_starts(self, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Give the first half of each row's memory id, as a number that sorts as it does."""
        return self._rows.id_starts(rows)

    @property
    def latest_ms(self) -> int | None:
        """Give the time of the latest chunk, None if there is none."""
        return self._rows.latest_ms

    def timestamps(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the time of each row."""
        return self._rows.timestamps(rows)

    def arrivals(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the time when the memory of each row was stored."""
        return self._rows.arrivals(rows)

    def heads(self, filters: Filters) -> NDArray[np.int64]:
        """Give one row of each live memory that matches."""
        return self._rows.heads(filters)

    def spread(self, rows: NDArray[np.int64]) -> tuple[dict[str, int], dict[str, int]]:
        """Count how many of these rows have each tag, and each source."""
        return self._rows.spread(rows)

    def code_share(self, rows: NDArray[np.int64]) -> float:
        """Tell how much of these rows is source code."""
        return self._rows.code_share(rows)

    def spoken_by(self, name: str) -> NDArray[np.intp]:
        """Give the rows of everybody who has this word in his name."""
        return self._rows.spoken_by(name)

    def strands(self, rows: NDArray[np.int64]) -> Strands:
        """Give these rows and every row of their threads, in order."""
        return self._rows.strands(rows)

    def search(
        self, terms: Sequence[str], limit: int, mask: NDArray[np.bool_] | None = None
    ) -> Ranking:
        """Rank the live chunks that hold any of the terms; a repeated term counts again."""
        scores = np.zeros(len(self._rows), np.float32)
        norms = self._norms(self._rows.lengths)
        for match in self._matches(terms):
            scores[match.rows] += _gains(match.counts, norms[match.rows], match.weight)
        if self._has_dead_rows:
            scores *= self._rows.alive
        if mask is not None:
            scores *= mask
        return _best(scores, limit)

    def scores_of(self, terms: Sequence[str], rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Score the given rows as `search` does; an unknown row, -1, scores 0."""
        scores = np.zeros(len(rows), np.float32)
        for match in self._matches(terms):
            at = np.searchsorted(match.rows, rows)
            at[at == len(match.rows)] = 0
            held = match.rows[at] == rows
            norms = self._norms(self._rows.lengths[rows[held]])
            scores[held] += _gains(match.counts[at[held]], norms, match.weight)
        return scores

    def best_possible(self, terms: Sequence[str]) -> float:
        """Give a score that no chunk exceeds; terms that no chunk holds raise it too."""
        return sum(self._weight(self._live(self._terms.of(term)[0])) for term in terms)

    @property
    def _has_dead_rows(self) -> bool:
        return self._rows.live_count < len(self._rows)

    def _matches(self, terms: Sequence[str]) -> Iterator[_Match]:
        for term, repeats in Counter(terms).items():
            rows, counts = self._terms.of(term)
            if len(rows):
                weight = np.float32(repeats * self._weight(self._live(rows)))
                yield _Match(rows, counts, weight)

    def _live(self, rows: NDArray[np.intp]) -> int:
        if self._has_dead_rows:
            return int(np.count_nonzero(self._rows.alive[rows]))
        return len(rows)

    def _weight(self, holders: int) -> float:
        absent = self._rows.live_count - holders
        return log(1 + (absent + 0.5) / (holders + 0.5)) * (self._k1 + 1)

    def _norms(self, lengths: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give the BM25 denominator of each row, less the term count."""
        average = self._rows.live_length / max(1, self._rows.live_count)
        slope = np.float32(self._k1 * self._b / (average or 1.0))
        return np.float32(self._k1 * (1 - self._b)) + slope * lengths


def _gains(
    counts: Integers, norms: NDArray[np.float32], weight: np.float32
) -> NDArray[np.float32]:
    """Compute what each row gains from one term; `norms` is used up."""
    norms += counts
    np.divide(counts, norms, out=norms)
    norms *= weight
    return norms


def _best(scores: NDArray[np.float32], limit: int) -> Ranking:
    floor = _floor(scores, limit)
    candidates = np.flatnonzero(scores >= floor if floor > 0 else scores > 0)
    order = np.argsort(-scores[candidates], kind="stable")[: max(0, limit)]
    rows = candidates[order]
    return Ranking(rows, scores[rows])


def _floor(scores: NDArray[np.float32], limit: int) -> np.float32:
    """Find a score that at least `limit` rows reach, cheaply; 0 if the rows are few.

    The best of each of many lanes: sorting them takes a tenth of the time of sorting all.
    """
    width = len(scores) // _LANES
    if not 0 < limit <= width:
        return np.float32(0)
    lanes = scores[: width * _LANES].reshape(_LANES, width).max(axis=0)
    return np.float32(np.partition(lanes, width - limit)[width - limit])
