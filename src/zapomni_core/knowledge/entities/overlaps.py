"""Find which of many mentions touch a place, without looking at all of them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from zapomni_core.knowledge.model import Mention

__all__ = ["Overlaps", "overlaid"]


class Overlaps:
    """Mentions of one text, none inside another."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self._mentions = sorted(mentions, key=lambda one: one.start)
        self._starts = [one.start for one in self._mentions]
        self._ends = [one.end for one in self._mentions]

    def touching(self, start: int, end: int) -> Sequence[Mention]:
        """Return the mentions that have a character in common with this place."""
        return self._mentions[bisect_right(self._ends, start) : bisect_left(self._starts, end)]

    def apart(self, mentions: Iterable[Mention]) -> list[Mention]:
        """Return those of the given mentions that touch none of these."""
        return [one for one in mentions if not self.touching(one.start, one.end)]

    def contain(self, start: int, end: int) -> bool:
        """Tell whether one of the mentions is longer than this place and has all of it."""
        return any(
            one.start <= start and end <= one.end and end - start < one.end - one.start
            for one in self.touching(start, end)
        )


def overlaid(below: Sequence[Mention], above: Sequence[Mention]) -> list[Mention]:
    """Return all of the second, and of the first what is left free."""
    return [*Overlaps(above).apart(below), *above] if above else list(below)
