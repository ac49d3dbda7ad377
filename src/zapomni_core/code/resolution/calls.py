"""Calls bound to what they call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from zapomni_core.code.model import Call, CallEdge, UnresolvedCall
from zapomni_core.code.resolution.builtin_names import is_builtin_method
from zapomni_core.code.resolution.directory import Directory
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.modules import family_of
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import (
    Bound,
    External,
    Instance,
    Namespace,
    Super,
    Unbound,
    Value,
)

__all__ = ["CONFIDENCE", "bind_calls"]

type _How = Literal["local", "import", "self", "typed", "dispatch", "unique"]

CONFIDENCE: Final[dict[_How, float]] = {
    "local": 1.0,
    "import": 0.97,
    "self": 0.95,
    "typed": 0.9,
    "unique": 0.5,
    "dispatch": 0.5,
}
_MOST_CANDIDATES: Final = 5
# Overloads count as one candidate, so more places than candidates are looked at.
_MOST_PLACES: Final = 4 * _MOST_CANDIDATES
# A method with more overrides than this is called by everybody on everything.
_MOST_OVERRIDES: Final = 40
_OWN: Final = frozenset({"self", "this", "cls", "super()", "super", "Self"})
_CONSTRUCTORS: Final = {"python": "__init__", "javascript": "constructor", "php": "__construct"}
_RULED: Final = frozenset({"python", "javascript", "go", "java", "rust"})

type Found = CallEdge | UnresolvedCall


def bind_calls(source: Source, evaluation: Evaluation, directory: Directory) -> Iterator[Found]:
    """Bind every call of a file, in the order of the text."""
    binder = _Binder(source, evaluation, directory)
    for call in source.facts.calls:
        yield from binder.bind(call)


class _Binder:
    def __init__(self, source: Source, evaluation: Evaluation, directory: Directory) -> None:
        self._source = source
        self._language = source.language
        self._evaluation = evaluation
        self._directory = directory
        self._own: dict[tuple[int, str], Value] = {}

    def bind(self, call: Call) -> Iterator[Found]:
        scope = self._source.scope(call.scope)
        if call.receiver:
            yield from self._method(call, self._receiver(call, scope))
        else:
            yield from self._function(call, scope)

    def _receiver(self, call: Call, scope: Symbol) -> Value:
        if call.receiver not in _OWN or call.receiver in scope.bindings:
            return self._evaluation.chain(scope, call.receiver, call.line)
        key = (call.scope, call.receiver)
        if key not in self._own:
            self._own[key] = self._evaluation.chain(scope, call.receiver, call.line)
        return self._own[key]

    def _function(self, call: Call, scope: Symbol) -> Iterator[Found]:
        found = self._evaluation.named(scope, call.name, call.line)
        if isinstance(found, Unbound):
            yield self._guessed_function(call)
            return
        yield from self._edges(call, found, _how_of_function(found))

    def _method(self, call: Call, receiver: Value) -> Iterator[Found]:
        found = self._evaluation.attribute(receiver, call.name)
        if receiver is None or (found is None and not isinstance(receiver, External)):
            yield self._guessed_method(call)
        elif found is None or isinstance(found, Unbound):
            yield from self._only_below(call, receiver)
        else:
            yield from self._edges(call, found, _how(call, receiver))

    def _edges(self, call: Call, found: Value, how: _How) -> Iterator[Found]:
        target = self._callee(found)
        if isinstance(target, External):
            if target.dotted:
                yield self._outside(call, target)
            else:
                yield _open(call)
            return
        if target is None:
            yield _open(call)
            return
        if how == "local" and target.source is not self._source:
            how = "import"
        overrides: list[Symbol] = []
        if isinstance(found, Bound) and call.receiver not in {"super()", "super"}:
            overrides = self._overrides(found.owner, target.definition.name)
        yield _edge(call, target, "dispatch" if overrides and target.is_abstract else how)
        yield from (_edge(call, each, "dispatch") for each in overrides if each is not target)

    def _callee(self, found: Value) -> Symbol | External | None:
        match found:
            case Symbol() if found.is_class:
                return self._constructor(found)
            case Symbol():
                return None if found.is_module else found
            case Bound(method, _):
                return method
            case Instance(Symbol() as of, _):
                return self._evaluation.find(of, "__call__")
            case External():
                return found
            case _:
                return None

    def _constructor(self, of: Symbol) -> Symbol:
        name = _CONSTRUCTORS.get(family_of(self._language), of.definition.name)
        found = self._evaluation.find(of, name)
        return found if found is not None and not found.is_class else of

    def _overrides(self, owner: Symbol, name: str) -> list[Symbol]:
        if not self._directory.has_methods(self._language, name):
            return []
        targets = self._evaluation.overriding(owner, name)
        return list(targets) if len(targets) <= _MOST_OVERRIDES else []

    def _only_below(self, call: Call, receiver: Value) -> Iterator[Found]:
        """Look for a method that only subclasses of the receiver's class have."""
        yield _open(call)
        if isinstance(receiver, Instance) and isinstance(receiver.of, Symbol):
            targets = self._evaluation.overriding(receiver.of, call.name)
            for target in targets if len(targets) <= _MOST_OVERRIDES else ():
                yield _edge(call, target, "dispatch")

    def _guessed_method(self, call: Call) -> Found:
        if is_builtin_method(self._language, call.name):
            return _open(call)
        return self._guessed(
            call, self._directory.methods(self._language, call.name, _MOST_PLACES)
        )

    def _guessed_function(self, call: Call) -> Found:
        if family_of(self._language) in _RULED:
            return _open(call)
        return self._guessed(
            call, self._directory.functions(self._language, call.name, _MOST_PLACES)
        )

    def _guessed(self, call: Call, candidates: list[Symbol]) -> Found:
        if len(candidates) == 1:
            return _edge(call, candidates[0], "unique")
        few = candidates if len(candidates) <= _MOST_CANDIDATES else []
        return _open(call, tuple(each.id for each in few))

    def _outside(self, call: Call, target: External) -> CallEdge:
        dotted = f"{self._language}:{target.dotted}"
        return CallEdge(call.scope, dotted, call.line, "import", CONFIDENCE["import"], True)


def _how(call: Call, receiver: Value) -> _How:
    if call.receiver in _OWN or isinstance(receiver, Super):
        return "self"
    return "local" if isinstance(receiver, Symbol | Namespace) else "typed"


def _how_of_function(found: Value) -> _How:
    if isinstance(found, Bound):
        return "self"
    return "typed" if isinstance(found, Instance) else "local"


def _edge(call: Call, target: Symbol, how: _How) -> CallEdge:
    return CallEdge(call.scope, target.id, call.line, how, CONFIDENCE[how])


def _open(call: Call, candidates: tuple[str, ...] = ()) -> UnresolvedCall:
    return UnresolvedCall(call.scope, call.name, call.receiver, call.line, candidates)
