"""Calls bound to what they call."""

from __future__ import annotations

from functools import partial
from typing import Final, Literal, NamedTuple

from zapomni_core.code.model import ELEMENT, Binding, Call, CallEdge, UnresolvedCall
from zapomni_core.code.resolution.callees import Callees, few
from zapomni_core.code.resolution.chains import CALL, steps_of
from zapomni_core.code.resolution.directory import Directory
from zapomni_core.code.resolution.evaluation import Evaluation
from zapomni_core.code.resolution.modules import family_of
from zapomni_core.code.resolution.overloads import Overloads
from zapomni_core.code.resolution.steady import Steady
from zapomni_core.code.resolution.tables import Source, Symbol
from zapomni_core.code.resolution.values import (
    MOST_ALTERNATIVES,
    OUTSIDE,
    Bound,
    Either,
    External,
    Instance,
    Namespace,
    Super,
    Unbound,
    Value,
    is_here,
)

__all__ = ["CONFIDENCE", "BoundCalls", "bind_calls"]

type _How = Literal["local", "import", "self", "typed", "dispatch", "unique"]

CONFIDENCE: Final[dict[_How, float]] = {
    "local": 1.0,
    "import": 0.97,
    "self": 0.95,
    "typed": 0.9,
    "unique": 0.5,
    "dispatch": 0.5,
}
# One of the overloads runs, and which one is up to types that nobody knows here.
_OVERLOADED: Final = 0.7
_MOST_CANDIDATES: Final = 5
# Overloads count as one candidate, so more places than candidates are looked at.
_MOST_PLACES: Final = 4 * _MOST_CANDIDATES
_OWN: Final = frozenset({"self", "this", "cls", "super()", "super", "Self", "static"})
# Languages in which a decorator is a function that is called.
_DECORATED: Final = frozenset({"python", "javascript"})
# Languages in which nothing but types and modules begins with a capital letter, or nearly so.
_TYPES_ARE_CAPITAL: Final = frozenset(
    {"csharp", "dart", "groovy", "java", "kotlin", "php", "ruby", "scala", "swift"}
)
# Languages in which others may add methods to a type.
_ADDING: Final = frozenset({"kotlin", "rust"})
# What objects of the class around, and of the one above it, are made by.
_CONSTRUCTING: Final = {
    "java": frozenset({"super", "this"}),
    "php": frozenset({"parent", "self", "static"}),
}
_FROM_ABOVE: Final = frozenset({"super", "parent"})
_RULED: Final = frozenset({"python", "javascript", "go", "java", "rust"})
# Of 150,000 edges in Django each takes 130 ns instead of the 220 of their own constructor.
_edge: Final = partial(tuple.__new__, CallEdge)
_unresolved: Final = partial(tuple.__new__, UnresolvedCall)


class BoundCalls(NamedTuple):
    """The calls of a file that are bound, and those that are not."""

    calls: list[CallEdge]
    unresolved: list[UnresolvedCall]


def bind_calls(source: Source, evaluation: Evaluation, directory: Directory) -> BoundCalls:
    """Bind every call of a file, in the order of the text; those without a name go last."""
    binder = _Binder(source, evaluation, directory)
    for call in source.facts.calls:
        if call.receiver:
            binder.bind_method(call)
        else:
            binder.bind_function(call)
    for binding in source.facts.bindings:
        if binding.target == CALL:
            binder.bind_again(binding)
        elif binding.target == ELEMENT:
            binder.bind_unwritten(binding.value, binding.line, binding.scope)
    if family_of(source.language) in _DECORATED:
        for definition in source.facts.definitions:
            for decorator in definition.decorators:
                binder.bind_unwritten(decorator, definition.line, definition.scope)
    return binder.bound


class _Binder:
    def __init__(self, source: Source, evaluation: Evaluation, directory: Directory) -> None:
        self.bound = BoundCalls([], [])
        self._source = source
        self._language = source.language
        self._adds = source.language in _ADDING
        self._evaluation = evaluation
        self._directory = directory
        self._constructing = _CONSTRUCTING.get(source.language, frozenset())
        self._callees = Callees(source, evaluation, directory)
        self._overloads = Overloads(source, evaluation)
        self._steady = Steady(source, evaluation)
        # Names that are asked for their types anywhere in the file.
        asked = [e.target[:-1] for e in source.facts.bindings if e.target[-1:] == "?"]
        self._asked = {*asked, *(each.partition(".")[2] for each in asked)}
        # Edges of calls that were bound before, to be written again on other lines.
        self._before: dict[tuple[str | None, str, str, Value], list[CallEdge]] = {}

    def bind_function(self, call: Call) -> None:
        """Bind a call without a receiver."""
        if call.name in self._constructing:
            self._bind_construction(call)
            return
        found = self._steady.function(call)
        if isinstance(found, Unbound):
            self._guess_function(call)
            return
        key = (call.arguments, "", call.name, found)
        if not self._repeat(call, key):
            start = len(self.bound.calls)
            self._bind(call, found, _how_of_function(found))
            self._before[key] = self.bound.calls[start:]
        if _is_outside(found) and self._directory.has_methods(self._language, call.name):
            self._bind_instead_of_own(call, found)

    def _bind_instead_of_own(self, call: Call, found: Value) -> None:
        """Look for what subclasses have if a bare name is that of a method from outside."""
        owner = self._source.scope(call.scope).enclosing_class()
        if owner is not None and found == self._evaluation.attribute(Instance(owner), call.name):
            self._bind_instead_of_outside(call, Instance(owner))

    def _bind_construction(self, call: Call) -> None:
        """Bind `this(x)`, `super(x)` and `new static` to the class and the one above."""
        owner = self._source.scope(call.scope).enclosing_class()
        found: Value = owner
        if owner is not None and call.name in _FROM_ABOVE:
            bases = self._evaluation.hierarchy.bases(owner)
            found = next((each for each in bases if not _has_no_objects(each)), None)
        self._bind(call, found, "self")

    def bind_method(self, call: Call) -> None:
        """Bind a call of something that belongs to something else."""
        receiver = self._steady.receiver(call)
        narrow = self._narrowed(call) if self._asked else None
        if narrow is None and receiver is None:
            self._guess_method(call)
            return
        key = (call.arguments, call.receiver, call.name, receiver)
        if narrow is None and self._repeat(call, key):
            return
        found = self._evaluation.attribute(receiver, call.name) if receiver else None
        if narrow is not None and self._says_more(narrow, receiver, found):
            receiver, found = narrow, self._evaluation.attribute(narrow, call.name)
        if self._adds and not is_here(found) and self._bind_added(call, receiver):
            return
        if receiver is None or (found is None and not isinstance(receiver, External)):
            self._guess_method(call)
        elif found is None or isinstance(found, Unbound):
            self._bind_below(call, receiver)
        else:
            start = len(self.bound.calls)
            self._bind(call, found, _how(call, receiver))
            if _is_outside(found):
                self._bind_instead_of_outside(call, receiver)
            if narrow is None:
                self._before[key] = self.bound.calls[start:]

    def _bind_added(self, call: Call, receiver: Value) -> bool:
        """Bind what is added to a type from outside: by traits of Rust, extensions of Kotlin."""
        primitive = self._callees.of_primitive(call, receiver)
        if primitive is not None:
            self._add(call, primitive, "typed")
            return True
        extensions = self._callees.extensions.on(receiver, call)
        confidence = CONFIDENCE["typed"] if len(extensions) == 1 else _OVERLOADED
        for each in extensions:
            edge = _edge((call.scope, each.id, call.line, "typed", confidence, False))
            self.bound.calls.append(edge)
        return bool(extensions)

    def bind_again(self, binding: Binding) -> None:
        """Bind the second call of `f()(x)`; it has no name by which it could be looked for."""
        scope = self._source.scope(binding.scope)
        found = self._evaluation.chain(scope, binding.value, binding.line)
        call = Call("", binding.value, binding.line, binding.scope)
        values = found.values if isinstance(found, Either) else (found,)
        callable_ = [e for e in values if is_here(e) and self._callees.of(e) is not None]
        # What may be a function or an object is called as the function.
        functions = [each for each in callable_ if isinstance(each, Symbol) and not each.is_class]
        for each in functions or callable_:
            self._bind(call, each, "typed")

    def bind_unwritten(self, chain: str, line: int, scope: int) -> None:
        """Bind `@f` and `<F/>`, which call something, to what is here; `@f()` is written."""
        if chain.endswith(CALL):
            return
        found = self._evaluation.chain(self._source.scope(scope), chain, line)
        if is_here(found):
            call = Call("", chain, line, scope)
            self._bind(call, found, "local" if isinstance(found, Symbol) else "typed")

    def _repeat(self, call: Call, key: tuple[str | None, str, str, Value]) -> bool:
        """Write the edges of an equal call again, if there are any."""
        before = self._before.get(key)
        # What is given may be of another type although it has the same name.
        if not before or call.arguments:
            return False
        _, _, line, scope, _ = call
        for _, target, _, how, confidence, is_external in before:
            self.bound.calls.append(_edge((scope, target, line, how, confidence, is_external)))
        return True

    def _bind(self, call: Call, found: Value, how: _How) -> None:
        if isinstance(found, Either):
            for each in found.values:
                self._bind(call, each, how)
            return
        if call.arguments is not None:
            found = self._overloads.inherited(call, found)
        target = self._callees.of(found)
        if target is None or target == OUTSIDE:
            self._leave(call)
        elif isinstance(target, External):
            self._bind_outside(call, target)
        else:
            if how == "local" and target.source is not self._source:
                how = "import"
            self._bind_with_overrides(call, found, target, how)

    def _bind_with_overrides(self, call: Call, found: Value, target: Symbol, how: _How) -> None:
        overrides = self._callees.instead(call, found, target)
        others = [each for each in overrides if each is not target]
        # There are no objects of an abstract class but those of its subclasses.
        is_of_subclass = isinstance(found, Bound) and self._evaluation.is_abstract(found.owner)
        never_runs = target.is_abstract or (is_of_subclass and target not in overrides)
        are_all = (target.is_abstract or is_of_subclass) and len(others) <= MOST_ALTERNATIVES
        self._add(call, target, "dispatch" if others and never_runs else how)
        # Who makes an object depends on its class, even if that inherits its constructor.
        if isinstance(found, Symbol) and found.is_class and target.owner not in (None, found):
            self._add(call, found, how)
        for each in others:
            self._add(call, each, "typed" if are_all else "dispatch")

    def _narrowed(self, call: Call) -> Value:
        """Return what `isinstance` has asked the receiver for, where that holds."""
        name = call.receiver
        is_held = name.startswith(("self.", "cls."))
        if is_held:
            name = name.partition(".")[2]
        if name not in self._asked:
            return None
        scope: Symbol | None = self._source.scope(call.scope)
        if is_held and scope is not None:
            scope = scope.enclosing_class()
        asked = scope.bindings.get(f"{name}?", ()) if scope is not None else ()
        line, here = call.line, call.scope
        before = [e for e in asked if e.line <= line <= (e.until or line) and e.scope == here]
        if not before or scope is None:
            return None
        asked_at = before[-1].line
        if any(asked_at < each.line <= line for each in scope.bindings.get(name, ())):
            return None
        return self._evaluation.any_of(scope, before[-1:])

    def _says_more(self, narrow: Value, receiver: Value, found: Value | Unbound) -> bool:
        """Tell whether what was asked for says more than what is known of a receiver."""
        if found is None or isinstance(found, Unbound):
            return True
        if isinstance(found, External):
            return is_here(narrow)
        if not (isinstance(receiver, Instance) and isinstance(narrow, Instance)):
            return False
        known, asked = receiver.of, narrow.of
        if known is asked or not (isinstance(known, Symbol) and isinstance(asked, Symbol)):
            return False
        return known in self._evaluation.hierarchy.order(asked)

    def _bind_below(self, call: Call, receiver: Value) -> None:
        """Look for a method that only subclasses of the receiver's class have."""
        self._leave(call)
        self._add_below(call, receiver)

    def _bind_instead_of_outside(self, call: Call, receiver: Value) -> None:
        """Look for what subclasses have in place of a method that comes from outside."""
        if not self._directory.has_methods(self._language, call.name):
            return
        for each in receiver.values if isinstance(receiver, Either) else (receiver,):
            if isinstance(self._evaluation.attribute(each, call.name), External):
                self._add_below(call, each)

    def _add_below(self, call: Call, receiver: Value) -> None:
        if isinstance(receiver, Instance) and isinstance(receiver.of, Symbol):
            for target in few(self._evaluation.overriding(receiver.of, call.name)):
                self._add(call, target, "dispatch")

    def _guess_method(self, call: Call) -> None:
        if call.receiver == "super" and self._language == "ruby":
            # It may be a method of any base, but hardly the one in which it stands.
            self._leave(call)
        elif self._is_of_unseen_type(call):
            self._guess_by_type(call)
        else:
            self._guess(call, self._callees.methods(call.name, _MOST_PLACES))

    def _is_of_unseen_type(self, call: Call) -> bool:
        """Tell whether a receiver begins with a type that nothing in sight defines."""
        if self._language not in _TYPES_ARE_CAPITAL:
            return False
        head = steps_of(call.receiver)[0]
        if not head[0].isupper():
            return False
        found = self._evaluation.named(self._source.scope(call.scope), head, call.line)
        return found is None or isinstance(found, Unbound)

    def _guess_by_type(self, call: Call) -> None:
        """Look for a method in the only type of the name that stands in front, if there is one."""
        head, *steps = steps_of(call.receiver)
        named = self._directory.functions(self._language, head, _MOST_PLACES)
        value: Value = named[0] if len(named) == 1 and named[0].is_class else None
        if family_of(self._language) in _RULED:
            value = None
        for step in steps:
            value = self._evaluation.step(value, step) if value is not None else None
        found = self._evaluation.attribute(value, call.name) if value is not None else None
        target = None if isinstance(found, Unbound) else self._callees.of(found)
        if isinstance(target, Symbol):
            self._add(call, target, "unique")
        else:
            self._leave(call)

    def _guess_function(self, call: Call) -> None:
        if family_of(self._language) in _RULED:
            self._leave(call)
        else:
            self._guess(call, self._directory.functions(self._language, call.name, _MOST_PLACES))

    def _guess(self, call: Call, candidates: list[Symbol]) -> None:
        if len(candidates) == 1:
            self._add(call, candidates[0], "unique")
        else:
            named = candidates if len(candidates) <= _MOST_CANDIDATES else []
            self._leave(call, tuple([each.id for each in named]))

    def _add(self, call: Call, target: Symbol, how: _How) -> None:
        if not target.overloads:
            edge = _edge((call.scope, target.id, call.line, how, CONFIDENCE[how], False))
            self.bound.calls.append(edge)
            return
        targets = self._overloads.fitting(call, target)
        if len(targets) > _MOST_PLACES:
            # Macros that look like functions, such as the TEST of a framework.
            self._leave(call)
            return
        confidence = CONFIDENCE[how] if len(targets) == 1 else min(CONFIDENCE[how], _OVERLOADED)
        for each in targets:
            edge = CallEdge(call.scope, each.id, call.line, how, confidence)
            self.bound.calls.append(edge)

    def _bind_outside(self, call: Call, target: External) -> None:
        dotted = f"{self._language}:{target.dotted}"
        edge = (call.scope, dotted, call.line, "import", CONFIDENCE["import"], True)
        self.bound.calls.append(_edge(edge))

    def _leave(self, call: Call, candidates: tuple[str, ...] = ()) -> None:
        if call.name:
            name, receiver, line, scope, _ = call
            self.bound.unresolved.append(_unresolved((scope, name, receiver, line, candidates)))


def _is_outside(found: Value) -> bool:
    """Tell whether something may be outside of the repository."""
    return isinstance(found, External | Either)


def _has_no_objects(base: Value) -> bool:
    return isinstance(base, Symbol) and (base.definition.kind == "interface" or base.is_trait)


def _how(call: Call, receiver: Value) -> _How:
    if isinstance(receiver, Symbol) and receiver.is_module:
        return "local"
    if call.receiver in _OWN or isinstance(receiver, Super):
        return "self"
    if isinstance(receiver, Symbol):
        # A function has no members: those are of what a decorator made of it.
        return "local" if receiver.is_class else "typed"
    return "local" if isinstance(receiver, Namespace) else "typed"


def _how_of_function(found: Value) -> _How:
    if isinstance(found, Bound):
        return "self"
    return "typed" if isinstance(found, Instance) else "local"
