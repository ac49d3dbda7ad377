"""List memories in order, page by page, out of the word index."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import Self, get_args

import numpy as np

from zapomni_core.errors import ValidationError
from zapomni_core.life.results import Order
from zapomni_core.retrieval import Filters
from zapomni_core.retrieval.lexicon import Lexicon

__all__ = ["Cursor", "Listing", "list_ids"]


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
            cursor = cls(order, int(key), bytes.fromhex(memory_id).hex())
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
        left = keys >= after.key
        rows, keys = rows[left], keys[left]
        tied = np.flatnonzero(keys == after.key)
        gone = [memory_id <= after.memory_id for memory_id in lexicon.memory_ids(rows[tied])]
        rows, keys = np.delete(rows, tied[gone]), np.delete(keys, tied[gone])
    if len(rows) > limit:
        reached = keys <= np.partition(keys, limit)[limit]
        rows, keys = rows[reached], keys[reached]
    page = sorted(zip(keys.tolist(), lexicon.memory_ids(rows), strict=True))
    ids = tuple(memory_id for _, memory_id in page[:limit])
    is_last = len(page) <= limit
    return Listing(ids, total, None if is_last else Cursor(order, *page[limit - 1]))


def _known(order: str) -> str:
    return order if order in get_args(Order.__value__) else "of another list"
