"""What chains stand for: names in their scopes, then attributes, calls and items."""

from __future__ import annotations

from typing import Final

from zapomni_core.code.resolution.chains import CALL, ITEM, steps_of
from zapomni_core.code.resolution.results import Results
from zapomni_core.code.resolution.tables import Symbol
from zapomni_core.code.resolution.values import UNBOUND, Super, Unbound, Value

__all__ = ["Evaluation"]

# In Rust it is the module above.
_SUPER: Final = {"csharp": "base", "php": "parent", "rust": ""}


class Evaluation(Results):
    """Work out chains as far as the facts of the repository allow."""

    def chain(self, scope: Symbol, chain: str, line: int) -> Value:
        """Return what a chain stands for at a line of a scope."""
        steps = steps_of(chain)
        if not steps:
            return None
        value, at = self._head(scope, steps, line)
        for step in steps[at:]:
            if value is None:
                return None
            value = self.step(value, step)
        return value

    def step(self, value: Value, step: str) -> Value:
        """Follow one link of a chain."""
        if step == CALL:
            return self.result(value)
        if step == ITEM:
            return self.item(value)
        if step[0] == "[":
            return self.item(value, int(step[1:-1]))
        found = self.attribute(value, step)
        return None if isinstance(found, Unbound) else found

    def _head(self, scope: Symbol, steps: tuple[str, ...], line: int) -> tuple[Value, int]:
        first = steps[0]
        if first == _SUPER.get(scope.source.language, "super"):
            owner = scope.enclosing_class()
            called = len(steps) > 1 and steps[1] == CALL
            if owner is not None and (first == "super" or not called):
                return Super(owner), 2 if called else 1
        found = self.named(scope, first, line)
        return (None if found is UNBOUND or isinstance(found, Unbound) else found), 1
