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
        if self._all_stand_alone or not chosen.any():
            return 0.0
        thread_of = self.thread_of[self.memory_of[chosen]]
        return float((np.bincount(self.thread_of)[thread_of] > 1).mean())

    def gains(self, scores: Scores, context: Context) -> Scores:
        """Return what each row gains from the memories around its own."""
        if not len(scores):
            return scores
        best = np.maximum.reduceat(scores, _starts(self.memory_of))
        if self._all_stand_alone:
            return np.asarray((context.thread * best)[self.memory_of], np.float32)
        gained = (
            context.thread * np.maximum.reduceat(best, _starts(self.thread_of))[self.thread_of]
        )
        gained += context.before * self._shifted(best, 1)
        gained += context.after * self._shifted(best, -1)
        gained += context.second * (self._shifted(best, 2) + self._shifted(best, -2))
        return np.asarray(gained[self.memory_of], np.float32)

    def _shifted(self, values: Scores, by: int) -> Scores:
        """Give each memory the value of the one `by` places before it in its thread, else 0."""
        moved = np.zeros_like(values)
        there, here = slice(None, -by), slice(by, None)
        if by < 0:
            there, here = slice(-by, None), slice(None, by)
        is_same = self.thread_of[there] == self.thread_of[here]
        moved[here][is_same] = values[there][is_same]
        return moved

    @property
    def _all_stand_alone(self) -> bool:
        return not len(self.rows) or int(self.thread_of[-1]) + 1 == len(self.thread_of)


def _starts(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
