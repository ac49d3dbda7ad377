"""What the calls of one file are made on, worked out once where it stays the same."""

from __future__ import annotations

from typing import Final

from zapomni_core.code.model import MODULE, Call
from zapomni_core.code.resolution.chains import OBJECT, steps_of
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.tables import Source
from zapomni_core.code.resolution.values import Namespace, Unbound, Value

__all__ = ["Steady"]

_NEW: Final = Namespace("", "")
# Heads of chains that mean something else in every class or function.
_OF_SCOPES: Final = frozenset({"super", OBJECT})


class Steady:
    """Remember what functions and chains stand for on every line of a scope, or of the file."""

    def __init__(self, source: Source, evaluation: Evaluation) -> None:
        self._source = source
        self._evaluation = evaluation
        # Most names in a file of Python are those of modules, classes and functions around.
        self._inner = _names_inside(source) if source.language == "python" else None
        self._functions: dict[str, Value | Unbound] = {}
        self._functions_in: dict[tuple[int, str], Value | Unbound] = {}
        self._receivers: dict[str, Value] = {}
        self._receivers_in: dict[tuple[int, str], Value] = {}

    def function(self, call: Call) -> Value | Unbound:
        """Return what is called by a bare name."""
        name, _, line, place, _ = call
        found = self._functions.get(name, _NEW) if place != MODULE else _NEW
        if found is _NEW:
            found = self._functions_in.get((place, name), _NEW)
        if found is _NEW:
            scope = self._source.scope(place)
            found = self._evaluation.named(scope, name, line, is_called=True)
            if place != MODULE and self._is_same_everywhere(name):
                self._functions[name] = found
            elif name not in scope.bindings:
                self._functions_in[place, name] = found
        return found

    def receiver(self, call: Call) -> Value:
        """Return what the chain in front of a call stands for."""
        _, chain, line, place, _ = call
        found = self._receivers.get(chain, _NEW) if place != MODULE else _NEW
        if found is _NEW:
            found = self._receivers_in.get((place, chain), _NEW)
        if found is _NEW:
            scope = self._source.scope(place)
            found = self._evaluation.chain(scope, chain, line)
            head = steps_of(chain)[0]
            if place != MODULE and self._is_same_everywhere(head):
                self._receivers[chain] = found
            elif head not in scope.bindings:
                self._receivers_in[place, chain] = found
        return found

    def _is_same_everywhere(self, name: str) -> bool:
        """Tell whether every definition of the file sees the same under a name."""
        return self._inner is not None and name not in self._inner


def _names_inside(source: Source) -> set[str]:
    names = set(_OF_SCOPES)
    for each in source.symbols:
        names.update(each.parameters, each.bindings, each.members, each.imports)
    return names
