"""Know, for each key, the rows that hold it and how often."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain, compress, count, pairwise
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Counted", "Packed", "Postings", "counted", "numbered"]

type Integers = NDArray[np.integer[Any]]

_ROW_SHIFT: Final = 32


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Postings as plain arrays.

    The keys are sorted UTF-8 texts without a gap in `names`. The rows of key `i` stand in
    ascending order in `rows[ends[i]:ends[i + 1]]`, its text in the same way in `names`.
    """

    names: bytes
    name_ends: NDArray[np.int64]
    ends: NDArray[np.int64]
    rows: NDArray[np.uint32]
    counts: Integers

    @classmethod
    def none(cls) -> Self:
        """Start without keys."""
        start = np.zeros(1, np.int64)
        return cls(b"", start, start, np.zeros(0, np.uint32), np.zeros(0, np.uint8))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], prefix: str) -> Self:
        """Take back what `arrays` gave."""
        names, *others = (arrays[prefix + field.name] for field in fields(cls))
        return cls(names.tobytes(), *others)

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """Give each field as an array, its name behind the prefix."""
        others = [field.name for field in fields(self)][1:]
        return {
            f"{prefix}names": np.frombuffer(self.names, np.uint8),
            **{prefix + name: getattr(self, name) for name in others},
        }

    def name(self, key: int) -> bytes:
        """Give the text of a key by its number."""
        return self.names[self.name_ends[key] : self.name_ends[key + 1]]

    def all_names(self) -> list[bytes]:
        """List the texts of all keys."""
        return [self.names[start:end] for start, end in pairwise(self.name_ends.tolist())]

    def of(self, name: bytes) -> tuple[NDArray[np.uint32], Integers]:
        """Give the rows and counts of a key by its text."""
        size = len(self.ends) - 1
        # A sorted text takes 2 MB for 100,000 keys, a dictionary 12 MB.
        key = bisect_left(range(size), name, key=self.name)
        if key == size or self.name(key) != name:
            return self.rows[:0], self.counts[:0]
        span = slice(self.ends[key], self.ends[key + 1])
        return self.rows[span], self.counts[span]


class Counted(NamedTuple):
    """How often rows, counted from 0, hold keys.

    A place is the number of a key (upper half) and a row; they are distinct and ascend.
    """

    keys: Sequence[str]
    places: NDArray[np.uint64]
    counts: NDArray[np.int64]

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Give the number of the key at each place."""
        return (self.places >> _ROW_SHIFT).astype(np.int64)

    @property
    def rows(self) -> NDArray[np.int64]:
        """Give the row of each place."""
        return self.places.astype(np.uint32).astype(np.int64)

    def lengths(self, rows: int) -> list[int]:
        """Tell how many keys each row holds."""
        return np.bincount(self.rows, self.counts, rows).astype(np.int64).tolist()


def counted(keys: Sequence[Sequence[str]]) -> Counted:
    """Count the keys of rows."""
    names, numbers = numbered(chain.from_iterable(keys))
    rows = np.repeat(np.arange(len(keys), dtype=np.uint64), list(map(len, keys)))
    places = numbers << _ROW_SHIFT | rows
    # Sorting all at once takes half of the time of counting row by row.
    places, counts = np.unique(places, return_counts=True)
    return Counted(names, places, counts.astype(np.int64))


def numbered(keys: Iterable[str]) -> tuple[list[str], NDArray[np.uint64]]:
    """Number keys in the order in which they come; give each once, and all by their numbers."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    found = np.array([*map(numbers.__getitem__, keys)], np.uint64)
    return [*numbers], found


class Postings:
    """Answer which rows hold a key; rows must be added in ascending order."""

    def __init__(self, packed: Packed) -> None:
        """Start with these postings."""
        self._packed = packed
        # One number holds a row (upper half) and a count: 8 bytes a posting.
        self._recent: defaultdict[str, array[int]] = defaultdict(partial(array, "Q"))

    def add(self, first_row: int, held: Counted) -> None:
        """Note which keys the rows hold, the first of which is this one."""
        ends = np.searchsorted(held.numbers, np.arange(len(held.keys) + 1))
        rows = held.rows.astype(np.uint64) + np.uint64(first_row)
        postings = (rows << _ROW_SHIFT | held.counts.astype(np.uint64)).tobytes()
        for key, (start, end) in zip(held.keys, pairwise((8 * ends).tolist()), strict=True):
            self._recent[key].frombytes(postings[start:end])

    def of(self, key: str) -> tuple[NDArray[np.intp], Integers]:
        """Give the ascending rows that hold the key, and how often each does."""
        rows, counts = self._packed.of(_encoded(key))
        recent = self._recent.get(key)
        if recent is not None:
            recent_rows, recent_counts = _halves(recent)
            rows = np.concatenate((rows, recent_rows))
            counts = np.concatenate((counts, recent_counts))
        # numpy 2.5 converts a 32-bit index in every gather: once is twice as fast.
        return rows.astype(np.intp), counts

    def spread(self, rows: NDArray[np.int64], size: int) -> dict[str, int]:
        """Count how many of these rows, out of `size`, hold each key that any holds."""
        wanted = np.zeros(size, np.bool_)
        wanted[rows] = True
        packed = self._packed
        before = np.concatenate(([0], np.cumsum(wanted[packed.rows])))
        numbers = np.diff(before[packed.ends]).tolist()
        counts = {
            packed.name(key).decode("utf-8", "surrogatepass"): n
            for key, n in enumerate(numbers)
            if n
        }
        for name, recent in self._recent.items():
            if added := int(np.count_nonzero(wanted[_halves(recent)[0]])):
                counts[name] = counts.get(name, 0) + added
        return counts

    def packed(self, new_rows: NDArray[np.int64]) -> Packed:
        """Merge what was added, and renumber; a new number below 0 drops the row."""
        recent = _renumbered(_pack(self._recent), new_rows)
        return _merged(_renumbered(self._packed, new_rows), recent)


def _encoded(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")


def _halves(postings: bytes | array[int]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    numbers = np.frombuffer(postings, np.uint64)
    return (numbers >> _ROW_SHIFT).astype(np.uint32), numbers.astype(np.uint32)


def _pack(recent: Mapping[str, array[int]]) -> Packed:
    keys = sorted(recent)
    postings = [recent[key] for key in keys]
    rows, counts = _halves(b"".join(postings))
    return _assembled(list(map(_encoded, keys)), list(map(len, postings)), rows, counts)


def _renumbered(packed: Packed, new_rows: NDArray[np.int64]) -> Packed:
    rows = new_rows[packed.rows]
    kept = rows >= 0
    if kept.all():
        return replace(packed, rows=rows.astype(np.uint32))
    lengths = np.diff(np.concatenate(([0], np.cumsum(kept)))[packed.ends])
    names = list(compress(packed.all_names(), lengths))
    return _assembled(names, lengths[lengths > 0], rows[kept], packed.counts[kept])


def _merged(old: Packed, new: Packed) -> Packed:
    """Append the rows of each key in `new` to those of the same key in `old`."""
    old_names, new_names = old.all_names(), new.all_names()
    places = [bisect_left(old_names, name) for name in new_names]
    shared = [old_names[at : at + 1] == [name] for at, name in zip(places, new_names, strict=True)]
    at, is_shared = np.array(places, np.int64), np.array(shared, np.bool_)
    added = np.diff(new.ends)
    lengths = np.diff(old.ends)
    lengths[at[is_shared]] += added[is_shared]
    spots = np.repeat(old.ends[at + is_shared], added)
    wide = np.result_type(old.counts, new.counts)
    return _assembled(
        # Two sorted runs: sorting them is one linear merge.
        sorted(old_names + list(compress(new_names, ~is_shared))),
        np.insert(lengths, at[~is_shared], added[~is_shared]),
        np.insert(old.rows, spots, new.rows),
        np.insert(old.counts.astype(wide), spots, new.counts),
    )


def _assembled(names: list[bytes], lengths: ArrayLike, rows: Integers, counts: Integers) -> Packed:
    return Packed(
        b"".join(names),
        _ends(list(map(len, names))),
        _ends(lengths),
        rows.astype(np.uint32, copy=False),
        counts.astype(np.min_scalar_type(counts.max(initial=0)), copy=False),
    )


def _ends(lengths: ArrayLike) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
