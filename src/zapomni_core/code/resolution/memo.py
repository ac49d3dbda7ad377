"""Values worked out once, although some of them depend on each other in a circle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Final

from zapomni_core.code.resolution.tables import Source
from zapomni_core.code.resolution.values import UNBOUND, Unbound, Value

__all__ = ["Memo"]

# What lies deeper is taken for unknown.
_DEPTH: Final = 48

type _Known = dict[Hashable, Value | Unbound]


class Memo:
    """Remember what does not depend on the place from which it was asked for.

    Inside of a circle a value is cut off where the circle closes. What was worked out with such
    a cut holds only for that way of asking; it is remembered for the outermost question alone,
    so that the answers do not depend on the order of the questions.
    """

    def __init__(self) -> None:
        self._known: defaultdict[Source, _Known] = defaultdict(dict)
        self._open: set[tuple[Source, Hashable]] = set()
        self._cuts = 0

    def forget(self, source: Source) -> None:
        """Forget what was worked out inside of one file."""
        self._known.pop(source, None)

    def once(self, source: Source, key: Hashable, work: Callable[[], Value]) -> Value:
        """Return the value of a key; None where it leads back to itself."""
        found = self.once_or_unbound(source, key, work)
        return None if isinstance(found, Unbound) else found

    def once_or_unbound(
        self, source: Source, key: Hashable, work: Callable[[], Value | Unbound]
    ) -> Value | Unbound:
        """Return the value of a key; UNBOUND where it leads back to itself."""
        known = self._known[source]
        if key in known:
            return known[key]
        opened = (source, key)
        if opened in self._open or len(self._open) >= _DEPTH:
            self._cuts += 1
            return UNBOUND
        cuts = self._cuts
        self._open.add(opened)
        value = work()
        self._open.discard(opened)
        if cuts == self._cuts or not self._open:
            known[key] = value
        return value

    def within(self, source: Source) -> _Known:
        """Return what is known of one file, to look things up without asking."""
        return self._known[source]
