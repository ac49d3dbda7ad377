"""What bindings mean beyond the function in which they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zapomni_core.code.model import MODULE, Binding, FileFacts
from zapomni_core.code.resolution.annotations import is_plain
from zapomni_core.code.resolution.chains import CALL, OBJECT, names_in
from zapomni_core.code.resolution.tables import CLASS_KINDS

__all__ = ["Locals", "lasting"]

# What objects hold: those of a class, and those that are written out and returned.
_OF_OTHERS: Final = ("self.", "this.", "cls.", f"{OBJECT}.")
# What a function returns and yields is bound to these.
_RESULTS: Final = frozenset({"return", "yield"})
# What is asked or called at one place says nothing about others.
_PASSING: Final = ("?", CALL)


def lasting(facts: FileFacts) -> Iterator[tuple[str, Binding]]:
    """Yield what is bound in modules and classes, and what functions are seen to return."""
    for each in facts.bindings:
        scope = None if each.scope == MODULE else facts.definitions[each.scope]
        target = each.target
        if target.endswith(_PASSING):
            continue
        if target in _RESULTS and scope is not None:
            if not is_plain(scope.returns):
                yield scope.name, each
        elif target.startswith(_OF_OTHERS):
            yield target.partition(".")[2], each
        elif scope is None or scope.kind == "module" or scope.kind in CLASS_KINDS:
            # What a variant of an enum holds goes by the name of the variant.
            yield target.rpartition(".")[2].partition("@")[0], each


class Locals:
    """The locals of functions, and what they rest on."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._bindings: dict[int, list[Binding]] = {}
        for each in facts.bindings:
            self._bindings.setdefault(each.scope, []).append(each)
        self._known: dict[int, dict[str, set[str]]] = {}

    def behind(self, binding: Binding) -> set[str]:
        """Return the names in a value, with everything that stands behind those of locals."""
        return _through(self._held(binding.scope), names_in(binding.value))

    def bindings(self, scope: int, names: Iterable[str]) -> Iterator[Binding]:
        """Yield what binds some names in a function, or in one around it."""
        wanted = frozenset(names)
        for at in self._around(scope):
            for each in self._bindings.get(at, ()):
                if each.target in wanted:
                    yield each

    def _held(self, scope: int) -> dict[str, set[str]]:
        known = self._known.get(scope)
        if known is None:
            known = self._known[scope] = {}
            for at in self._around(scope):
                for each in self._bindings.get(at, ()):
                    known.setdefault(each.target, set()).update(names_in(each.value))
                for name, kind in self._facts.definitions[at].parameters:
                    known.setdefault(name.lstrip("*&."), set()).update(names_in(kind))
        return known

    def _around(self, scope: int) -> Iterator[int]:
        """Yield a function and those around it: an inner one sees their locals."""
        while scope != MODULE:
            definition = self._facts.definitions[scope]
            if definition.kind not in CLASS_KINDS:
                yield scope
            scope = definition.scope


def _through(local: dict[str, set[str]], names: Iterable[str]) -> set[str]:
    """Return names with everything that stands behind those which are locals."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(local.get(name, ()))
    return found
