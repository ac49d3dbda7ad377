"""List memories in order, page by page, out of the word index."""

from __future__ import annotations

import base64
import binascii
import uuid
from dataclasses import dataclass
from typing import Self, get_args

import numpy as np
from numpy.typing import NDArray

from zapomni_core.errors import ValidationError
from zapomni_core.life.results import Order
from zapomni_core.retrieval import Filters
from zapomni_core.retrieval.lexicon import Lexicon

__all__ = ["Cursor", "Listing", "list_ids"]

type Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last memory of a page: what sorts behind it comes next."""

    order: Order
    key: int
    memory_id: str

    @classmethod
    def parse(cls, text: str | None, order: Order) -> Self | None:
        """Read what `__str__` wrote for the same order."""
        if text is None:
            return None
        try:
            written = base64.urlsafe_b64decode(text.encode()).decode()
            found, key, memory_id = written.split(" ")
            cursor = cls(order, int(key), uuid.UUID(bytes=bytes.fromhex(memory_id)).hex)
        except (ValueError, binascii.Error, UnicodeError):
            raise ValidationError("cursor", "must be the next_cursor of an earlier page") from None
        if found != order:
            raise ValidationError("cursor", f"belongs to the order {_known(found)}; keep it")
        return cursor

    def __str__(self) -> str:
        """Write the cursor as clients hand it back."""
        written = f"{self.order} {self.key} {self.memory_id}"
        return base64.urlsafe_b64encode(written.encode()).decode()


@dataclass(frozen=True, slots=True)
class Listing:
    """The ids of one page, in order, and how many memories there are in all."""

    memory_ids: tuple[str, ...]
    total: int
    next: Cursor | None


def list_ids(
    lexicon: Lexicon, filters: Filters, order: Order, after: Cursor | None, limit: int
) -> Listing:
    """Find the memories of a page without sorting all of them."""
    rows = lexicon.heads(filters)
    total = len(rows)
    times = (lexicon.timestamps if order in ("newest", "oldest") else lexicon.arrivals)(rows)
    keys = -times if order in ("newest", "last_added") else times
    if after is not None:
        rows, keys = _behind(lexicon, rows, keys, after)
    rows, keys = _first(lexicon, rows, keys, limit + 1)
    page = sorted(zip(keys.tolist(), lexicon.memory_ids(rows), strict=True))
    ids = tuple(memory_id for _, memory_id in page[:limit])
    is_last = len(page) <= limit
    return Listing(ids, total, None if is_last else Cursor(order, *page[limit - 1]))


def _behind(lexicon: Lexicon, rows: Numbers, keys: Numbers, after: Cursor) -> tuple[Numbers, ...]:
    """Leave out what earlier pages have shown."""
    left, tied = keys > after.key, np.flatnonzero(keys == after.key)
    starts, own = lexicon.id_starts(rows[tied]), np.uint64(int(after.memory_id[:16], 16))
    left[tied] = starts > own
    alike = tied[starts == own]
    left[alike] = [each > after.memory_id for each in lexicon.memory_ids(rows[alike])]
    return rows[left], keys[left]


def _first(lexicon: Lexicon, rows: Numbers, keys: Numbers, count: int) -> tuple[Numbers, ...]:
    """Leave out what sorts behind as many; memories of one moment are in the order of their ids.

    A few more stay where ids begin alike.
    """
    if len(rows) <= count:
        return rows, keys
    last = np.partition(keys, count - 1)[count - 1]
    rows, keys = rows[keys <= last], keys[keys <= last]
    is_tied = keys == last
    starts = lexicon.id_starts(rows[is_tied])
    room = len(starts) + count - len(rows)
    fits = ~is_tied
    fits[is_tied] = starts <= np.partition(starts, room - 1)[room - 1]
    return rows[fits], keys[fits]


def _known(order: str) -> str:
    return order if order in get_args(Order.__value__) else "of another list"
