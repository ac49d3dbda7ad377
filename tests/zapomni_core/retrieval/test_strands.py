"""Strands: a memory gains from its neighbours and its thread, and from nobody else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.retrieval.strands import Context, Strands

NEIGHBOURS = Context(before=1.0, after=1.0, second=0.0, thread=0.0)
AFTER = Context(before=0.0, after=1.0, second=0.0, thread=0.0)
SECOND = Context(before=0.0, after=0.0, second=1.0, thread=0.0)
THREAD = Context(before=0.0, after=0.0, second=0.0, thread=1.0)


def strands(*memories: tuple[int, int]) -> Strands:
    """Make strands of memories given as (thread, chunks)."""
    ids = [f"{i:016}".encode() for i, (_, chunks) in enumerate(memories) for _ in range(chunks)]
    threads = [thread for thread, chunks in memories for _ in range(chunks)]
    rows = np.arange(len(ids), dtype=np.int64)
    return Strands.of(rows, np.array(ids, "S16"), np.array(threads, np.int32))


def gains(made: Strands, scores: list[float], context: Context) -> list[float]:
    given_scores = np.array(scores, np.float32)
    return [float(gain) for gain in made.gains(given_scores, context)]


def test_neighbours_in_the_same_thread_lend_their_scores() -> None:
    made = strands((1, 1), (1, 1), (1, 1), (2, 1))

    assert gains(made, [1, 2, 4, 8], NEIGHBOURS) == [2, 5, 2, 0]
    assert gains(made, [1, 2, 4, 8], AFTER) == [2, 4, 0, 0]
    assert gains(made, [1, 2, 4, 8], SECOND) == [4, 0, 1, 0]


def test_the_best_of_a_thread_counts_for_all_of_it() -> None:
    made = strands((1, 1), (1, 1), (2, 1))

    assert gains(made, [1, 3, 8], THREAD) == [3, 3, 8]


def test_memories_without_a_thread_have_no_neighbours() -> None:
    made = strands((0, 1), (0, 1), (0, 1))

    assert gains(made, [1, 2, 4], NEIGHBOURS) == [0, 0, 0]
    assert gains(made, [1, 2, 4], THREAD) == [1, 2, 4]


def test_the_chunks_of_a_memory_count_as_one() -> None:
    made = strands((1, 3), (1, 2))

    assert gains(made, [1, 5, 2, 3, 1], NEIGHBOURS) == [3, 3, 3, 5, 5]
    assert gains(made, [1, 5, 2, 3, 1], SECOND) == [0] * 5


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=12),
    st.data(),
)
def test_nothing_flows_between_threads(
    memories: list[tuple[int, int]], data: st.DataObject
) -> None:
    memories.sort()
    made = strands(*memories)
    size = len(made.rows)
    scores = np.array(data.draw(st.lists(st.floats(0, 1, width=32), min_size=size, max_size=size)))
    chosen = data.draw(st.integers(0, size - 1))
    raised = scores.copy()
    raised[chosen] += 1
    every = Context(0.3, 0.1, 0.2, 0.5)

    changed = made.gains(raised.astype(np.float32), every) != made.gains(
        scores.astype(np.float32), every
    )

    thread_of_row = made.thread_of[made.memory_of]
    assert set(thread_of_row[changed]) <= {thread_of_row[chosen]}
