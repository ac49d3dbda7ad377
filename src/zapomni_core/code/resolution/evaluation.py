"""What chains stand for: names in their scopes, then attributes, calls and items."""

from __future__ import annotations

from typing import Final

from zapomni_core.code.resolution.chains import CALL, ITEM, LIST_OF, LIST_OUT_OF, OBJECT, steps_of
from zapomni_core.code.resolution.handing import Handing
from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import (
    External,
    Instance,
    Made,
    Super,
    Unbound,
    Value,
)

__all__ = ["Evaluation"]

_LISTS: Final = frozenset({LIST_OF, LIST_OUT_OF})
# In Rust it is the module above.
_SUPER: Final = {"csharp": "base", "php": "parent", "rust": ""}
_ABOVE: Final = frozenset({"super", "base", "parent"})


class Evaluation(Handing):
    """Work out chains as far as the facts of the repository allow."""

    def chain(self, scope: Symbol, chain: str, line: int) -> Value:
        """Return what a chain stands for at a line of a scope."""
        steps = steps_of(chain)
        if not steps:
            return None
        value, at = self._head(scope, steps, line)
        return value if at == len(steps) else self._followed(value, steps, at)

    def _followed(self, value: Value, steps: tuple[str, ...], at: int) -> Value:
        for place in range(at, len(steps)):
            if value is None:
                return None
            following = steps[place + 1] if place + 1 < len(steps) else ""
            if following[:1] == "{":
                # Nothing comes behind what a function is handed.
                return self.handed(value, steps[place], *_places(following))
            value = self.step(value, steps[place], is_called=following == CALL)
        return value

    def step(self, value: Value, step: str, *, is_called: bool = False) -> Value:
        """Follow one link of a chain; it may be a method that is called then."""
        if step == CALL:
            return self.result(value)
        if step == ITEM:
            return self.item(value)
        if step in _LISTS:
            element = self.taken(value, "item") if step == LIST_OUT_OF else value
            return Instance(External("list"), () if element is None else (element,))
        if step[0] == "[":
            return self.item(value, int(step[1:-1]))
        if step[0] == "{":
            return self.handed_by(value, *_places(step))
        found = self.attribute(value, step) if is_called else self.field(value, step)
        return None if isinstance(found, Unbound) else found

    def _head(self, scope: Symbol, steps: tuple[str, ...], line: int) -> tuple[Value, int]:
        first = steps[0]
        is_called = len(steps) > 1 and steps[1] == CALL
        if first == OBJECT:
            return Made(scope), 1
        if first in _ABOVE and first == _SUPER.get(scope.source.language, "super"):
            owner = scope.enclosing_class()
            if owner is not None and (first == "super" or not is_called):
                return Super(owner), 2 if is_called else 1
        found = self.named(scope, first, line, is_called=is_called)
        return (None if isinstance(found, Unbound) else found), 1


def _places(step: str) -> tuple[int, int]:
    argument, _, place = step[1:-1].partition(",")
    return int(argument), int(place)
