"""What the calls of one file are made on, worked out once where it stays the same."""

from __future__ import annotations

from typing import Final

from zapomni_core.code.model import MODULE, Call
from zapomni_core.code.resolution.chains import OBJECT, steps_of
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.names import OF_THE_CLASS
from zapomni_core.code.resolution.tables import Source, Symbol
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
        # Half of all chains that come up anew in Django begin with the object of a method.
        self._receivers_of: dict[tuple[Symbol, str], Value] = {}

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
        return self._work_out(chain, line, place) if found is _NEW else found

    def _work_out(self, chain: str, line: int, place: int) -> Value:
        scope, head = self._source.scope(place), steps_of(chain)[0]
        owner = scope.owner
        if owner is not None and self._inner is not None and _is_itself(head, scope):
            found = self._of_object(scope, owner, chain, line)
        else:
            found = self._evaluation.chain(scope, chain, line)
        if place != MODULE and self._is_same_everywhere(head):
            self._receivers[chain] = found
        elif head not in scope.bindings:
            self._receivers_in[place, chain] = found
        return found

    def _of_object(self, method: Symbol, owner: Symbol, chain: str, line: int) -> Value:
        """Return what a chain stands for in all methods of a class that begin with `self`."""
        found = self._receivers_of.get((owner, chain), _NEW)
        if found is _NEW:
            found = self._evaluation.chain(method, chain, line)
            self._receivers_of[owner, chain] = found
        return found

    def _is_same_everywhere(self, name: str) -> bool:
        """Tell whether every definition of the file sees the same under a name."""
        return self._inner is not None and name not in self._inner


def _is_itself(name: str, method: Symbol) -> bool:
    """Tell whether a name is the object of a method, and nothing else anywhere in it."""
    return (
        not method.is_class
        and method.definition.parameters[:1] == ((name, ""),)
        and not method.definition.decorators
        and method.definition.name not in OF_THE_CLASS
        and name not in method.bindings
        and name not in method.members
    )


def _names_inside(source: Source) -> set[str]:
    names = set(_OF_SCOPES)
    for each in source.symbols:
        names.update(each.parameters, each.bindings, each.members, each.imports)
    return names
