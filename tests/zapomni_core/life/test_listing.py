"""Pages of a list: every memory once, in order, whatever the page size."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core import ValidationError
from zapomni_core.life.listing import Cursor, list_ids
from zapomni_core.life.results import Order
from zapomni_core.retrieval import Filters
from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_db import IndexEntry

ORDERS: tuple[Order, ...] = ("newest", "oldest", "last_added", "first_added")


def filled(times: list[tuple[int, int, int]]) -> tuple[Lexicon, list[tuple[int, int, str]]]:
    """Index memories by when they were said, when they were stored, and how many chunks."""
    lexicon = Lexicon(fold_at=8)
    known: list[tuple[int, int, str]] = []
    for said, stored, chunks in times:
        # Every other id begins alike.
        memory_id = "5" * (16 if len(known) % 2 else 0)
        memory_id += uuid.uuid4().hex[len(memory_id) :]
        known.append((said, stored, memory_id))
        for index in range(chunks):
            details = {"created_ms": stored, "is_head": index == 0}
            lexicon.add(
                [IndexEntry(uuid.uuid4().hex, memory_id, "word", said, "notes", (), **details)]  # type: ignore[arg-type]
            )
    return lexicon, known


def all_pages(lexicon: Lexicon, order: Order, limit: int) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = list_ids(lexicon, Filters(), order, Cursor.parse(cursor, order), limit)
        assert len(page.memory_ids) <= limit
        found += page.memory_ids
        if page.next is None:
            return found
        cursor = str(page.next)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 3)), max_size=30),
    st.sampled_from(ORDERS),
    st.integers(1, 7),
)
def test_the_pages_of_a_list_hold_every_memory_once_in_order(
    times: list[tuple[int, int, int]], order: Order, limit: int
) -> None:
    lexicon, known = filled(times)
    column = 0 if order in ("newest", "oldest") else 1
    sign = -1 if order in ("newest", "last_added") else 1

    expected = [each[2] for each in sorted(known, key=lambda each: (sign * each[column], each[2]))]

    assert all_pages(lexicon, order, limit) == expected


def test_the_total_counts_what_passes_the_filters() -> None:
    lexicon, _ = filled([(1, 1, 2), (5, 2, 1), (9, 3, 1)])

    assert list_ids(lexicon, Filters(from_ms=4), "newest", None, 1).total == 2


@pytest.mark.parametrize("written", ["", "nonsense", "bmV3ZXN0", "%%%", "ä", "bmV3ZXN0IDUg"])
def test_a_cursor_that_nobody_gave_is_refused(written: str) -> None:
    with pytest.raises(ValidationError, match="cursor must be the next_cursor"):
        Cursor.parse(written, "newest")


def test_a_cursor_of_another_order_is_refused() -> None:
    cursor = str(Cursor("oldest", 5, "ab" * 16))

    with pytest.raises(ValidationError, match="cursor belongs to the order oldest"):
        Cursor.parse(cursor, "newest")


def test_what_has_expired_leaves_the_lexicon() -> None:
    lexicon = Lexicon(fold_at=2)
    ids = [uuid.uuid4().hex for _ in range(3)]
    for memory_id, expires in zip(ids, (0, 50, 90), strict=True):
        entry = IndexEntry(uuid.uuid4().hex, memory_id, "word", 1, "notes", (), expires_ms=expires)
        lexicon.add([entry])

    too_early = lexicon.has_due(49)
    is_due = lexicon.has_due(50)
    expired = lexicon.expire(60)

    assert (too_early, is_due, expired) == (False, True, 1)
    assert not lexicon.has_due(60)
    assert set(list_ids(lexicon, Filters(), "oldest", None, 9).memory_ids) == {ids[0], ids[2]}
