"""Values worked out once, although some of them depend on each other in a circle."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

from zapomni_core.code.resolution.values import UNBOUND, Unbound, Value

__all__ = ["Memo"]

# What lies deeper is taken for unknown.
_DEPTH: Final = 24


class Memo:
    """Remember what does not depend on the place from which it was asked for.

    Inside of a circle a value is cut off where the circle closes. What was worked out with such
    a cut holds only for that way of asking; it is remembered for the outermost question alone,
    so that the answers do not depend on the order of the questions.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Value | Unbound] = {}
        self._open: set[Hashable] = set()
        self._cuts = 0

    def once(self, key: Hashable, work: Callable[[], Value]) -> Value:
        """Return the value of a key; None where it leads back to itself."""
        found = self.once_or_unbound(key, work)
        return None if isinstance(found, Unbound) else found

    def once_or_unbound(
        self, key: Hashable, work: Callable[[], Value | Unbound]
    ) -> Value | Unbound:
        """Return the value of a key; UNBOUND where it leads back to itself."""
        if key in self._known:
            return self._known[key]
        if key in self._open or len(self._open) >= _DEPTH:
            self._cuts += 1
            return UNBOUND
        cuts = self._cuts
        self._open.add(key)
        value = work()
        self._open.discard(key)
        if cuts == self._cuts or not self._open:
            self._known[key] = value
        return value
