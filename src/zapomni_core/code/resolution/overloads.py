"""Which of several functions of one name a call means, by what it is given."""

from __future__ import annotations

from typing import Final

from zapomni_core.code.model import WRITTEN, Call
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import Bound, External, Instance, Value

__all__ = ["Overloads"]

_BOXED: Final = {
    "Boolean": "boolean",
    "Byte": "byte",
    "Character": "char",
    "Double": "double",
    "Float": "float",
    "Integer": "int",
    "Long": "long",
    "Short": "short",
}
_PRIMITIVE: Final = frozenset(_BOXED.values())
# What a number becomes by itself, the nearest first.
_WIDENED: Final = {
    "byte": ("short", "int", "long", "float", "double"),
    "char": ("int", "long", "float", "double"),
    "float": ("double",),
    "int": ("long", "float", "double"),
    "long": ("float", "double"),
    "short": ("int", "long", "float", "double"),
}
_ALL: Final = frozenset({"Object"})
_OF_TEXT: Final = frozenset({"CharSequence", "Comparable", "Serializable"})
_OF_BOXES: Final = frozenset({"Comparable", "Number", "Serializable"})
# Classes from which nothing can be derived.
_FINAL: Final = _PRIMITIVE | {"String", "Class"}
_LIST: Final = "list"
# How well something fits: not at all, as everything does, as far as anybody knows, and better.
_NEVER: Final = -1000
_AS_ANYTHING: Final = -1
_MAYBE: Final = 0
_AS_BOXED: Final = 5
_AS_WIDENED: Final = 10
_AS_BASE: Final = 20
_EXACTLY: Final = 30


class Overloads:
    """Choose between the overloads that the calls of one file may mean."""

    def __init__(self, source: Source, evaluation: Evaluation) -> None:
        self._source = source
        self._evaluation = evaluation

    def inherited(self, call: Call, found: Value) -> Value:
        """Return the method above one that cannot take what a call gives, if there is any."""
        if call.arguments is None or not isinstance(found, Bound):
            return found
        count = _count(call.arguments)
        name = found.method.definition.name
        if found.method.source.language != "java" or _takes(found.method, count):
            return found
        above = (each.members.get(name) for each in self._evaluation.hierarchy.order(found.owner))
        fitting = (each for each in above if each is not None and _takes(each, count))
        return Bound(next(fitting, found.method), found.owner)

    def fitting(self, call: Call, target: Symbol) -> list[Symbol]:
        """Return the overloads that fit best to what is given."""
        if call.arguments is None:
            return target.overloads
        given = call.arguments.split(",") if call.arguments else []
        found = target.overloads_with(len(given))
        if len(found) == 1 or not given:
            return found
        scope = self._source.scope(call.scope)
        values = [self._value(scope, each, call.line) for each in given]
        scores = {each: self._score(each, values) for each in found}
        possible = [each for each in found if scores[each] > _NEVER]
        # What takes any number is meant only if nothing else can be.
        possible = [each for each in possible if not each.takes_any_number] or possible
        best = max((scores[each] for each in possible), default=_NEVER)
        return [each for each in possible if scores[each] == best] or found

    def _value(self, scope: Symbol, given: str, line: int) -> Value:
        if given.startswith(WRITTEN):
            return self._evaluation.typed(scope, given[len(WRITTEN) :])
        return self._evaluation.chain(scope, given, line)

    def _score(self, function: Symbol, values: list[Value]) -> int:
        parameters = function.definition.parameters
        last = len(parameters) - 1
        total = 0
        for place, value in enumerate(values):
            kind = parameters[min(place, last)][1] if parameters else ""
            taken = self._evaluation.typed(function, kind) or _by_name(kind)
            is_open = place >= last and function.takes_any_number
            if is_open and not (len(values) == len(parameters) and _is_list(value)):
                taken = _element(taken)
            fit = self._fit(value, taken)
            if fit == _NEVER:
                return _NEVER
            total += fit
        return total

    def _fit(self, value: Value, taken: Value) -> int:
        """Tell how well something can be handed over as something else."""
        if not (isinstance(value, Instance) and isinstance(taken, Instance)):
            return _MAYBE
        if isinstance(value.of, Symbol) and isinstance(taken.of, Symbol):
            return self._fit_here(value.of, taken.of)
        given, wanted = _name(value), _name(taken)
        if wanted in _ALL:
            return _AS_ANYTHING
        if isinstance(value.of, Symbol):
            is_closed = self._evaluation.hierarchy.is_closed(value.of)
            return _NEVER if is_closed or wanted in _FINAL or wanted == _LIST else _MAYBE
        if isinstance(taken.of, Symbol):
            return _NEVER
        if given == wanted == _LIST:
            return self._fit_elements(value, taken)
        return _fit_outside(given, wanted)

    def _fit_here(self, given: Symbol, wanted: Symbol) -> int:
        if given is wanted:
            return _EXACTLY
        if wanted in self._evaluation.hierarchy.order(given):
            return _AS_BASE
        return _NEVER if self._evaluation.hierarchy.is_closed(given) else _MAYBE

    def _fit_elements(self, value: Instance, taken: Instance) -> int:
        if not (value.arguments and taken.arguments):
            return _MAYBE
        given, wanted = value.arguments[0], taken.arguments[0]
        fit = self._fit(given, wanted)
        # An array of numbers is no array of other numbers, nor of objects.
        is_other = isinstance(given, Instance) and _name(given) in _PRIMITIVE and fit != _EXACTLY
        return _NEVER if is_other and wanted is not None else fit


def _count(arguments: str) -> int:
    return arguments.count(",") + 1 if arguments else 0


def _takes(method: Symbol, count: int) -> bool:
    return any(
        len(each.definition.parameters) == count or (each.takes_any_number and each.least <= count)
        for each in method.overloads or [method]
    )


def _fit_outside(given: str, wanted: str) -> int:
    if given == wanted:
        return _EXACTLY
    if wanted in _WIDENED.get(given, ()):
        return _AS_WIDENED - _WIDENED[given].index(wanted)
    if given == "String" and wanted in _OF_TEXT:
        return _AS_BASE
    if given in _PRIMITIVE and wanted in _OF_BOXES:
        return _AS_BOXED
    return _NEVER if _LIST in {given, wanted} or {given, wanted} & _FINAL else _MAYBE


def _by_name(kind: str) -> Value:
    """Take a type that nobody finds for one outside, unless it looks like a type variable."""
    last = kind.partition("<")[0].rpartition(".")[2]
    is_class = last.isidentifier() and last[0].isupper() and not last.isupper()
    return Instance(External(last)) if is_class else None


def _name(value: Instance) -> str:
    dotted = value.of.dotted if isinstance(value.of, External) else value.of.definition.name
    last = dotted.rpartition(".")[2]
    return _BOXED.get(last, last)


def _element(value: Value) -> Value:
    if isinstance(value, Instance) and _is_list(value) and value.arguments:
        return value.arguments[0]
    return None


def _is_list(value: Value) -> bool:
    return isinstance(value, Instance) and _name(value) == _LIST
