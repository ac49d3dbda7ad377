"""Let a memory gain from what was said around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["Context", "Strands"]

type Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Context:
    """What a memory gains from the one before, the one after, those next to them, and the best.

    The one after counts more: an answer often says what its question is about.
    """

    before: float
    after: float
    second: float
    thread: float


@dataclass(frozen=True, slots=True, eq=False)
class Strands:
    """Rows in order: threads one after another, their memories as they came, then the chunks.

    A memory that stands alone is a thread of its own. `memory_of` numbers the memories row by
    row, `thread_of` the threads memory by memory.
    """

    rows: NDArray[np.int64]
    memory_of: NDArray[np.intp]
    thread_of: NDArray[np.intp]

    @classmethod
    def of(
        cls,
        rows: NDArray[np.int64],
        memory_ids: NDArray[np.bytes_],
        threads: NDArray[np.int32],
    ) -> Self:
        """Number memories and threads; thread 0 stands for memories that stand alone."""
        is_new = np.append(True, memory_ids[1:] != memory_ids[:-1])[: len(rows)]
        of_memory = threads[is_new]
        begins = np.append(True, of_memory[1:] != of_memory[:-1])[: len(of_memory)]
        begins |= of_memory == 0
        return cls(rows, np.cumsum(is_new) - 1, np.cumsum(begins) - 1)

    def talk_share(self, chosen: NDArray[np.bool_]) -> float:
        """Tell how many of the chosen rows stand in a thread of several memories."""
        if not chosen.any():
            return 0.0
        thread_of = self.thread_of[self.memory_of[chosen]]
        return float((np.bincount(self.thread_of)[thread_of] > 1).mean())

    def gains(self, scores: Scores, context: Context) -> Scores:
        """Return what each row gains from the memories around its own."""
        if not len(scores):
            return scores
        best = np.maximum.reduceat(scores, _starts(self.memory_of))
        gained = (
            context.thread * np.maximum.reduceat(best, _starts(self.thread_of))[self.thread_of]
        )
        gained += context.before * self._shifted(best, 1)
        gained += context.after * self._shifted(best, -1)
        gained += context.second * (self._shifted(best, 2) + self._shifted(best, -2))
        return np.asarray(gained[self.memory_of], np.float32)

    def _shifted(self, values: Scores, by: int) -> Scores:
        """Give each memory the value of the one `by` places before it in its thread, else 0."""
        moved = np.roll(values, by)
        moved[np.roll(self.thread_of, by) != self.thread_of] = 0.0
        # What comes round at the end can only meet its own thread if there is no other.
        edge = (
            slice(0, by) if by > 0 else slice(len(values) + by if len(values) > -by else 0, None)
        )
        moved[edge] = 0.0
        return moved


def _starts(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
