"""Keep what is known of each chunk, row by row, and find the rows that pass a filter."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zapomni_core.retrieval.distinct import distinct
from zapomni_core.retrieval.postings import Packed, Postings, counted
from zapomni_core.retrieval.strands import Strands
from zapomni_db import IndexEntry

__all__ = ["ChunkRows", "Filters", "PackedRows"]

type Ids = NDArray[np.bytes_]

_ID_BYTES: Final = 16
_ROW_COLUMNS: Final = (
    "chunk_ids",
    "memory_ids",
    "timestamps",
    "lengths",
    "threads",
    "places",
    "codes",
    "arrivals",
    "expiries",
    "heads",
)
_ALONE: Final = 0
_NEVER: Final = np.iinfo(np.int64).max
_ID: Final[np.dtype[np.bytes_]] = np.dtype(f"S{_ID_BYTES}")


@dataclass(frozen=True, slots=True)
class Filters:
    """What a chunk must match: every tag, the source, and a time span that holds its ends."""

    tags: frozenset[str] = frozenset()
    source: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None

    @property
    def is_empty(self) -> bool:
        """Tell whether every chunk passes."""
        return self == Filters()


@dataclass(frozen=True, slots=True, eq=False)
class PackedRows:
    """Chunk rows as plain arrays, one item a row, and the rows of each tag and source."""

    chunk_ids: Ids
    memory_ids: Ids
    timestamps: NDArray[np.int64]
    lengths: NDArray[np.float32]
    threads: NDArray[np.uint64]
    places: NDArray[np.int64]
    codes: NDArray[np.bool_]
    arrivals: NDArray[np.int64]
    expiries: NDArray[np.int64]
    heads: NDArray[np.bool_]
    tags: Packed
    sources: Packed
    speakers: Packed

    @classmethod
    def none(cls) -> Self:
        """Start a table without rows."""
        ids = np.zeros(0, _ID)
        times, lengths = np.zeros(0, np.int64), np.zeros(0, np.float32)
        threads, flags, empty = np.zeros(0, np.uint64), np.zeros(0, np.bool_), Packed.none()
        columns = (ids, ids, times, lengths, threads, times, flags, times, times, flags)
        return cls(*columns, empty, empty, empty)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Take back what `arrays` gave."""
        return cls(
            **{name: arrays[name] for name in _ROW_COLUMNS},
            tags=Packed.from_arrays(arrays, "tags."),
            sources=Packed.from_arrays(arrays, "sources."),
            speakers=Packed.from_arrays(arrays, "speakers."),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give every array under its name."""
        columns = {name: getattr(self, name) for name in _ROW_COLUMNS}
        return (
            columns
            | self.tags.arrays("tags.")
            | self.sources.arrays("sources.")
            | self.speakers.arrays("speakers.")
        )


class ChunkRows:
    """The rows of an index: numbered as they come, marked dead when removed."""

    def __init__(self, packed: PackedRows) -> None:
        """Start with these rows, all of them alive."""
        self._chunk_ids = _Column(packed.chunk_ids)
        self._memory_ids = _Column(packed.memory_ids)
        self._timestamps = _Column(packed.timestamps)
        self._lengths = _Column(packed.lengths)
        self._alive = _Column(np.ones(len(packed.chunk_ids), np.bool_))
        self._threads = _Column(packed.threads)
        self._places = _Column(packed.places)
        self._codes = _Column(packed.codes)
        self._arrivals = _Column(packed.arrivals)
        self._expiries = _Column(packed.expiries)
        self._heads = _Column(packed.heads)
        self._next_expiry = _earliest(packed.expiries)
        self._latest_ms: int | None = None
        names = distinct(np.append(packed.threads, np.uint64(_ALONE)))
        self._thread_numbers = {int(name): number for number, name in enumerate(names)}
        self._numbers = _Column(np.searchsorted(names, packed.threads).astype(np.int32))
        self._tags = Postings(packed.tags)
        self._sources = Postings(packed.sources)
        self._speakers = Postings(packed.speakers)
        self._by_chunk_id = np.argsort(packed.chunk_ids)
        self._recent: dict[str, int] = {}
        self.live_count = len(packed.chunk_ids)
        self.live_length = int(packed.lengths.sum(dtype=np.int64))

    def __len__(self) -> int:
        """Count the rows, dead ones included."""
        return len(self.alive)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Tell of each row whether it is still in the index."""
        return self._alive.values

    @property
    def lengths(self) -> NDArray[np.float32]:
        """Give the number of terms in each row."""
        return self._lengths.values

    @property
    def memory_count(self) -> int:
        """Count the memories that have a live chunk."""
        ids = np.sort(self._memory_ids.values[self.alive])
        return min(1, len(ids)) + int(np.count_nonzero(ids[1:] != ids[:-1]))

    @property
    def packed_count(self) -> int:
        """Count the rows this table started with."""
        return len(self._by_chunk_id)

    def without_known(self, entries: Sequence[IndexEntry]) -> list[IndexEntry]:
        """Leave out the chunks that are there already."""
        rows = self.find([entry.chunk_id for entry in entries]).tolist()
        fresh: dict[str, IndexEntry] = {}
        for entry, row in zip(entries, rows, strict=True):
            if row < 0:
                fresh.setdefault(entry.chunk_id, entry)
        return [*fresh.values()]

    def append(self, entries: Sequence[IndexEntry], lengths: Sequence[int]) -> None:
        """Give each chunk, none of which is there yet, the next row."""
        row = len(self)
        self._recent |= {entry.chunk_id: row + place for place, entry in enumerate(entries)}
        self._sources.add(row, counted([(entry.source,) for entry in entries]))
        self._tags.add(row, counted([[*{*entry.tags}] for entry in entries]))
        names = [[*{*entry.speaker.casefold().split()}] for entry in entries]
        self._speakers.add(row, counted(names))
        self._chunk_ids.extend(_ids([entry.chunk_id for entry in entries]))
        self._memory_ids.extend(_ids([entry.memory_id for entry in entries]))
        self._timestamps.extend([entry.timestamp_ms for entry in entries])
        self._lengths.extend(lengths)
        threads = [_thread_name(entry.thread) for entry in entries]
        numbers = self._thread_numbers
        self._threads.extend(threads)
        self._numbers.extend([numbers.setdefault(name, len(numbers)) for name in threads])
        self._places.extend([entry.place for entry in entries])
        self._codes.extend([entry.is_code for entry in entries])
        self._arrivals.extend([entry.created_ms for entry in entries])
        expiries = np.array([entry.expires_ms for entry in entries], np.int64)
        self._expiries.extend(expiries)
        self._next_expiry = min(self._next_expiry, _earliest(expiries))
        self._heads.extend([entry.is_head for entry in entries])
        self._alive.extend([True] * len(entries))
        self._latest_ms = None
        self.live_count += len(entries)
        self.live_length += sum(lengths)

    def remove(self, memory_ids: Collection[str]) -> int:
        """Mark the chunks of these memories dead, and count them."""
        return self._bury(self.alive & np.isin(self._memory_ids.values, _ids(memory_ids)))

    def has_due(self, now_ms: int) -> bool:
        """Tell whether the time of any row is over."""
        return self._next_expiry <= now_ms

    def expire(self, now_ms: int) -> int:
        """Mark the chunks dead whose time is over, and count them."""
        expiries = self._expiries.values
        buried = self._bury(self.alive & (expiries > 0) & (expiries <= now_ms))
        self._next_expiry = _earliest(expiries[self.alive])
        return buried

    def _bury(self, doomed: NDArray[np.bool_]) -> int:
        rows = np.flatnonzero(doomed)
        for chunk_id in self.chunk_ids(rows):
            self._recent.pop(chunk_id, None)
        self.alive[rows] = False
        self._latest_ms = None
        self.live_count -= len(rows)
        self.live_length -= int(self.lengths[rows].sum(dtype=np.int64))
        return len(rows)

    def find(self, chunk_ids: Sequence[str]) -> NDArray[np.int64]:
        """Give the live row of each chunk, -1 for one that is not there."""
        rows = self._find_packed(_ids(chunk_ids))
        if self._recent:
            recent = np.array([self._recent.get(chunk_id, -1) for chunk_id in chunk_ids], np.int64)
            rows = np.where(recent >= 0, recent, rows)
        return rows

    def _find_packed(self, ids: Ids) -> NDArray[np.int64]:
        if self.packed_count == 0:
            return np.full(len(ids), -1, np.int64)
        packed = self._chunk_ids.values[: self.packed_count]
        at = np.searchsorted(packed, ids, sorter=self._by_chunk_id)
        rows = self._by_chunk_id[np.minimum(at, self.packed_count - 1)]
        return np.where((packed[rows] == ids) & self.alive[rows], rows, -1)

    def chunk_ids(self, rows: NDArray[np.int64]) -> list[str]:
        """Give the chunk id of each row."""
        return _hex(self._chunk_ids.values[rows])

    def memory_ids(self, rows: NDArray[np.int64]) -> list[str]:
        """Give the memory id of each row."""
        return _hex(self._memory_ids.values[rows])

    def id_starts(self, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Give the first half of each row's memory id, as a number that sorts as it does."""
        return self._memory_ids.values[rows].view(">u8")[::2].astype(np.uint64)

    @property
    def latest_ms(self) -> int | None:
        """Give the time of the latest row, None if there is none."""
        if self._latest_ms is None and self.live_count:
            # Every question wants to know.
            self._latest_ms = int(self._timestamps.values[self.alive].max())
        return self._latest_ms

    def timestamps(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the time of each row."""
        return self._timestamps.values[rows]

    def arrivals(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the time when the memory of each row was stored."""
        return self._arrivals.values[rows]

    def heads(self, filters: Filters) -> NDArray[np.int64]:
        """Give one row of each memory that passes."""
        return np.flatnonzero(self.mask(filters) & self._heads.values)

    def spread(self, rows: NDArray[np.int64]) -> tuple[dict[str, int], dict[str, int]]:
        """Count how many of these rows have each tag, and each source."""
        return self._tags.spread(rows, len(self)), self._sources.spread(rows, len(self))

    def code_share(self, rows: NDArray[np.int64]) -> float:
        """Tell how much of these rows is source code."""
        return float(self._codes.values[rows].mean()) if len(rows) else 0.0

    def spoken_by(self, name: str) -> NDArray[np.intp]:
        """Give the rows of everybody who has this word in his name."""
        return self._speakers.of(name.casefold())[0]

    def strands(self, rows: NDArray[np.int64]) -> Strands:
        """Give these rows and every row of their threads, in order."""
        threads = self._numbers.values[rows]
        alone = np.sort(rows[threads == _ALONE])
        rows = np.concatenate((alone, self._beside(threads))) if threads.any() else alone
        return Strands.of(rows, self._memory_ids.values[rows], self._numbers.values[rows])

    def _beside(self, threads: NDArray[np.int32]) -> NDArray[np.int64]:
        """Give every row of these threads, thread by thread."""
        wanted = np.zeros(len(self._thread_numbers), np.bool_)
        wanted[threads] = True
        wanted[_ALONE] = False
        rows = np.flatnonzero(wanted[self._numbers.values] & self.alive)
        return rows[np.lexsort((rows, self._places.values[rows], self._numbers.values[rows]))]

    def mask(self, filters: Filters) -> NDArray[np.bool_]:
        """Tell of each row whether it is alive and passes."""
        passing = self.alive.copy()
        if filters.source is not None:
            passing &= self._holding(self._sources, filters.source)
        for tag in filters.tags:
            passing &= self._holding(self._tags, tag)
        if filters.from_ms is not None:
            passing &= self._timestamps.values >= filters.from_ms
        if filters.to_ms is not None:
            passing &= self._timestamps.values <= filters.to_ms
        return passing

    def _holding(self, postings: Postings, key: str) -> NDArray[np.bool_]:
        held = np.zeros(len(self), np.bool_)
        held[postings.of(key)[0]] = True
        return held

    def new_numbers(self) -> NDArray[np.int64]:
        """Give the live rows numbers without a gap, and the dead ones -1."""
        return np.where(self.alive, np.cumsum(self.alive) - 1, -1)

    def packed(self) -> PackedRows:
        """Give the live rows as arrays."""
        new_rows, alive = self.new_numbers(), self.alive
        return PackedRows(
            self._chunk_ids.values[alive],
            self._memory_ids.values[alive],
            self._timestamps.values[alive],
            self.lengths[alive],
            self._threads.values[alive],
            self._places.values[alive],
            self._codes.values[alive],
            self._arrivals.values[alive],
            self._expiries.values[alive],
            self._heads.values[alive],
            self._tags.packed(new_rows),
            self._sources.packed(new_rows),
            self._speakers.packed(new_rows),
        )


class _Column[T: np.generic]:
    """An array that grows at its end in amortised constant time."""

    def __init__(self, values: NDArray[T]) -> None:
        self._room = values
        self._size = len(values)

    @property
    def values(self) -> NDArray[T]:
        return self._room[: self._size]

    def extend(self, values: ArrayLike) -> None:
        added = np.asarray(values, self._room.dtype)
        size = self._size + len(added)
        if size > len(self._room):
            room = np.empty(size + size // 8, self._room.dtype)
            room[: self._size] = self.values
            self._room = room
        self._room[self._size : size] = added
        self._size = size


def _earliest(expiries: NDArray[np.int64]) -> int:
    return int(expiries[expiries > 0].min(initial=_NEVER))


def _thread_name(thread: str) -> int:
    if not thread:
        return _ALONE
    return int.from_bytes(blake2b(thread.encode(), digest_size=8).digest()) or 1


def _ids(texts: Collection[str]) -> Ids:
    return np.frombuffer(bytes.fromhex("".join(texts)), _ID)


def _hex(ids: Ids) -> list[str]:
    digits = ids.tobytes().hex()
    return [digits[at : at + 2 * _ID_BYTES] for at in range(0, len(digits), 2 * _ID_BYTES)]
